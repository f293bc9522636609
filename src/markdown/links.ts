/**
 * Links to blocks inside a text: `[label](block://ID)` and `<block://ID>`.
 *
 * A connection that does not reach the block a link leads to is shown `invalid:out_of_scope` in its place, and
 * gets the stored destination back when it writes the text again.
 */

import { destinationOf } from './inline/autolink.ts'
import { leadsTo } from './inline/brackets.ts'
import { tokensOf } from './inline/grammar.ts'

export const BLOCK_LINK = 'block://'
export const DATE_LINK = 'date://'
export const OUT_OF_SCOPE = 'invalid:out_of_scope'

/** The IDs that the text links to, in order, each as often as it stands there. None of those inside code. */
export function blockLinks(text: string): string[] {
  if (!text.includes(BLOCK_LINK)) return []
  return linksTo(text, BLOCK_LINK).map(idOf)
}

/**
 * The text with each destination `block://ID` replaced by the whole destination that `map` answers for the ID and
 * the label, and otherwise as it was, byte for byte.
 */
export function mapBlockLinks(text: string, map: (id: string, label: string) => string): string {
  if (!text.includes(BLOCK_LINK)) return text
  return replaceAll(
    text,
    linksTo(text, BLOCK_LINK).map((link) => ({ link, url: map(idOf(link), link.label) })),
  )
}

/**
 * The text with each `invalid:out_of_scope` replaced by the block destination it stood for in `stored`: that of
 * the same label first, then by order of those left. A destination that the text names itself is not given out
 * again. What matches nothing stays.
 */
export function restoreBlockLinks(text: string, stored: string): string {
  if (!text.includes(OUT_OF_SCOPE) || !stored.includes(BLOCK_LINK)) return text
  const left = new Set(linksTo(stored, BLOCK_LINK))
  const take = (queue: Found[] | undefined): Found | undefined => {
    const next = queue?.find((link) => left.has(link))
    if (next) left.delete(next)
    return next
  }
  const byUrl = Map.groupBy(left, ({ url }) => url)
  for (const { url } of linksTo(text, BLOCK_LINK)) take(byUrl.get(url))
  const byLabel = Map.groupBy(left, ({ label }) => label)
  const lost = linksTo(text, OUT_OF_SCOPE).map((link) => ({ link, by: take(byLabel.get(link.label)) }))
  const rest = [...left]
  return replaceAll(
    text,
    lost.flatMap(({ link, by = rest.shift() }) => (by ? [{ link, url: by.url }] : [])),
  )
}

/** A link, and from where to where its destination stands in the text. */
interface Found {
  url: string
  label: string
  start: number
  end: number
}

const idOf = ({ url }: Found) => url.slice(BLOCK_LINK.length)

function linksTo(text: string, prefix: string): Found[] {
  return tokensOf(text).flatMap((token): Found[] => {
    const { type, content, map } = token
    if (!map || (type !== 'link_open' && type !== 'autolink')) return []
    const { url } = type === 'autolink' ? { url: destinationOf(content) } : leadsTo(token)
    return url.startsWith(prefix) ? [{ url, label: content, start: map[0], end: map[1] }] : []
  })
}

function replaceAll(text: string, changes: readonly { link: Found; url: string }[]): string {
  let written = ''
  let done = 0
  for (const { link, url } of changes) {
    written += text.slice(done, link.start) + url
    done = link.end
  }
  return written + text.slice(done)
}
