/** Shows who holds an item of a collection or a task. */

import { mustPropose } from '../../space/model/access.ts'
import { addressOf, buttonForm } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ItemEntry } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'

/** The holder. */
type Holder = Pick<NonNullable<ItemEntry['heldBy']>, 'name' | 'since' | 'until' | 'fence'> & {
  client?: string | undefined
}

/** The button that ends a claim: where its form goes, where it leads back to, and whether there is one. */
interface TakeBack {
  action: string
  back?: string
  mayChange: boolean
}

/** Who holds something since when, with a button for people who may take it back; false if it is free. */
export function heldHtml(
  call: PageCall,
  { action, back = addressOf(call), mayChange }: TakeBack,
  heldBy: Holder | undefined,
): Html | false {
  if (heldBy === undefined) return false
  const { name, client, since, until, fence } = heldBy
  const who = shownText(client === undefined ? name : `${name} (${client})`)
  const mayTakeBack = mayChange && call.has('items_claim') && !mustPropose(call.request.caller.link)
  const button = { action, label: text('Take it back'), back, fields: { fence: String(fence) } }
  return html`<div class="held">Held by <b dir="auto">${who}</b> since ${call.formats.moment(since)}, until ${call.formats.moment(until)}${mayTakeBack && buttonForm(call, button)}</div>`
}
