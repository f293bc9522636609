/** Renders a collection with one of its views: a table, cards, a board, or a month. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ItemEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { boardHtml } from './collection-board.ts'
import { monthHtml, monthOf } from './collection-calendar.ts'
import { cardHtml } from './collection-card.ts'
import { chartsHtml } from './collection-chart.ts'
import type { CollectionView, RowSuggestions } from './collection-entries.ts'
import { groupedItems, groupHeadingHtml, groupProperty } from './collection-groups.ts'
import { tableHtml } from './collection-table.ts'
import { mayAddRows, newRowLink } from './new-row.ts'
import { type AskedCalendar, readCollection } from './read-collection.ts'

/** Maximum number of items in a collection that is shown within a document. */
const ITEMS_IN_DOCUMENT = 20

interface EmbeddedCollection {
  isEditable: boolean
  /** The page to which its forms return. */
  back: string
  /** The document that it is part of. */
  documentId: string
  suggestions: RowSuggestions | undefined
}

/** A collection within a document: the first items of its active view, or a month of them. */
export async function collectionHtml(
  call: PageCall,
  id: string,
  { isEditable, back, documentId, suggestions }: EmbeddedCollection,
): Promise<Html> {
  const calendar = calendarIn(call, id, back)
  const address = { path: back, suffix: `-${id}`, fragment: itemsId(id) }
  const read = await readCollection(call, id, { limit: ITEMS_IN_DOCUMENT, calendar, isEditable, back, address })
  const shown = { ...read, suggestions }
  const isMonth = shown.calendar !== undefined
  const more = isMonth ? 0 : (shown.answer.pagination?.remaining ?? 0)
  const path = `/collections/${id}`
  // Tables, boards and months have links of their own, where the row will be.
  const add =
    (shown.view?.type === 'gallery' || isMonth) &&
    mayAddRows(call, shown) &&
    newRowLink(call, shown, html`${text('New row…')}`, { variant: 'button plain' })
  return html`<div class="collection">${collectionStyle(call)}<p class="collection-title"><a href="${call.href(path)}">${shownTitle(shown.schema.name)}</a></p>
<div id="${itemsId(id)}"${isEditable && html` data-items="${call.href(`${path}/embedded`, { back, document: documentId })}"`}>${viewHtml(call, shown)}</div>
${(more > 0 || add !== false) && html`<p class="more">${add}${more > 0 && html` <a href="${call.href(path)}">${call.formats.number(more)} more</a>`}</p>`}</div>`
}

/** The style of collections, which is loaded where one is shown. */
export const collectionStyle = (call: PageCall): Html =>
  html`<link rel="stylesheet" href="${assetPath(call.request.root, 'collections.css')}">`

/** The month is part of the page's address, which scripts can change without reloading. */
function calendarIn(call: PageCall, id: string, back: string): AskedCalendar {
  const [path = '', search] = back.split('?')
  const query = new URLSearchParams(search)
  const name = `month-${id}`
  const month = monthOf(call, query.get(name))
  const href = (wanted: string) => {
    query.set(name, wanted)
    return `${call.request.base}${path}?${query}#${itemsId(id)}`
  }
  return { month, href }
}

/**
 * The ID of the element that contains the items. If they are editable, scripts find it by `data-items`, which is the
 * address for reloading them.
 */
export const itemsId = (collectionId: string): string => `items-${collectionId}`

/** The items of a view or a month of them, below the chart of its calculations. */
export const viewHtml = (call: PageCall, shown: CollectionView): Html =>
  shown.calendar === undefined
    ? html`${chartsHtml(call, shown)}${itemsHtml(call, shown)}`
    : monthHtml(call, shown, shown.calendar)

/** The items as their view shows them. */
export function itemsHtml(call: PageCall, shown: CollectionView): Html {
  const isEmpty = shown.answer.items.length === 0
  if (isEmpty && !shown.isEditable) return html`<p class="empty">No items in this view.</p>`
  switch (shown.view?.type) {
    case 'kanban':
      return boardHtml(call, shown)
    case 'gallery':
      return isEmpty ? html`<p class="empty">No items in this view.</p>` : galleryHtml(call, shown)
    case 'table':
    case undefined:
      return tableHtml(call, shown)
  }
}

/** Cards, with a heading for each group. */
function galleryHtml(call: PageCall, shown: CollectionView): Html {
  const { groups, others } = groupedItems(shown)
  const cards = (items: readonly ItemEntry[]) =>
    items.length > 0 && html`<ul class="gallery">${items.map((item) => cardHtml(call, shown, item))}</ul>`
  return html`${groups.map(
    ({ group, items }) =>
      html`<p class="group">${groupHeadingHtml(call, groupProperty(shown), group)}</p>${cards(items)}`,
  )}${cards(others)}`
}
