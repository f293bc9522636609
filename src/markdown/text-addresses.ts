/**
 * Addresses inside a text: where links and pictures lead, and `<address>`.
 *
 * A connection that does not reach the block or the member an address leads to is shown `invalid:out_of_scope` in its place, and
 * gets the stored destination back when it writes the text again.
 */

import { isUnsafeAddress, OUT_OF_SCOPE_ADDRESS, parseAddress } from './addresses.ts'
import { autolinkDestination } from './inline/autolink.ts'
import { decode } from './inline/character-reference.ts'
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
  /** Its range, including brackets around it. */
  start: number
  end: number
  /** True if it is displayed as an image. */
  isPicture: boolean
}

/** Browsers ignore tabs and line breaks in an address. */
const GAP = '(?:[\\t\\n\\r]|&#1[03];)*'
const gapped = (word: string): string => Array.from(word).join(GAP)
// In normal form: ](javascript:…, ](<javascript:… or <javascript:…
const RUNS = new RegExp(
  `(?:\\]\\(<?|<)(?:[\\0- ]|&#1[03];)*(?:${['javascript:', 'vbscript:', 'data:'].map(gapped).join('|')})`,
  'i',
)
const LEADS = new RegExp(`(?:${['block:', 'person:', 'scriptorium:', '/d/', '/open'].map(gapped).join('|')})`, 'i')

/** True if a normalized text may contain an address that is unsafe or leads to a block or a member. Most texts contain neither. */
export const mayContainUnsafe = (text: string): boolean => RUNS.test(text)
export const mayContainAddress = (text: string): boolean => LEADS.test(text)

/**
 * The addresses of an inline Markdown text, in order. Addresses inside code do not count. Tables are searched cell by
 * cell, since backticks in different cells do not match. Bare addresses in text do not count either.
 */
export const findAddresses = (text: string, isTable = false): TextAddress[] =>
  isTable ? tableCellPlaces(text).flatMap(addressesInCell) : linksIn(text)

const addressesInCell = ({ cell, at }: { cell: string; at: number }): TextAddress[] =>
  cell.includes(':') ? linksIn(cell).map((one) => ({ ...one, start: at + one.start, end: at + one.end })) : []

/**
 * The addresses of a plain text, in order: everything that is spelled like the address of a block or a member, and the targets of
 * possible links, since a client may turn the text into links. A whole text can be one address.
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
 * The addresses of a title, in order. A title is shown both with its marks and as plain text, so the addresses of both
 * count.
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
  '(?<bare>\\b(?:block|person):/{0,3}[\\w%-]{8}[^\\s<>()[\\]"\'`|]{0,2000}|\\b(?:scriptorium|https?)://[^\\s<>()[\\]"\'`|]{1,2000})',
]
/** Matches `](address`, `<address>`, and possible bare addresses of blocks and members. */
const PLAIN = new RegExp(PLACES.join('|'), 'gi')

/** Replaces the addresses at these ordered places, and leaves the rest byte for byte unchanged. */
export function replaceAddresses<Address extends TextAddress>(
  text: string,
  addresses: readonly Address[],
  shownFor: (address: Address) => string,
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

/** Restores the stored addresses that the author of a text could not see. */
export const restoreBlockLinks = (text: string, stored: string): string =>
  text.includes(OUT_OF_SCOPE_ADDRESS) && mayContainAddress(stored)
    ? restored(text, linksIn(text), stored, linksIn(stored))
    : text

/** The same for a title, as inline Markdown. */
export const restoreTitleLinks = (text: string, stored: string): string =>
  restoreAll(text, findTitleAddresses(text), stored, findTitleAddresses(stored))

/** The same for a plain text. */
export function restorePlainLinks(text: string, stored: string): string {
  if (!text.includes(OUT_OF_SCOPE_ADDRESS)) return text
  if (text === OUT_OF_SCOPE_ADDRESS && parseAddress(stored) !== undefined) return stored
  return restoreAll(text, findPlainAddresses(text), stored, findPlainAddresses(stored))
}

/** Restores each `invalid:out_of_scope`, whether or not it is a link. */
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
 * Replaces each `invalid:out_of_scope` by the address in `stored` that it stood for: first by label, then in order. An
 * address that the text contains itself is not used again. Marks without a match are kept.
 */
function restored(text: string, links: readonly Link[], stored: string, storedLinks: readonly Link[]): string {
  const left = new Set(storedLinks.filter(({ url }) => parseAddress(url) !== undefined))
  const next = (queue: Iterator<Link> | undefined): Link | undefined => {
    const next = queue?.next().value
    if (next !== undefined) left.delete(next)
    return next
  }
  const byUrl = queues(left, ({ url }) => url)
  for (const { url } of links) next(byUrl.get(url))
  const byLabel = queues(left, ({ label }) => label)
  const lost = links
    .filter(({ url }) => url === OUT_OF_SCOPE_ADDRESS)
    .map((link) => ({ link, by: next(byLabel.get(link.label)) }))
  const rest = left.values()
  const found = new Map(
    lost.flatMap(({ link, by = rest.next().value }) =>
      by ? [[link as TextAddress, spellingOf(by, stored)] as const] : [],
    ),
  )
  return replaceAddresses(text, [...found.keys()], (link) => found.get(link) ?? link.url)
}

/** The address, with its brackets if necessary. */
const spellingOf = ({ url, start, end }: Link, text: string): string =>
  /^[\w:/%.-]+$/.test(url) ? url : text.slice(start, end)

/** Each link is used once, since there may be tens of thousands of equal ones. */
function queues(links: Iterable<Link>, keyOf: (link: Link) => string): Map<string, Iterator<Link>> {
  const groups = Map.groupBy(links, keyOf)
  return new Map([...groups].map(([key, group]) => [key, group.values()]))
}

interface Link extends TextAddress {
  label: string
}

function linksIn(text: string): Link[] {
  return tokenizeInline(text).flatMap((token): Link[] => {
    if ((token.type !== 'link_open' && token.type !== 'autolink' && token.type !== 'image') || !token.place) return []
    const [start, end] = token.place
    if (token.type === 'autolink') {
      return [{ url: autolinkDestination(token.content), label: token.content, start, end, isPicture: false }]
    }
    const { url } = token
    return [
      token.type === 'image'
        ? { url, label: '', start, end, isPicture: true }
        : { url, label: token.label, start, end, isPicture: false },
    ]
  })
}
