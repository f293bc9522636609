/** Shows the items of a collection on the days of a month, by a date property. */

import { addToGroup } from '../../base/grouping.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { CollectionSchema, ItemEntry, PropertyEntry, ViewEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { Calendar, CollectionView } from './collection-entries.ts'
import type { FilterEntry } from './filter-questions.ts'
import { isMonth, isoDate, monthWeeks } from './month-weeks.ts'
import { hidingFiltersHtml, mayAddRows, newRowLink } from './new-row.ts'

const DAY_MS = 86_400_000
/** Maximum number of items without a date. */
const UNDATED_SHOWN = 50

/**
 * The date property by which a view is shown as a calendar: a board whose groups would be days. There is no separate
 * type of view, so that agents and other programs find one they know.
 */
export function calendarColumn(
  { properties }: CollectionSchema,
  view: Pick<ViewEntry, 'type' | 'groupBy'> | undefined,
): PropertyEntry | undefined {
  const key = view?.type === 'kanban' ? view.groupBy[0]?.property : undefined
  return properties.find((one) => one.key === key && one.type === 'date')
}

/** The month in an address, such as `2026-11`; by default the current month. */
export const monthOf = ({ formats }: PageCall, asked: string | null): string =>
  asked !== null && isMonth(asked) ? asked : formats.today.slice(0, 7)

/** The current month if it contains an item; otherwise the next month with an item, or the last one. */
export function monthOfItems(items: readonly ItemEntry[], { key }: PropertyEntry, today: string): string {
  const now = today.slice(0, 7)
  const ranges = items.map(({ properties }) => rangeOf(properties[key])).filter(({ start }) => start !== '')
  const months = ranges.flatMap(({ start, end }) => {
    const [first, last] = [start.slice(0, 7), end.slice(0, 7)]
    return first <= now && now <= last ? [now] : [first, last]
  })
  const ordered = months.sort()
  return ordered.find((month) => month >= now) ?? ordered.at(-1) ?? now
}

/**
 * Filters that together select the items of a month: those that are there on its first day, those that are there on its
 * last one, and those that begin and end in between. A range is before a day if all of it is, so that no pair of
 * filters by `before` and `after` finds a range that only overlaps.
 */
export function monthFilters(month: string, { key: property }: PropertyEntry): FilterEntry[][] {
  const { first, last } = monthWeeks(month, [])
  return [
    [{ property, filterType: 'equals', filterValue: isoDate(first) }],
    [{ property, filterType: 'equals', filterValue: isoDate(last) }],
    [
      { property, filterType: 'date_isAfter', filterValue: isoDate(first) },
      { property, filterType: 'date_isBefore', filterValue: isoDate(last) },
    ],
  ]
}

export const undatedFilters = ({ key }: PropertyEntry): FilterEntry[] => [{ property: key, filterType: 'isEmpty' }]

export function monthHtml(call: PageCall, shown: CollectionView, { month, property, undated, href }: Calendar): Html {
  const { formats } = call
  const weekdays = formats.weekdays()
  const { weeks, first, dates, numbers } = monthWeeks(
    month,
    weekdays.map(({ number }) => number),
  )
  const byDay = itemsByDay(shown.answer.items, property.key, dates)
  const step = (at: number, name: string) =>
    isMonth(isoDate(at).slice(0, 7)) &&
    html`<a class="button plain" href="${href(isoDate(at).slice(0, 7))}">${name}</a>`
  const list = (date: string, items: readonly ItemEntry[]) =>
    (items.length > 0 || shown.isEditable) &&
    html`<ul${shown.isEditable && html` data-date="${date}"`}>${items.map((item) => itemHtml(call, shown, item, property, date))}</ul>`
  const day = (date: string | undefined): Html =>
    date === undefined
      ? html`<td class="out"></td>`
      : html`<td${date === formats.today && html` class="today"`}>${dayNumberHtml(call, shown, property, date)}${list(date, byDay.get(date) ?? [])}</td>`
  const noDate = list('', undated.slice(0, UNDATED_SHOWN))
  const unseen = undated.length - UNDATED_SHOWN
  const more = shown.answer.pagination?.remaining ?? 0
  return html`<section class="month"${shown.isEditable && html` data-calendar="${shown.id}" data-key-of="${property.key}"`} aria-label="${property.name}, ${formats.month(month)}"><div class="months">${step(first - 5 * DAY_MS, text('Earlier'))}<b>${formats.month(month)}</b>${step(first + 35 * DAY_MS, text('Later'))}</div>
<div class="wide" tabindex="0" role="group" aria-label="Days"><table><thead><tr><td class="week"></td>${weekdays.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${weeks.map((week, index) => html`<tr><th scope="row" class="week" aria-label="Week ${numbers[index] ?? ''}">${numbers[index]}</th>${week.map(day)}</tr>`)}</tbody></table></div>${mayAddRows(call, shown) && hidingFiltersHtml(call, shown)}
${noDate !== false && html`<div class="no-date"><p class="group">No date <span class="n">${formats.number(undated.length)}</span></p>${noDate}${unseen > 0 && html`<p class="more">${formats.number(unseen)} more</p>`}</div>`}
${more > 0 && html`<p class="more">${formats.number(more)} more are not shown. A view with filters shows fewer.</p>`}</section>`
}

/** The number of a day, with a link that adds a row on it. */
function dayNumberHtml(call: PageCall, shown: CollectionView, { key }: PropertyEntry, date: string): Html {
  const number = html`<span class="day-number">${Number(date.slice(8))}</span>`
  if (!mayAddRows(call, shown)) return number
  const label = text('New row on {date}', { date: call.formats.longDay(date) })
  return html`${number}${newRowLink(call, shown, call.icon('plus'), { variant: 'new-on-day', label, own: new Map([[`v.${key}`, date]]) })}`
}

function itemHtml(
  call: PageCall,
  { isEditable }: CollectionView,
  { id, title, properties }: ItemEntry,
  { key }: PropertyEntry,
  date: string,
): Html {
  const handle =
    isEditable &&
    html` id="item-${id}-${date}" data-item="${id}" data-value="${JSON.stringify(properties[key] ?? null)}"`
  return html`<li${handle}><a href="${call.links.block(id)}">${shownTitle(title)}</a></li>`
}

/** The items of each day of a month. */
function itemsByDay(items: readonly ItemEntry[], key: string, days: readonly string[]): Map<string, ItemEntry[]> {
  const byDay = new Map<string, ItemEntry[]>()
  for (const item of items) {
    const { start, end } = rangeOf(item.properties[key])
    for (const day of days) if (start <= day && day <= end) addToGroup(byDay, day, item)
  }
  return byDay
}

/** The first and the last day of a value; both empty without one. */
function rangeOf(value: unknown): { start: string; end: string } {
  if (typeof value === 'string') return { start: value, end: value }
  const { start = '', end = '' } = (value ?? {}) as { start?: string; end?: string }
  return { start, end: end || start }
}
