/** Writes the views of imported collections. The relations must have been written before. */
import { isDeepStrictEqual } from 'node:util'
import { findCollection } from '../collections/schema/find-collection.ts'
import { TITLE_COLUMN, VIEW_TRAITS } from '../collections/views/view.ts'
import { type ViewAnswer, viewAsInput } from '../collections/views/view-answer.ts'
import { activateView, addView, deleteView, listViews, updateView } from '../collections/views/views.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import type { Space } from '../model/space.ts'
import type { ImportView, ImportViews } from './imported-content.ts'
import { preserveTimes } from './write-collections.ts'
import { IMPORT_CALL } from './write-document.ts'

/**
 * Replaces the views of a collection with those of its source. Views with the same name and type keep their IDs.
 * Documents keep their times.
 *
 * @throws VALIDATION_ERROR if settings break a rule
 */
export const writeViews = (space: Space, collection: number, given: ImportViews): Promise<void> =>
  preserveTimes(space, [collection], async () => {
    const wanted = await withKeys(space, collection, given)
    if (wanted.length === 0) return
    const { views: before, activeViewId } = await listViews(space, collection)
    let active = activeViewId
    let isChanged = false
    for (const view of wanted) {
      const same = before.findIndex(({ name, type }) => name === view.name && type === view.type)
      const [old] = same < 0 ? [] : before.splice(same, 1)
      const isSame = old !== undefined && isDeepStrictEqual(settingsOf(importView(old), old), settingsOf(view, old))
      const { id } = isSame
        ? old
        : old === undefined
          ? await addView(space, collection, view)
          : await replaceView(space, collection, old, view)
      active ??= id
      if (view.isActive && id !== active) {
        await activateView(space, collection, await space.readId(id))
        isChanged = true
      }
      if (!isSame) isChanged = true
    }
    for (const { id } of before) await deleteView(space, collection, await space.readId(id))
    if (isChanged || before.length > 0) await addAuditEntry(space, IMPORT_CALL, [String(collection)])
  })

/** Updates in two steps: an update merges card settings, so the first step clears the old ones. */
async function replaceView(space: Space, collection: number, old: ViewAnswer, view: ImportView): Promise<ViewAnswer> {
  const id = await space.readId(old.id)
  const { gallery: _, kanban: __, ...others } = view
  await updateView(space, collection, id, settingsOf(others, old))
  return updateView(space, collection, id, settingsOf(view, old))
}

/** Converts a view to input for another collection with the same properties. */
export const importView = (view: ViewAnswer): ImportView => ({
  ...viewAsInput(view),
  ...(view.isActive && { isActive: true }),
})

/** Returns all settings, so that settings missing in the new view replace those of the old one. */
function settingsOf({ isActive: _, ...view }: ImportView, { isCalculationsRowVisible }: ViewAnswer) {
  const rules = { filters: [], sortBy: [], groupBy: [], order: [], hidden: [], widths: {}, calculations: {} }
  const { settings } = VIEW_TRAITS[view.type]
  const cards = settings && { [settings]: view[settings] ?? {} }
  const isRowVisible = isCalculationsRowVisible !== undefined && { isCalculationsRowVisible: false }
  return { ...rules, ...isRowVisible, ...view, ...cards }
}

/**
 * Translates property keys in views to the keys in this collection. References to properties that do not exist here are
 * left out.
 */
async function withKeys(space: Space, collection: number, { names, views }: ImportViews): Promise<ImportView[]> {
  const { properties } = await findCollection(space, collection)
  const here = new Map(properties.map(({ name, key }) => [name, key]))
  const keyOf = (key: string) => (key === TITLE_COLUMN ? key : here.get(names.get(key) ?? ''))
  const all = (keys: readonly string[]) => keys.flatMap((key) => keyOf(key) ?? [])
  const rules = <Rule extends { property: string }>(list: readonly Rule[] = []): Rule[] =>
    list.flatMap((rule) => all([rule.property]).map((property) => ({ ...rule, property })))
  const map = <Value>(given: Readonly<Record<string, Value>> = {}): Record<string, Value> =>
    Object.fromEntries(Object.entries(given).flatMap(([key, value]) => all([key]).map((one) => [one, value])))
  const cards = <Cards extends { visibleFields?: string[] | undefined }>(given: Cards): Cards =>
    given.visibleFields === undefined ? given : { ...given, visibleFields: all(given.visibleFields) }
  return views.map(({ gallery, kanban, ...view }): ImportView => {
    const groupBy = rules(view.groupBy)
    const isTable = VIEW_TRAITS[view.type].needsGroup && groupBy.length === 0
    return {
      ...{ ...view, groupBy, filters: rules(view.filters), sortBy: rules(view.sortBy) },
      ...(isTable && { type: 'table' }),
      ...{ order: all(view.order ?? []), hidden: all(view.hidden ?? []) },
      ...{ widths: map(view.widths), calculations: map(view.calculations) },
      ...(gallery && { gallery: cards(gallery) }),
      ...(kanban && !isTable && { kanban: cards(kanban) }),
    }
  })
}
