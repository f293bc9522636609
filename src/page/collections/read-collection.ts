/** What is shown of a collection: its columns, and its items as a view has them or in the days of a month. */
import { ScriptoriumError } from '../../base/errors.ts'
import { FILTERS_PER_VIEW } from '../../base/limits.ts'
import type { PageCall } from '../page-call.ts'
import { calendarColumn, monthFilters, monthOfItems, undatedFilters } from './collection-calendar.ts'
import type { CollectionSchema, CollectionView, ItemEntry, ItemsAnswer, ViewEntry } from './collection-entries.ts'
import type { PropertyEntry, TargetTitles } from './collection-values.ts'
import type { FilterEntry } from './filter-words.ts'

/** Items that a month shows at most. */
const ITEMS_OF_MONTH = 1_000

interface ReadOptions {
  /** The active one when absent. */
  viewId?: string | undefined
  limit: number
  cursor?: string | undefined
  /** Where a month can be shown in place of the items. */
  calendar?: AskedCalendar
  isEditable?: boolean
  /** The page that its forms come back to; the one that is shown when absent. */
  back?: string | undefined
  /** In place of those of the view, as `items_list` takes them. */
  rules?: object
}

/** A calendar as an address asks for it. */
export interface AskedCalendar {
  /** The key of a column of dates; that of the view where it is absent. */
  by?: string | undefined
  /** `2026-11`; when absent, the one that `monthOfItems` finds in what the rules select. */
  month?: string
  /** The address of the page with another month. */
  href(month: string): string
}

/** @throws NOT_FOUND_ERROR */
export async function readCollection(call: PageCall, id: string, options: ReadOptions): Promise<CollectionView> {
  const { viewId, cursor, calendar: asked, isEditable = false, back, rules } = options
  const schema = await call.run<CollectionSchema>('schema_get', { collectionId: id, format: 'schema' })
  const { views } = await call.run<{ views: ViewEntry[] }>('views_list', { collectionId: id })
  const view = views.find((one) => (viewId === undefined ? one.isActive : one.id === viewId))
  const date = asked && dateOf(schema, view, asked.by)
  const query = {
    collectionId: id,
    maxDepth: 0,
    limit: date === undefined ? options.limit : ITEMS_OF_MONTH,
    ...(view !== undefined && { viewId: view.id }),
    ...(cursor !== undefined && { cursor }),
    ...rules,
  }
  const shown = { id, schema, views, view, columns: columnsOf(schema, view), isEditable, back }
  if (asked !== undefined && date !== undefined) {
    const { month, href } = asked
    const dated = { ...query, properties: [date.key] }
    const items = async (filters: readonly FilterEntry[]) =>
      call.run<ItemsAnswer>('items_list', { ...dated, filters: joinFilters(view?.filters ?? [], filters) })
    const isUndated = ({ properties }: ItemEntry) => !(date.key in properties)
    const calendar = { property: date, href }
    if (month === undefined) {
      const answer = await call.run<ItemsAnswer>('items_list', dated)
      const undated = answer.items.filter(isUndated)
      const found = monthOfItems(answer.items, date, call.formats.today)
      return { ...shown, answer, titles: new Map(), calendar: { ...calendar, month: found, undated } }
    }
    const answer = await items(monthFilters(month, date))
    const undated = (await items(undatedFilters(date))).items.filter(isUndated)
    return { ...shown, answer, titles: new Map(), calendar: { ...calendar, month, undated } }
  }
  const answer = await call.run<ItemsAnswer>('items_list', query)
  // The answer that goes on from a cursor has items alone.
  if (cursor !== undefined && view?.groupBy[0] !== undefined) {
    const { cursor: _cursor, ...first } = { ...query, limit: 1 } as Record<string, unknown>
    answer.groups = (await call.run<ItemsAnswer>('items_list', first)).groups ?? []
  }
  return { ...shown, answer, titles: await readTargetTitles(call, query, shown.columns) }
}

/** The column of a calendar, where one is shown. @throws NOT_FOUND_ERROR */
function dateOf(schema: CollectionSchema, view: ViewEntry | undefined, by: string | undefined) {
  if (by === undefined) return calendarColumn(schema, view)
  const found = schema.properties.find(({ key, type }) => key === by && type === 'date')
  if (found === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such column.')
  return found
}

/** As many as a call may have. What those that are left out would hide is not drawn. */
const joinFilters = (own: readonly FilterEntry[], more: readonly FilterEntry[]): FilterEntry[] =>
  [...own, ...more].slice(0, FILTERS_PER_VIEW)

/** The properties that a view shows, in its order. */
function columnsOf({ properties }: CollectionSchema, view: ViewEntry | undefined): PropertyEntry[] {
  const hidden = new Set(view?.hiddenProperties.map(({ propertyKey }) => propertyKey))
  const order = view?.customPropertyOrder.map(({ propertyKey }) => propertyKey) ?? []
  const placeOf = ({ key }: PropertyEntry) => (order.includes(key) ? order.indexOf(key) : order.length)
  return properties.filter(({ key }) => !hidden.has(key)).sort((one, other) => placeOf(one) - placeOf(other))
}

/** Titles of the blocks that relations lead to stand in the Markdown of the items alone. */
async function readTargetTitles(
  call: PageCall,
  query: object,
  columns: readonly PropertyEntry[],
): Promise<TargetTitles> {
  const keys = columns.filter(({ type }) => type === 'relation' || type === 'blockLink').map(({ key }) => key)
  if (keys.length === 0) return new Map()
  const table = await call.run<string>('items_list', { ...query, properties: keys, format: 'markdown' })
  const titles = new Map<string, string>()
  for (const [, title = '', id = ''] of table.matchAll(/\[([^[\]]*)\]\(block:\/\/(\d{12})\)/g)) {
    titles.set(
      id,
      title
        .replace(/\\([\\|])/g, '$1')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&'),
    )
  }
  return titles
}
