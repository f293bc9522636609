/** Shows who holds an item of a collection, and what it waits for. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { mustPropose } from '../../space/model/access.ts'
import { addressOf, buttonForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ItemEntry } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import type { CollectionView } from './collection-entries.ts'

/** Who holds an item since when, with a button for people who may take it back; false if it is free. */
export function heldHtml(
  call: PageCall,
  { id, back = addressOf(call), isEditable }: Pick<CollectionView, 'id' | 'back' | 'isEditable'>,
  { id: item, heldBy }: ItemEntry,
): Html | false {
  if (heldBy === undefined) return false
  const { name, client, since, until, fence } = heldBy
  const who = shownText(client === undefined ? name : `${name} (${client})`)
  const mayTakeBack = isEditable && call.has('items_claim') && !mustPropose(call.request.caller.link)
  const action = `/collections/${id}/items/${item}/take-back`
  const button = { action, words: 'Take it back', back, fields: { fence: String(fence) } }
  return html`<div class="held">Held by <b dir="auto">${who}</b> since ${call.formats.moment(since)}, until ${call.formats.moment(until)}${mayTakeBack && buttonForm(call, button)}</div>`
}

/** What an item waits for, with links; false if it waits for nothing. */
export function blockedHtml(call: PageCall, { blockedBy = [] }: ItemEntry): Html | false {
  if (blockedBy.length === 0) return false
  const shown = blockedBy.slice(0, BLOCKERS_SHOWN)
  const more = blockedBy.length - shown.length
  return html`<div class="blocked">Blocked by ${shown.map(
    ({ id, title }, index) => html`${index > 0 && ', '}<a href="${call.links.block(id)}">${shownTitle(title)}</a>`,
  )}${more > 0 && html` and ${String(more)} more`}</div>`
}

const BLOCKERS_SHOWN = 5
