/** An item as a card, in a gallery or on a board: its title and a few of its values, without their names. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { blockedHtml } from '../blocks/blocked-html.ts'
import { formLink } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ItemEntry, PropertyEntry } from '../page-tools.ts'
import type { CollectionView } from './collection-entries.ts'
import { isFilled, valueHtml } from './collection-values.ts'
import { heldHtml } from './held-item.ts'

/** Maximum number of values, unless the view chooses which are shown. */
const VALUES_SHOWN = 3

/** The grouping of a board. */
export interface Board {
  key: string
  property: PropertyEntry | undefined
  /** True if cards can be moved between groups. */
  isMovable: boolean
}

/** @param board  the board that the card is on; a gallery has none */
export function cardHtml(call: PageCall, shown: CollectionView, item: ItemEntry, board?: Board): Html {
  const { id, isEditable, back } = shown
  const title = shownTitle(item.title)
  const edit = `/collections/${id}/items/${item.id}/edit`
  const acts =
    isEditable &&
    html`<div class="card-acts">${board?.isMovable === true && formLink(call, edit, html`Move<span class="hidden"> ${title}</span>`, { variant: '', query: { key: board.key }, back })}${formLink(call, edit, html`Edit<span class="hidden"> ${title}</span>`, { variant: '', back })}</div>`
  return html`<li class="item"${isEditable && html` id="item-${item.id}" data-item="${item.id}"`}${board?.property?.type === 'multiSelect' && html` data-value="${JSON.stringify(item.properties[board.key] ?? [])}"`}>${coverHtml(call, item)}<a href="${call.links.block(item.id)}"><b>${title}</b></a>${valuesHtml(call, shown, item, board)}${heldHtml(call, { action: `/collections/${id}/items/${item.id}/take-back`, ...(back !== undefined && { back }), mayChange: isEditable }, item.heldBy)}${blockedHtml(call.links, item.blockedBy)}${acts}</li>
`
}

/** The first picture in an item, of which the content was read. It says nothing that its title does not. */
function coverHtml({ links }: PageCall, { content = [] }: ItemEntry): Html | false {
  for (const { type, url = '', fileName = '' } of content) {
    const file = type === 'image' ? links.file(url, fileName) : undefined
    if (file !== undefined) return html`<img class="cover" src="${file}" alt="" loading="lazy">`
  }
  return false
}

function valuesHtml(call: PageCall, shown: CollectionView, item: ItemEntry, board: Board | undefined): Html | false {
  const filled = cardColumns(shown).filter(
    (property) => property.key !== board?.key && isFilled(item.properties[property.key]),
  )
  const values = shown.showsAllValues || choosesFields(shown) ? filled : filled.slice(0, VALUES_SHOWN)
  if (values.length === 0) return false
  // A box that is ticked is shown by its name.
  const value = (property: PropertyEntry) =>
    property.type === 'boolean'
      ? html`<span class="tag">${property.name}</span>`
      : valueHtml(call, property, item.properties[property.key], shown.titles)
  return html`<dl>${values.map((property) => html`<div title="${property.name}"><dt class="hidden">${property.name}</dt><dd>${value(property)}</dd></div>`)}</dl>`
}

const cardFields = ({ view }: CollectionView) => (view?.type === 'kanban' ? view.kanban : view?.gallery)

/** True if the view says which values its cards have. */
function choosesFields(shown: CollectionView): boolean {
  const fields = cardFields(shown)
  return fields?.showsAllFields === true || (fields?.visibleFields?.length ?? 0) > 0
}

/** The properties that cards show, in order: those that the view chooses, or those with columns. */
function cardColumns(shown: CollectionView): readonly PropertyEntry[] {
  const { visibleFields = [], showsAllFields } = cardFields(shown) ?? {}
  if (visibleFields.length === 0 || showsAllFields) return shown.columns
  return visibleFields.flatMap(
    ({ propertyKey }) => shown.schema.properties.find(({ key }) => key === propertyKey) ?? [],
  )
}
