/** Shows a collection as a board, with a column of cards for each group. */

import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { GroupEntry, PropertyType } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { type Board, cardHtml } from './collection-card.ts'
import type { CollectionView, GroupValue } from './collection-entries.ts'
import { groupHeadingHtml, groupProperty, groupText, idOfGroup, itemsByGroup } from './collection-groups.ts'
import { hidingFiltersHtml, mayAddRows, newRowLink } from './new-row.ts'

/** Property types whose values can be set by moving a card. */
const IS_MOVABLE: Readonly<Record<PropertyType, boolean>> = {
  ...{ singleSelect: true, multiSelect: true, boolean: true, text: true, relation: true, blockLink: true },
  ...{ number: true, rating: true, date: false, url: false, email: false, phone: false, person: false },
}

export function boardHtml(call: PageCall, shown: CollectionView): Html {
  const key = shown.view?.groupBy[0]?.property ?? ''
  const property = groupProperty(shown)
  const isMovable = shown.isEditable && property !== undefined && IS_MOVABLE[property.type]
  // If the view sorts, cards have no order of their own.
  const isOrdered = isMovable && shown.rules.sortBy.length === 0 && call.has('blocks_move')
  const board: Board = { key, property, isMovable }
  const groups = itemsByGroup(shown.answer.items, key, groupsOf(shown, board))
  const mayAdd = mayAddRows(call, shown)
  const add = (group: GroupEntry) => {
    const value = textOfGroup(group.value)
    return newRowLink(call, shown, call.icon('plus', text('New|row')), {
      variant: 'button plain',
      label: text('New row in {group}', { group: groupText(group) }),
      own: new Map(value === undefined ? [] : [[`v.${key}`, value]]),
    })
  }
  return html`<div class="board-view wide" tabindex="0" role="group" aria-label="${shown.view?.name ?? text('Board')}"${
    isMovable &&
    html` data-board="${shown.id}" data-group-key="${key}" data-group-type="${property.type}"${isOrdered && html` data-ordered`}`
  }>${groups.map(({ group, items }) => {
    return html`<section><p class="group">${groupHeadingHtml(call, property, group)}</p><ul data-group="${JSON.stringify(group.value ?? null)}" data-name="${groupText(group)}">${items.map((item) => cardHtml(call, shown, item, board))}</ul>${mayAdd && add(group)}</section>
`
  })}</div>${mayAdd && hidingFiltersHtml(call, shown)}`
}

/** Groups that have items. If cards can be moved, also options without items, in the order of the view. */
function groupsOf({ view, answer }: CollectionView, { property, isMovable }: Board): GroupEntry[] {
  const groups = answer.groups ?? []
  const hidden = new Set(view?.kanban?.hiddenGroupValues)
  if (!isMovable) return groups.filter(({ value }) => !hidden.has(String(value)))
  const values: GroupValue[] =
    property?.type === 'boolean' ? [true, false] : (property?.options ?? []).map(({ name }) => name)
  const missing = values.filter((value) => !groups.some((group) => group.value === value))
  const all = [...groups, ...missing.map((value): GroupEntry => ({ ...(value !== undefined && { value }), count: 0 }))]
  if (property?.type !== 'boolean' && !all.some(({ value }) => value === undefined)) all.push({ count: 0 })
  const order = view?.kanban?.columnOrder ?? values.map(String)
  const placeOf = ({ value }: GroupEntry) => {
    const place = order.indexOf(String(value))
    return value === undefined ? order.length + 1 : place === -1 ? order.length : place
  }
  const shown = all.filter(({ value }) => !hidden.has(String(value)))
  // Without an order of their own, groups keep the order of the response.
  return order.length === 0 ? shown : shown.sort((one, other) => placeOf(one) - placeOf(other))
}

const textOfGroup = (value: GroupValue): string | undefined =>
  value === undefined ? undefined : typeof value === 'object' ? idOfGroup(value) : String(value)
