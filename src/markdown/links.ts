/**
 * Links to blocks inside a text: `[label](block://ID)` and `<block://ID>`.
 *
 * A connection that does not reach the block a link leads to is shown `invalid:out_of_scope` in its place, and
 * gets the stored destination back when it writes the text again.
 */

import { grammar, tokensOf } from './inline/read.ts'

export const BLOCK_LINK = 'block://'
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
  const left = linksTo(stored, BLOCK_LINK)
  const take = (matches: (link: Found) => boolean): Found | undefined => {
    const index = left.findIndex(matches)
    return index < 0 ? undefined : left.splice(index, 1)[0]
  }
  for (const { url } of linksTo(text, BLOCK_LINK)) take((link) => link.url === url)
  const lost = linksTo(text, OUT_OF_SCOPE).map((link) => ({ link, by: take(({ label }) => label === link.label) }))
  return replaceAll(
    text,
    lost.flatMap(({ link, by }) => {
      const url = (by ?? take(() => true))?.url
      return url === undefined ? [] : [{ link, url }]
    }),
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
    const url = token.type === 'link_open' ? String(token.attrGet('href')) : ''
    if (!url.startsWith(prefix) || !token.map) return []
    // <block://1>    [label](block://1)
    // ^               ^    ^            the places that the parser noted
    const [start, labelEnd] = token.map
    if (token.markup === 'autolink') return [{ url, label: url, start: start + 1, end: start + 1 + url.length }]
    let at = labelEnd + 2
    while (/\s/.test(text.charAt(at))) at++
    const { pos: end } = grammar.helpers.parseLinkDestination(text, at, text.length)
    return [{ url, label: text.slice(start, labelEnd), start: at, end }]
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
