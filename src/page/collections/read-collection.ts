/** Reads the data of a shown collection: its columns, and its items by view or by month. */

import { ScriptoriumError } from '../../base/errors.ts'
import { FILTERS_PER_VIEW } from '../../base/limits.ts'
import type { PageCall } from '../page-call.ts'
import type { CollectionSchema, ItemEntry, ItemsAnswer, PropertyEntry, ToolInput, ViewEntry } from '../page-tools.ts'
import { addressWithRules, type ItemRules, rulesIn, rulesOfView } from './asked-rules.ts'
import { calendarColumn, monthFilters, monthOfItems, undatedFilters } from './collection-calendar.ts'
import type { CollectionView } from './collection-entries.ts'
import type { FilterEntry } from './filter-questions.ts'
import { readSchema } from './read-schema.ts'
import { readTargetTitles } from './target-titles.ts'

/** In place of the ID of a view: a table of all rows, which may be a view. */
export const ALL_ROWS = 'all'

/** Maximum number of items in a month. */
const ITEMS_OF_MONTH = 1_000

interface ReadOptions {
  /** The active view if absent. May be {@link ALL_ROWS}. */
  viewId?: string | undefined
  limit: number
  cursor?: string | undefined
  /** The calendar to show if the view is one, or if requested. */
  calendar?: AskedCalendar
  isEditable?: boolean
  /** The page to which its forms return; by default the current page. */
  back?: string | undefined
  /** Replaces the filters and sorting of the view, in the format of `items_list`. */
  rules?: Omit<ToolInput<'items_list'>, 'collectionId'>
  /** The address that may have rules in place of those of the view, and to which links for other ones lead. */
  address?: RuledAddress
}

export interface RuledAddress {
  /** A path with a query, below the base address. */
  path: string
  /** See asked-rules.ts. */
  suffix?: string
  /** The element to which a link leads. */
  fragment?: string
}

/** A calendar as requested by an address. */
export interface AskedCalendar {
  /** The key of a date column; by default that of the view. */
  by?: string | undefined
  /** Such as `2026-11`; by default the result of `monthOfItems` for the selected items. */
  month?: string
  /** The address of the page with another month. */
  href(month: string): string
}

/** @throws NOT_FOUND_ERROR */
export async function readCollection(call: PageCall, id: string, options: ReadOptions): Promise<CollectionView> {
  const { viewId, cursor, calendar: asked, isEditable = false, back, rules, address } = options
  const schema = await readSchema(call, id)
  const { views } = await call.run('views_list', { collectionId: id })
  const view =
    viewId === ALL_ROWS
      ? tableOfAll(views)
      : views.find(({ id, isActive }) => (viewId === undefined ? isActive : id === viewId))
  if (view === undefined && viewId !== undefined && viewId !== ALL_ROWS) {
    throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such view.')
  }
  const date = asked && dateOf(schema, view, asked.by)
  const stored = rulesOfView(view)
  const asksRules = address && rulesIn(new URLSearchParams(address.path.split('?')[1]), address.suffix)
  const query = {
    collectionId: id,
    // The first picture in an item is the cover of its card.
    maxDepth: date === undefined && hasCovers(view) ? 1 : 0,
    limit: date === undefined ? options.limit : ITEMS_OF_MONTH,
    ...(view !== undefined && { viewId: view.id }),
    ...(cursor !== undefined && { cursor }),
    ...asksRules,
    ...rules,
  }
  const shown = {
    ...{ id, schema, views, view, columns: columnsOf(schema, view), isEditable, back },
    ...(address === undefined
      ? { rules: stored }
      : { rules: { ...stored, ...asksRules }, ...linksTo(call, address, stored) }),
  }
  if (asked !== undefined && date !== undefined) {
    const { month, href } = asked
    const dated = { ...query, properties: [date.key] }
    const items = async (filters: readonly FilterEntry[]) =>
      call.run('items_list', { ...dated, filters: joinFilters(shown.rules.filters, filters) })
    const isUndated = ({ properties }: ItemEntry) => !Object.hasOwn(properties, date.key)
    const calendar = { property: date, href }
    if (month === undefined) {
      const answer = await call.run('items_list', dated)
      const undated = answer.items.filter(isUndated)
      const found = monthOfItems(answer.items, date, call.formats.today)
      return { ...shown, answer, titles: new Map(), calendar: { ...calendar, month: found, undated } }
    }
    const answers: ItemsAnswer[] = []
    for (const filters of monthFilters(month, date)) answers.push(await items(filters))
    const answer = joinAnswers(answers)
    const undated = (await items(undatedFilters(date))).items.filter(isUndated)
    return { ...shown, answer, titles: new Map(), calendar: { ...calendar, month, undated } }
  }
  const answer = await call.run('items_list', query)
  // A response that continues from a cursor does not include groups.
  if (cursor !== undefined && view?.groupBy[0] !== undefined) {
    const { cursor: _cursor, ...first } = { ...query, limit: 1 }
    answer.groups = (await call.run('items_list', first)).groups ?? []
  }
  return { ...shown, answer, titles: await readTargetTitles(call, query, shown.columns) }
}

/** The first view that is a table of all rows. */
export const tableOfAll = (views: readonly ViewEntry[]): ViewEntry | undefined =>
  views.find(({ type, filters }) => type === 'table' && filters.length === 0)

/** True for cards, unless their view says that they have no pictures. */
const hasCovers = (view: ViewEntry | undefined): boolean =>
  view?.type === 'gallery' && view.gallery?.previewType !== 'none'

/** Makes the addresses of the same page with other rules. */
function linksTo(call: PageCall, { path, suffix, fragment }: RuledAddress, stored: ItemRules) {
  return {
    hrefWith(rules: ItemRules): string {
      const to = addressWithRules(path, rules, stored, suffix)
      return `${call.request.base}${to}${fragment === undefined ? '' : `#${fragment}`}`
    },
    storedRules: stored,
  }
}

/** The items that any of these answers has, each once, in the order in which they come first. */
function joinAnswers(answers: readonly ItemsAnswer[]): ItemsAnswer {
  const items = new Map(answers.flatMap((answer) => answer.items.map((item) => [item.id, item])))
  const [cut] = answers.flatMap(({ pagination }) => pagination ?? [])
  return { items: [...items.values()], ...(cut !== undefined && { pagination: cut }) }
}

/** The column of the calendar, if one is shown. @throws NOT_FOUND_ERROR */
function dateOf(schema: CollectionSchema, view: ViewEntry | undefined, by: string | undefined) {
  if (by === undefined) return calendarColumn(schema, view)
  const found = schema.properties.find(({ key, type }) => key === by && type === 'date')
  if (found === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
  return found
}

/**
 * Limited to the maximum number of filters of a call. Items that the remaining filters would hide are not shown by
 * month.
 */
const joinFilters = (own: readonly FilterEntry[], more: readonly FilterEntry[]): FilterEntry[] =>
  [...own, ...more].slice(0, FILTERS_PER_VIEW)

/** The columns of a view, in its order. */
function columnsOf({ properties }: CollectionSchema, view: ViewEntry | undefined): PropertyEntry[] {
  const hidden = new Set(view?.hiddenProperties.map(({ propertyKey }) => propertyKey))
  return inViewOrder(properties, view).filter(({ key }) => !hidden.has(key))
}

/** All properties, also hidden ones, in the order of a view. */
export function inViewOrder(properties: readonly PropertyEntry[], view: ViewEntry | undefined): PropertyEntry[] {
  const order = view?.customPropertyOrder.map(({ propertyKey }) => propertyKey) ?? []
  const placeOf = ({ key }: PropertyEntry) => (order.includes(key) ? order.indexOf(key) : order.length)
  return properties.toSorted((one, other) => placeOf(one) - placeOf(other))
}
