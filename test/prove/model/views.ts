/** The model of the tools for views. */
import type { PropertyType } from '../../../storage/schema.ts'
import { findCollection } from './collections.ts'
import { dateOf } from './days.ts'
import { Id } from './ids.ts'
import {
  type Collection,
  type Column,
  invalid,
  type Json,
  missing,
  type Settings,
  type View,
  type World,
} from './world.ts'

interface Rule {
  property: string
  ascending?: boolean
}

interface ViewInput {
  name?: string
  type?: string
  filters?: { property: string; filterType: string; filterValue?: unknown }[]
  sortBy?: Rule[]
  groupBy?: Rule[]
  fields?: { order?: string[]; hidden?: string[]; widths?: Record<string, string> }
  calculations?: Record<string, string>
  isCalculationsRowVisible?: boolean
  gallery?: Json
  kanban?: Json
}

const EMPTY: Settings = {
  ...{ filters: [], sortBy: [], groupBy: [], order: [], hidden: [], widths: new Map(), calculations: new Map() },
  ...{ isCalculationsRowVisible: undefined, cards: undefined },
}

interface Named {
  collectionId: string
  viewId: string
}

export function addView(world: World, { collectionId, view }: { collectionId: string; view: ViewInput }): object {
  checkShape(view)
  if (view.name === undefined || view.type === undefined) throw invalid()
  const collection = findCollection(world, collectionId)
  const added: View = { id: new Id(), name: view.name, type: view.type, settings: EMPTY }
  Object.assign(added, changed(world, collection, added, view))
  world.journal.insert(collection.views, collection.views.length, added)
  world.touch(collection.block)
  return showView(collection, added)
}

export function updateView(world: World, { collectionId, viewId, view }: Named & { view: ViewInput }): object {
  checkShape(view)
  const collection = findCollection(world, collectionId)
  const found = viewOf(collection, viewId)
  const { name, type, settings } = changed(world, collection, present(found), view)
  world.journal.set(found, 'name', name)
  world.journal.set(found, 'type', type)
  world.journal.set(found, 'settings', settings)
  return showView(collection, found)
}

export function deleteView(world: World, { collectionId, viewId }: Named): object {
  const collection = findCollection(world, collectionId)
  const view = viewOf(collection, viewId)
  if (collection.views.length === 1) throw invalid()
  const active = activeOf(collection)
  world.journal.remove(collection.views, view)
  if (active === view) world.journal.set(collection, 'active', collection.views[0])
  return { deletedViewId: view.id, activeViewId: activeOf(collection)?.id }
}

export function activateView(world: World, { collectionId, viewId }: Named): object {
  const collection = findCollection(world, collectionId)
  const view = viewOf(collection, viewId)
  world.journal.set(collection, 'active', view)
  return showView(collection, view)
}

/** The response of views_list. */
export const listViews = (collection: Collection): Json => ({
  collectionBlockId: collection.block.id,
  activeViewId: activeOf(collection)?.id,
  views: collection.views.map((view) => showView(collection, view)),
})

function viewOf({ views }: Collection, viewId: string): View {
  const found = views.find(({ id }) => id.value === viewId)
  if (found === undefined) throw missing()
  return found
}

const activeOf = ({ active, views }: Collection): View | undefined => active ?? views[0]

function checkShape({ name, type }: ViewInput): void {
  if (name === '' || (type !== undefined && !['table', 'gallery', 'kanban'].includes(type))) throw invalid()
}

const isHere = (column: Column): boolean => column === 'title' || !column.isGone

/** Removes deleted properties from a view. A kanban view without the property of its groups becomes a table. */
function present({ id, name, type, settings }: View): View {
  const rules = (list: Settings['sortBy']) => list.filter(({ column }) => isHere(column))
  const map = (list: Map<Column, string>) => new Map([...list].filter(([column]) => isHere(column)))
  const left: Settings = {
    filters: settings.filters.flatMap((filter) => {
      if (!isHere(filter.column)) return []
      const { column, options } = filter
      if (options === undefined || column === 'title') return [filter]
      const known = options.filter((option) => column.options.includes(option))
      return known.length > 0 ? [{ ...filter, options: known }] : []
    }),
    sortBy: rules(settings.sortBy),
    groupBy: rules(settings.groupBy),
    order: settings.order.filter(isHere),
    hidden: settings.hidden.filter(isHere),
    widths: map(settings.widths),
    calculations: map(settings.calculations),
    isCalculationsRowVisible: settings.isCalculationsRowVisible,
    cards: settings.cards,
  }
  if (type !== 'kanban' || left.groupBy.length > 0) return { id, name, type, settings: left }
  return { id, name, type: 'table', settings: { ...left, cards: undefined } }
}

function changed(world: World, collection: Collection, before: View, input: ViewInput): View {
  const column = (word: string) => columnOf(collection, word)
  const map = (given: Record<string, string>) =>
    new Map(Object.entries(given).map(([word, value]) => [column(word), value] as const))
  const columns = (words: string[]) => [...new Set(words.map(column))]
  const rules = (given: Rule[]) =>
    given.map(({ property, ascending = true }) => ({ column: column(property), ascending }))
  const { filters, sortBy, groupBy, fields = {}, calculations, isCalculationsRowVisible: isVisible } = input
  const type = input.type ?? before.type
  const old = before.settings
  if ((filters?.length ?? 0) > 5 || (sortBy?.length ?? 0) > 3) throw invalid()
  const settings: Settings = {
    filters: filters?.map((filter) => readFilter(world, column(filter.property), filter)) ?? old.filters,
    sortBy: sortBy ? rules(sortBy) : old.sortBy,
    groupBy: groupBy ? rules(groupBy) : old.groupBy,
    order: fields.order ? columns(fields.order) : old.order,
    hidden: fields.hidden ? columns(fields.hidden) : old.hidden,
    widths: fields.widths ? map(fields.widths) : old.widths,
    calculations: calculations ? map(calculations) : old.calculations,
    isCalculationsRowVisible: isVisible ?? old.isCalculationsRowVisible,
    cards: undefined,
  }
  for (const [one, calculation] of settings.calculations) checkCalculation(one, calculation)
  for (const kind of ['gallery', 'kanban'] as const) {
    if (input[kind] !== undefined && type !== kind) throw invalid()
    if (type === kind) settings.cards = { ...(before.type === kind ? old.cards : {}), ...input[kind] }
  }
  if (settings.groupBy.length > 1 || (type === 'kanban' && settings.groupBy.length !== 1)) throw invalid()
  return { id: before.id, name: input.name ?? before.name, type, settings }
}

function columnOf({ properties, titleKey, titleName }: Collection, word: string): Column {
  if (word === 'title') return 'title'
  const byKey = properties.find(({ key }) => key === word)
  if (byKey !== undefined) return byKey
  if (word === titleKey || word === titleName) return 'title'
  const found = properties.find(({ name }) => name === word)
  if (found === undefined) throw invalid()
  return found
}

const typeOf = (column: Column): PropertyType | 'title' =>
  column === 'title' ? 'title' : (column.type as PropertyType)
const KINDS: Record<PropertyType | 'title', readonly string[]> = {
  title: ['string'],
  text: ['string'],
  number: ['number'],
  boolean: [],
  date: ['date'],
  url: ['string'],
  email: ['string'],
  phone: ['string'],
  singleSelect: ['string', 'select'],
  multiSelect: ['string', 'select'],
  relation: ['relation'],
  blockLink: [],
  person: ['select'],
  rating: ['number'],
}

type FilterInput = NonNullable<ViewInput['filters']>[number]

/** Parses a filter of one of the kinds that the generated calls use. */
function readFilter(
  { today }: World,
  column: Column,
  { filterType, filterValue }: FilterInput,
): Settings['filters'][number] {
  const [prefix = '', rest] = filterType.split('_')
  if (rest !== undefined && !KINDS[typeOf(column)].includes(prefix)) throw invalid()
  const filter = { column, filterType, value: filterValue, options: undefined }
  if (rest === undefined) {
    if (filterValue !== undefined) throw invalid()
    return filter
  }
  if (prefix === 'number' && typeof filterValue !== 'number') throw invalid()
  if (prefix === 'string' && typeof filterValue !== 'string') throw invalid()
  if (prefix === 'date') dateOf(String(filterValue), today)
  if (prefix !== 'select' || column === 'title') return filter
  const names = filterValue as string[]
  if (names.length === 0) throw invalid()
  const options = names.map((name) => {
    const found = column.options.find((option) => option.name === name)
    if (found === undefined) throw invalid()
    return found
  })
  return { ...filter, options: [...new Set(options)] as never }
}

function checkCalculation(column: Column, calculation: string): void {
  const [prefix = ''] = calculation.split('_')
  const type = typeOf(column)
  if (['number', 'date'].includes(prefix) && (type === 'rating' ? 'number' : type) !== prefix) throw invalid()
}

function showView(collection: Collection, stored: View): Json {
  const { id, name, type, settings } = present(stored)
  const key = (column: Column) => (column === 'title' ? 'title' : column.key)
  const reference = (column: Column) => ({
    propertyId: key(column),
    propertyKey: column === 'title' ? collection.titleKey : column.key,
    propertyName: column === 'title' ? collection.titleName : column.name,
  })
  const rules = (list: Settings['sortBy']) =>
    list.map(({ column, ascending }) => ({ property: key(column), ...reference(column), ascending }))
  const map = (list: Map<Column, string>) =>
    Object.fromEntries([...list].map(([column, value]) => [key(column), value]))
  return {
    ...{ id, name, type, sortBy: rules(settings.sortBy), groupBy: rules(settings.groupBy) },
    filters: settings.filters.map(({ column, filterType, value, options }) => {
      return {
        property: key(column),
        ...reference(column),
        filterType,
        filterValue: options?.map((option) => option.name) ?? value,
      }
    }),
    hiddenProperties: settings.hidden.map(reference),
    customPropertyOrder: settings.order.map(reference),
    columnWidth: map(settings.widths),
    calculations: Object.fromEntries(
      [...settings.calculations].map(([column, type]) => [key(column), { ...reference(column), type }]),
    ),
    isCalculationsRowVisible: settings.isCalculationsRowVisible,
    gallery: type === 'gallery' ? settings.cards : undefined,
    kanban: type === 'kanban' ? settings.cards : undefined,
    isActive: activeOf(collection) === stored,
  }
}
