/** How much a space stores: in words, and as a notice on every page once a quota is nearly used up. */
import { type ByteCounts, sumOfBytes } from '../../space/model/quota.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

/** The share of a quota from which on every page shows it. */
const NEARLY_USED = 0.9

/** What the space stores, and its quota. */
export function storageHtml(call: PageCall, counts: ByteCounts): Html {
  const { documents, history, files } = counts
  const { formats } = call
  const { space: quota } = call.request.caller.space.quotas ?? {}
  const limit = quota === undefined ? '' : text(' of {quota}', { quota: formats.bytes(quota) })
  return html`<p class="about">The space stores <b>${formats.bytes(sumOfBytes(counts))}</b>${limit}: ${formats.bytes(documents)} of documents, ${formats.bytes(history)} of history and ${formats.bytes(files)} of files.</p>`
}

/** Shown to links that reach the whole space, since it tells how much there is. */
export async function storageNoticeHtml(call: PageCall): Promise<Html | false> {
  const { space, link } = call.request.caller
  const { quotas } = space
  if (quotas === undefined || call.kind !== 'full') return false
  const { space: counts, links } = await space.storedBytes()
  const own = link.id === undefined ? undefined : links.get(link.id)
  const nearlyUsed = (sentence: TextKey, bytes: number, quota = Infinity): string | undefined =>
    bytes < quota * NEARLY_USED
      ? undefined
      : text(sentence, { used: call.formats.bytes(bytes), quota: call.formats.bytes(quota) })
  const used = [
    nearlyUsed(textKey('This space stores {used} of {quota}.'), sumOfBytes(counts), quotas.space),
    nearlyUsed(textKey('This link wrote {used} of {quota}.'), own === undefined ? 0 : sumOfBytes(own), quotas.link),
  ].filter((sentence) => sentence !== undefined)
  if (used.length === 0) return false
  return html`<div class="notice"><p>${used.join(' ')} Without room, only deleting and undo work. What was deleted counts as long as its history is kept.</p></div>`
}
