/**
 * Links to blocks inside a text: `[label](block://ID)` and `<block://ID>`.
 *
 * A connection that does not reach the block a link leads to is shown `invalid:out_of_scope` in its place, and
 * gets the stored destination back when it writes the text again.
 */

import { cellPlaces } from './cells.ts'
import { destinationOf } from './inline/autolink.ts'
import { leadsTo } from './inline/brackets.ts'
import { tokensOf } from './inline/grammar.ts'

export const BLOCK_LINK = 'block://'
export const DATE_LINK = 'date://'
export const OUT_OF_SCOPE = 'invalid:out_of_scope'

/** Where a text leads to a block. */
export interface BlockLink {
  /** As it is spelled there. */
  id: string
  /** From where to where its destination stands, with the brackets around it. */
  start: number
  end: number
}

/**
 * The links of a text to blocks, in order. None of those inside code, and of a table cell by cell: a backtick in one is
 * none beside one in another.
 */
export function blockLinks(text: string, isTable = false): BlockLink[] {
  if (!text.includes(BLOCK_LINK)) return []
  if (isTable) return cellPlaces(text).flatMap(linksInCell)
  return linksTo(text, BLOCK_LINK).map(({ url, start, end }) => ({ id: url.slice(BLOCK_LINK.length), start, end }))
}

const linksInCell = ({ cell, at }: { cell: string; at: number }): BlockLink[] =>
  blockLinks(cell).map(({ id, start, end }) => ({ id, start: at + start, end: at + end }))

/** The text with another destination for each of these links, which are in order, and otherwise byte for byte as it was. */
export function withDestinations(
  text: string,
  links: readonly BlockLink[],
  destinationOf: (id: string) => string,
): string {
  return replaceAll(
    text,
    links.map((link) => ({ link, url: destinationOf(link.id) })),
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
  const take = (queue: Iterator<Found> | undefined): Found | undefined => {
    const next = queue?.next().value
    if (next !== undefined) left.delete(next)
    return next
  }
  const byUrl = queues(left, ({ url }) => url)
  for (const { url } of linksTo(text, BLOCK_LINK)) take(byUrl.get(url))
  const byLabel = queues(left, ({ label }) => label)
  const lost = linksTo(text, OUT_OF_SCOPE).map((link) => ({ link, by: take(byLabel.get(link.label)) }))
  const rest = left.values()
  return replaceAll(
    text,
    lost.flatMap(({ link, by = rest.next().value }) => (by ? [{ link, url: by.url }] : [])),
  )
}

/** Each link is handed out once, since there may be tens of thousands of the same. */
function queues(links: Iterable<Found>, keyOf: (link: Found) => string): Map<string, Iterator<Found>> {
  const groups = Map.groupBy(links, keyOf)
  return new Map([...groups].map(([key, group]) => [key, group.values()]))
}

/** A link, and from where to where its destination stands in the text. */
interface Found {
  url: string
  label: string
  start: number
  end: number
}

function linksTo(text: string, prefix: string): Found[] {
  return tokensOf(text).flatMap((token): Found[] => {
    const { type, content, map } = token
    if (!map || (type !== 'link_open' && type !== 'autolink')) return []
    const { url } = type === 'autolink' ? { url: destinationOf(content) } : leadsTo(token)
    return url.startsWith(prefix) ? [{ url, label: content, start: map[0], end: map[1] }] : []
  })
}

function replaceAll(text: string, changes: readonly { link: { start: number; end: number }; url: string }[]): string {
  let written = ''
  let done = 0
  for (const { link, url } of changes) {
    written += text.slice(done, link.start) + url
    done = link.end
  }
  return written + text.slice(done)
}
