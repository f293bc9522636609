/** Mentions in comments: people type `@anna`, what is stored is `[@anna](person://ID)`, and pages show `@anna`. */

import { OUT_OF_SCOPE_ADDRESS, PERSON_SCHEME } from '../../markdown/addresses.ts'
import { type Html, html } from '../html.ts'
import { linkedText } from '../link-names.ts'
import type { PageCall } from '../page-call.ts'
import type { PageLinks } from '../page-links.ts'
import { refused } from '../page-refusal.ts'
import { text } from '../texts/text.ts'

/** A handle as it is typed: not in an address, in code, or in a mention that is stored already. */
const TYPED = /(?<![\p{L}\p{M}\p{N}_@/.`[-])@([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)/gu
/** A mention as it is stored. For a connection that does not know the member, the address is another. */
const STORED = new RegExp(`\\[(@(?:[^[\\]\\\\\\n]|\\\\.)*)\\]\\((?:${PERSON_SCHEME}[\\w-]+|${OUT_OF_SCOPE_ADDRESS})\\)`)
/** Handles of one comment that are looked up. */
const MOST_HANDLES = 20

const tooManyHandles = (found: number) =>
  refused(
    text('Expected a comment with at most {most} different @ handles, found {found}; divide it.', {
      most: MOST_HANDLES,
      found,
    }),
  )

/**
 * @returns the text with a mention in place of each handle of a member whom the connection knows
 * @throws VALIDATION_ERROR for more handles than are looked up: those after them would call no one
 */
export async function withMentions(call: PageCall, text: string): Promise<string> {
  const ids = new Map<string, string>()
  const handles = new Set([...text.matchAll(TYPED)].map(handleIn))
  if (handles.size > MOST_HANDLES) {
    throw tooManyHandles(handles.size)
  }
  for (const handle of handles) {
    const { items } = await call.run('members_list', { query: handle })
    const member = items.find((item) => item.handle === handle)
    if (member !== undefined) ids.set(handle, member.id)
  }
  return text.replace(TYPED, (...match) => {
    const id = ids.get(handleIn(match))
    return id === undefined ? match[0] : `[${match[0]}](${PERSON_SCHEME}${id})`
  })
}

/** Handles are stored in this form. */
const handleIn = ([, handle = '']: readonly unknown[]): string => String(handle).normalize('NFC').toLowerCase()

/** The text of a comment, which is plain apart from its mentions and its links to what is in the space. */
export function commentTextHtml(content: string, links: PageLinks): Html {
  // Every second part is the name in a mention.
  const parts = content.split(STORED)
  if (parts.length === 1) return linkedText(content, links)
  return html`${parts.map((part, index) => (index % 2 === 0 ? linkedText(part, links) : html`<b>${part.replace(/\\(.)/g, '$1')}</b>`))}`
}
