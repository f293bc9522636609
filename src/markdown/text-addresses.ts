/**
 * Addresses inside a text: where links and pictures lead, and `<address>`.
 *
 * A connection that does not reach the block an address leads to is shown `invalid:out_of_scope` in its place, and
 * gets the stored destination back when it writes the text again.
 */

import { isUnsafeAddress, OUT_OF_SCOPE_ADDRESS, parseAddress } from './addresses.ts'
import { autolinkDestination } from './inline/autolink.ts'
import { linkDestination } from './inline/brackets.ts'
import { decode } from './inline/characters.ts'
import { tokenizeInline } from './inline/inline-grammar.ts'
import { tableCellPlaces } from './table-cells.ts'

export {
  BLOCK_SCHEME as BLOCK_LINK,
  DATE_SCHEME as DATE_LINK,
  OUT_OF_SCOPE_ADDRESS as OUT_OF_SCOPE,
} from './addresses.ts'

/** An address in a text. */
export interface TextAddress {
  url: string
  /** From where to where it stands, with the brackets around it. */
  start: number
  end: number
  /** Whether it is shown as a picture. */
  isPicture: boolean
}

/** Browsers ignore tabs and line ends in an address. */
const GAP = '(?:[\\t\\n\\r]|&#1[03];)*'
const gapped = (word: string): string => Array.from(word).join(GAP)
// As the normal form has it: ](javascript:…, ](<javascript:… or <javascript:…
const RUNS = new RegExp(
  `(?:\\]\\(<?|<)(?:[\\0- ]|&#1[03];)*(?:${['javascript:', 'vbscript:', 'data:'].map(gapped).join('|')})`,
  'i',
)
const LEADS = new RegExp(`(?:${['block:', 'scriptorium:', '/d/', '/open'].map(gapped).join('|')})`, 'i')

/** Whether a text in its normal form may have an address that runs something, or leads to a block: most have neither. */
export const mayContainUnsafe = (text: string): boolean => RUNS.test(text)
export const mayContainAddress = (text: string): boolean => LEADS.test(text)

/**
 * The addresses of an inline Markdown text, in order. None of those inside code, and of a table cell by cell: a backtick
 * in one is none beside one in another. An address that stands bare among the words is words.
 */
export const findAddresses = (text: string, isTable = false): TextAddress[] =>
  isTable ? tableCellPlaces(text).flatMap(addressesInCell) : linksIn(text)

const addressesInCell = ({ cell, at }: { cell: string; at: number }): TextAddress[] =>
  cell.includes(':') ? linksIn(cell).map((one) => ({ ...one, start: at + one.start, end: at + one.end })) : []

/**
 * The addresses of a plain text, in order: whatever is spelled as one of a block, and where links in it would lead, since
 * a client that shows such a text may make links of them. A whole text may be one address.
 */
export function findPlainAddresses(text: string): TextAddress[] {
  if (!text.includes(':') && !text.includes('&')) return []
  return Array.from(text.matchAll(PLAIN), ({ 0: whole, index, groups = {} }): TextAddress[] => {
    const { linked, angled, bare } = groups
    const spelled = linked ?? angled ?? bare?.replace(/[.,;:!?]+$/, '') ?? ''
    const start = index + whole.indexOf(spelled, linked === undefined ? 0 : whole.indexOf('(') + 1)
    const url = decode(spelled.replace(/^<|>$/g, ''))
    const counts = parseAddress(url) !== undefined || (bare === undefined && isUnsafeAddress(url))
    return counts ? [{ url, start, end: start + spelled.length, isPicture: false }] : []
  }).flat()
}

/**
 * The addresses of a title, in order: a title is shown with its marks and as plain words, so that those of both count.
 *
 * @param text  inline Markdown
 */
export function findTitleAddresses(text: string): TextAddress[] {
  const linked = findAddresses(text)
  const others = findPlainAddresses(text).filter(
    ({ start, end }) => !linked.some((address) => start < address.end && address.start < end),
  )
  return [...linked, ...others].sort((one, other) => one.start - other.start)
}

const PLACES = [
  '\\]\\(\\s{0,200}(?<linked><[^<>]{1,2000}>|[^\\s()<>]{1,2000})',
  '<(?<angled>[a-z][a-z\\t\\n\\r]{3,20}:[^<>]{0,2000})>',
  '(?<bare>\\bblock:/{0,3}[\\w%-]{8}[^\\s<>()[\\]"\'`|]{0,2000}|\\b(?:scriptorium|https?)://[^\\s<>()[\\]"\'`|]{1,2000})',
]
/** `](address`, `<address>`, and what may be the bare address of a block. */
const PLAIN = new RegExp(PLACES.join('|'), 'gi')

/** The text with other addresses at these places, which are in order, and otherwise byte for byte as it was. */
export function replaceAddresses(
  text: string,
  addresses: readonly TextAddress[],
  shownFor: (address: TextAddress) => string,
): string {
  let written = ''
  let done = 0
  for (const address of addresses) {
    const url = shownFor(address)
    if (url === address.url) continue
    written += text.slice(done, address.start) + url
    done = address.end
  }
  return written + text.slice(done)
}

/** A text as it is written, with the addresses that its reader was not shown as they are in `stored`. */
export const restoreBlockLinks = (text: string, stored: string): string =>
  text.includes(OUT_OF_SCOPE_ADDRESS) && mayContainAddress(stored)
    ? restored(text, linksIn(text), stored, linksIn(stored))
    : text

/** The same of a title, as inline Markdown. */
export const restoreTitleLinks = (text: string, stored: string): string =>
  restoreAll(text, findTitleAddresses(text), stored, findTitleAddresses(stored))

/** The same of a plain text. */
export function restorePlainLinks(text: string, stored: string): string {
  if (text === OUT_OF_SCOPE_ADDRESS && parseAddress(stored) !== undefined) return stored
  return restoreAll(text, findPlainAddresses(text), stored, findPlainAddresses(stored))
}

/** Restores wherever `invalid:out_of_scope` stands, as a link or not. */
function restoreAll(
  text: string,
  named: readonly TextAddress[],
  stored: string,
  storedNamed: readonly TextAddress[],
): string {
  if (!text.includes(OUT_OF_SCOPE_ADDRESS)) return text
  const shown = Array.from(text.matchAll(/invalid:out_of_scope/g), ({ 0: url, index }) => {
    return { url, start: index, end: index + url.length, isPicture: false, label: '' }
  })
  const others = named.filter(({ url }) => url !== OUT_OF_SCOPE_ADDRESS).map(labelled)
  return restored(text, [...shown, ...others], stored, storedNamed.map(labelled))
}

const labelled = (address: TextAddress): Link => ({ ...address, label: '' })

/**
 * Each `invalid:out_of_scope` becomes the address of a block that it stood for in `stored`: that of the same label first,
 * then by order of those left. An address that the text names itself is not given out again. What matches nothing stays.
 */
function restored(text: string, links: readonly Link[], stored: string, storedLinks: readonly Link[]): string {
  const left = new Set(storedLinks.filter(({ url }) => parseAddress(url) !== undefined))
  const take = (queue: Iterator<Link> | undefined): Link | undefined => {
    const next = queue?.next().value
    if (next !== undefined) left.delete(next)
    return next
  }
  const byUrl = queues(left, ({ url }) => url)
  for (const { url } of links) take(byUrl.get(url))
  const byLabel = queues(left, ({ label }) => label)
  const lost = links
    .filter(({ url }) => url === OUT_OF_SCOPE_ADDRESS)
    .map((link) => ({ link, by: take(byLabel.get(link.label)) }))
  const rest = left.values()
  const found = new Map(
    lost.flatMap(({ link, by = rest.next().value }) =>
      by ? [[link as TextAddress, spellingOf(by, stored)] as const] : [],
    ),
  )
  return replaceAddresses(text, [...found.keys()], (link) => found.get(link) ?? link.url)
}

/** With its brackets where it needs them. */
const spellingOf = ({ url, start, end }: Link, text: string): string =>
  /^[\w:/%.-]+$/.test(url) ? url : text.slice(start, end)

/** Each link is handed out once, since there may be tens of thousands of the same. */
function queues(links: Iterable<Link>, keyOf: (link: Link) => string): Map<string, Iterator<Link>> {
  const groups = Map.groupBy(links, keyOf)
  return new Map([...groups].map(([key, group]) => [key, group.values()]))
}

interface Link extends TextAddress {
  label: string
}

function linksIn(text: string): Link[] {
  return tokenizeInline(text).flatMap((token): Link[] => {
    const { type, content, map } = token
    if (!map || (type !== 'link_open' && type !== 'autolink' && type !== 'image')) return []
    const { url } = type === 'autolink' ? { url: autolinkDestination(content) } : linkDestination(token)
    return [{ url, label: content, start: map[0], end: map[1], isPicture: type === 'image' }]
  })
}
