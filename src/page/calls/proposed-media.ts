/** Files that a proposal would add, and pictures that it would put on whiteboards. */

import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ProposalItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'

/** Types of files that browsers show as pictures and that cannot run code. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
/** Addresses of pictures that browsers show. Nothing that a picture contains is run or loaded. */
const PICTURE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/

/** Whether there is anything to see, and the characters of what the page would contain. */
export function mediaOf({ files = [], steps = [] }: ProposalItem): { count: number; length: number } {
  const pictures = picturesIn(steps)
  return { count: files.length + pictures.length, length: pictures.join('').length }
}

export function mediaHtml(call: PageCall, { proposalId, state, files = [], steps = [] }: ProposalItem): Html | false {
  // The bytes of files are kept until the proposal is decided.
  const kept = state === 'waiting' ? files : []
  const pictures = picturesIn(steps)
  if (kept.length + pictures.length === 0) return false
  const filesHtml = kept.map(({ step, name, mediaType, size }) => {
    const href = call.href(`/waiting/${proposalId}/files/${step}/${encodeURIComponent(name)}`)
    const about = html`<a href="${href}">${shownText(name)}</a> ${mediaType}, ${call.formats.bytes(size)}`
    return html`<figure>${PICTURES.has(mediaType) && html`<img src="${href}" alt="${name}" loading="lazy">`}<figcaption>${about}</figcaption></figure>`
  })
  const picturesHtml = pictures.map(
    (address) =>
      html`<figure><img src="${address}" alt="Picture for a whiteboard"><figcaption>For a whiteboard</figcaption></figure>`,
  )
  return html`<div class="proposed-media">${filesHtml}${picturesHtml}</div>`
}

/** The addresses of all pictures that are sent with calls. */
function picturesIn(value: unknown): string[] {
  if (typeof value === 'string') return PICTURE_DATA.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(picturesIn)
}
