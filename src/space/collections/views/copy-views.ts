/** Copies the views of a collection to a copy of that collection. */
import { collectionByNumber } from '../../../../storage/collections.ts'
import { collectionViews, insertView, setActiveView } from '../../../../storage/views.ts'
import type { Space } from '../../model/space.ts'
import { type Filter, type FilterValue, type Rule, TITLE_COLUMN_NUMBER, VIEW_TRAITS, type View } from './view.ts'

/** Maps originals to their copies by number. Blocks are also mapped by ID. */
export interface CopyMap {
  ids: ReadonlyMap<number, number>
  blocks: Map<number, number>
  properties: Map<number, number>
  options: Map<number, number>
}

/** Rules on properties that were not copied are left out. A kanban view that loses its only group becomes a table. */
export async function copyViews(space: Space, from: number, copyMap: CopyMap): Promise<void> {
  const collection = copyMap.blocks.get(from)
  if (collection === undefined) return
  const active = (await collectionByNumber(space.tx, from))?.activeView
  for (const { n, ...row } of await collectionViews(space.tx, from)) {
    const settings = remapSettings(JSON.parse(row.settings), copyMap)
    const traits = VIEW_TRAITS[row.type]
    const isTable = traits.needsGroup && settings.groupBy.length === 0
    if (isTable && traits.settings !== undefined) delete settings[traits.settings]
    const view = await insertView(space.tx, {
      ...{ id: await space.newId(), collection, position: row.position, name: row.name },
      ...{ type: isTable ? 'table' : row.type, settings: JSON.stringify(settings) },
    })
    if (n === active) await setActiveView(space.tx, collection, view.n)
  }
}

type StoredSettings = Omit<View, 'name' | 'type'>

function remapSettings(settings: StoredSettings, { ids, properties, options }: CopyMap): StoredSettings {
  const copyOf = (n: number): number | undefined => (n === TITLE_COLUMN_NUMBER ? n : properties.get(n))
  const numbers = (all: readonly number[]) => all.flatMap((n) => copyOf(n) ?? [])
  const optionOf = (group: number | string) => (typeof group === 'number' ? (options.get(group) ?? []) : group)
  const operandOf = (value: FilterValue): FilterValue => {
    // An option that the original lost is kept here by its number. The copy does not have it either, and when no option
    // of a filter is left, reading the view removes the filter.
    if ('options' in value) return { options: value.options.map((n) => options.get(n) ?? n) }
    // Targets that were copied are replaced by their copies. Other targets stay the same.
    return 'targets' in value ? { targets: value.targets.map((id) => ids.get(id) ?? id) } : value
  }
  const rules = <R extends Rule | Filter>(all: readonly R[]): R[] =>
    all.flatMap((rule) => {
      const property = copyOf(rule.property)
      return property === undefined ? [] : { ...rule, property }
    })
  const pairs = <V>(all: readonly [number, V][]) =>
    all.flatMap(([n, value]): [number, V][] => {
      const copy = copyOf(n)
      return copy === undefined ? [] : [[copy, value]]
    })
  const copied: StoredSettings = {
    ...settings,
    filters: rules(settings.filters).map((filter) => ({
      ...filter,
      ...(filter.value && { value: operandOf(filter.value) }),
    })),
    ...{ sortBy: rules(settings.sortBy), groupBy: rules(settings.groupBy) },
    ...{ order: numbers(settings.order), hidden: numbers(settings.hidden) },
    ...{ widths: pairs(settings.widths), calculations: pairs(settings.calculations) },
  }
  const { gallery, kanban } = settings
  const fields = (shown: number[] | undefined) => shown && { visibleFields: numbers(shown) }
  if (gallery) copied.gallery = { ...gallery, ...fields(gallery.visibleFields) }
  if (kanban) {
    copied.kanban = {
      ...{ ...kanban, ...fields(kanban.visibleFields) },
      ...(kanban.hiddenGroupValues && { hiddenGroupValues: kanban.hiddenGroupValues.flatMap(optionOf) }),
      ...(kanban.columnOrder && { columnOrder: kanban.columnOrder.flatMap(optionOf) }),
    }
  }
  return copied
}
