/** A title: one line of text, with its marks as ranges over its characters. */

import { invalid } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { TITLE_MARKDOWN_LENGTH } from '../base/limits.ts'
import { autolinkDestination } from './inline/autolink.ts'
import { allowedTag, commentText } from './inline/html-tags.ts'
import {
  BOLD,
  type ContainerNode,
  type InlineNode,
  ITALIC,
  isContainer,
  type LeafNode,
  STRIKE,
  visibleText,
} from './inline/inline-node.ts'
import { shortCommentId, toHighlightColor } from './inline/inline-tag.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'
import { CHUNK_LENGTH, plainTextChunks } from './inline-text.ts'
import { BLOCK_LINK, DATE_LINK } from './text-addresses.ts'

/** A mark on the characters from `start` to `end` (exclusive), in UTF-16 code units of the value. */
export type TitleAttribute = { start: number; end: number } & Mark

type Mark =
  | { type: 'link'; url: string }
  | { type: 'blockLink'; blockId: string }
  | { type: 'dateLink'; date: string }
  | { type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'formula' }
  | { type: 'highlight'; color: string }
  | { type: 'commentMarker'; markerId: string }

export interface Title {
  value: string
  attributes: TitleAttribute[]
}

const BITS = { italic: ITALIC, bold: BOLD, strikethrough: STRIKE } as const
/** Maximum number of links, highlights and comments on one character. Deeper ones could not be parsed again. */
const MAX_DEPTH = 50
/** Each attribute is compared with the edges of all others: for this many, within a few milliseconds. */
const MAX_ATTRIBUTES = 300

/** Parses inline Markdown as a title. Attributes are sorted by their start, longer ones first. */
export function readTitle(text: string): Title {
  const title: Title = { value: '', attributes: [] }
  collect(readInline(text), title)
  return { value: title.value, attributes: joined(title.attributes) }
}

/**
 * Writes a title as inline Markdown. Overlapping marks are split and nested. Of two links on the same characters, the
 * later one is used; likewise for code and formulas.
 *
 * @throws VALIDATION_ERROR for an empty range or one outside of the value, an unknown color, a formula that no fence
 *   can contain, and too many attributes
 */
export function writeTitle({ value, attributes }: Title): string {
  if (attributes.length > MAX_ATTRIBUTES) {
    throw invalid(
      `Expected at most ${MAX_ATTRIBUTES} attributes of a title, found ${attributes.length}; join those that touch, or leave some out.`,
    )
  }
  for (const attribute of attributes) check(attribute, value)
  return writeInline(nest(segmentsOf(value.replace(/[\r\n]/g, ' '), attributes)))
}

/** The visible text of a title, on one line. */
export const plainTitle = (text: string): string =>
  MARKED.test(text) ? visibleText(readInline(text)).replaceAll('\n', ' ') : text

/** The visible text on one line. If it is longer than a title can be, only its beginning. */
export function truncateTitle(text: string): string {
  const [first = ''] = plainTextChunks(text)
  return `${first.replaceAll('\n', ' ')}${text.length > CHUNK_LENGTH ? '…' : ''}`
}

/**
 * Checks a title before it is stored. Lists parse a thousand titles, each in one go. Comment tags do not count, so that
 * a stored title with comments can still be written back.
 *
 * @throws VALIDATION_ERROR for Markdown that exceeds the limits of a title
 */
export function assertTitle(text: string): string {
  if (text.length <= TITLE_MARKDOWN_LENGTH) return text
  const { length } = text.replace(COMMENT_TAG, '').replace('</comment>', '')
  if (length <= TITLE_MARKDOWN_LENGTH) return text
  throw invalid(
    `Expected a title of at most ${formatNumber(TITLE_MARKDOWN_LENGTH)} characters of Markdown, found ${formatNumber(length)}; put long texts into content.`,
  )
}

/** With an ID of maximum length. */
const COMMENT_TAG = /<comment id="[\w-]{1,36}">/

/** A title that shows exactly these characters. Line breaks become spaces. */
export function titleFromPlain(plain: string): string {
  if (!MARKED.test(plain)) return plain
  return writeInline([{ kind: 'text', text: plain.replace(/[\r\n]+/g, ' '), marks: 0 }])
}

/** A link that shows exactly these characters, with line breaks as spaces. A list contains thousands of them. */
export function formatLink(url: string, plain: string): string {
  if (!MARKED.test(plain) && !plain.includes(']')) return `[${plain}](${url})`
  const text = plain.replace(/[\r\n]+/g, ' ')
  return writeInline([{ kind: 'link', url, title: '', marks: 0, spans: [{ kind: 'text', text, marks: 0 }] }])
}

/** What can make a text show other characters than its own. */
const MARKED = /[\\`*_$<&[\r\n]|~~|==|^[ \t]|[ \t]$/

function collect(spans: readonly InlineNode[], title: Title): void {
  for (const span of spans) {
    const start = title.value.length
    const found: Mark[] = []
    for (const type of ['bold', 'italic', 'strikethrough'] as const) if (span.marks & BITS[type]) found.push({ type })
    if (isContainer(span)) found.push(markOf(span))
    else {
      title.value += charactersOf(span)
      if (span.kind === 'code' || span.kind === 'formula') found.push({ type: span.kind })
      if (span.kind === 'autolink') found.push(linkOf(autolinkDestination(span.text)))
    }
    // Its place in the list precedes its contents, but its end is only known afterwards.
    const ranges = found.map((mark) => ({ start, end: start, ...mark }))
    title.attributes.push(...ranges)
    if (isContainer(span)) collect(span.spans, title)
    for (const range of ranges) range.end = title.value.length
  }
}

/** Tags are part of a title as their characters, since no mark stands for them. */
function charactersOf(span: InlineNode): string {
  if (span.kind === 'html') return span.source
  return span.kind === 'break' ? ' ' : visibleText([span]).replaceAll('\n', ' ')
}

function markOf(span: ContainerNode): Mark {
  if (span.kind === 'highlight') return { type: 'highlight', color: span.color }
  if (span.kind === 'comment') return { type: 'commentMarker', markerId: span.id }
  return linkOf(span.url)
}

function linkOf(url: string): Mark {
  if (url.startsWith(BLOCK_LINK)) return { type: 'blockLink', blockId: url.slice(BLOCK_LINK.length) }
  if (url.startsWith(DATE_LINK)) return { type: 'dateLink', date: url.slice(DATE_LINK.length) }
  return { type: 'link', url }
}

/** Joins adjacent equal marks, and drops empty ones. */
function joined(attributes: readonly TitleAttribute[]): TitleAttribute[] {
  const last = new Map<string, TitleAttribute>()
  const kept: TitleAttribute[] = []
  for (const attribute of attributes.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (attribute.start === attribute.end) continue
    const key = keyOf(attribute)
    const before = last.get(key)
    if (before && attribute.start <= before.end) before.end = Math.max(before.end, attribute.end)
    else {
      last.set(key, attribute)
      kept.push(attribute)
    }
  }
  return kept.sort((a, b) => a.start - b.start || b.end - a.end)
}

function check({ start, end, type }: TitleAttribute, value: string): void {
  const inside = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end && end <= value.length
  if (!inside) {
    throw invalid(
      `Expected start and end of a title attribute within 0 and ${value.length}, start before end, found ${start} and ${end} of ${type}; count UTF-16 code units of the value.`,
    )
  }
  for (const place of [start, end]) {
    if (/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(value.slice(place - 1, place + 1))) {
      throw invalid(
        `Expected start and end of a title attribute between characters, found ${place} of ${type} inside of ${value.slice(place - 1, place + 1)}; count UTF-16 code units of the value, of which such a character has two.`,
      )
    }
  }
}

/**
 * A range of characters with the same marks. `holders` are the links, highlights and comments on them, in the given
 * order. A holder that continues from the previous segment is the same object.
 */
interface Segment {
  leaf: LeafNode & { marks: number }
  holders: Mark[]
}

function segmentsOf(value: string, attributes: readonly TitleAttribute[]): Segment[] {
  const ends = attributes.flatMap(({ start, end }) => [start, end])
  const places = [...new Set([0, value.length, ...ends])].sort((a, b) => a - b)
  let before = new Map<string, Mark>()
  return places.slice(0, -1).map((start, index) => {
    const text = value.slice(start, places[index + 1])
    const active = attributes.filter((attribute) => attribute.start <= start && start < attribute.end)
    const holders = new Map<string, Mark>()
    const link = active.findLast(isLink)
    for (const attribute of active) {
      if (!isHolder(attribute) || (isLink(attribute) && attribute !== link)) continue
      const key = keyOf(attribute)
      holders.set(key, before.get(key) ?? attribute)
    }
    if (holders.size > MAX_DEPTH) {
      throw invalid(
        `Expected at most ${MAX_DEPTH} links, highlights and comments over one character of a title, found ${holders.size}; leave some out.`,
      )
    }
    before = holders
    return { leaf: leafOf(text, active), holders: [...holders.values()] }
  })
}

function leafOf(text: string, active: readonly TitleAttribute[]): Segment['leaf'] {
  let marks = 0
  let leaf: LeafNode = { kind: 'text', text }
  for (const { type } of active) {
    if (type === 'bold' || type === 'italic' || type === 'strikethrough') marks |= BITS[type]
    if (type === 'code') leaf = { kind: 'code', text }
    if (type === 'formula') leaf = { kind: 'formula', text, fence: '$' }
  }
  return { ...leaf, marks }
}

/** A key that is equal for attributes with the same meaning. */
function keyOf({ start: _, end: __, ...mark }: TitleAttribute): string {
  return JSON.stringify(Object.entries(mark).sort())
}

const isLink = ({ type }: Mark) => type === 'link' || type === 'blockLink' || type === 'dateLink'
const isHolder = (mark: Mark) => isLink(mark) || mark.type === 'highlight' || mark.type === 'commentMarker'

/** Nests segments in the links, highlights and comments on them, with the longest ones outermost. */
function nest(segments: readonly Segment[]): InlineNode[] {
  const spans: InlineNode[] = []
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at]
    if (!segment) break
    let end = at
    let chosen: Mark | undefined
    for (const holder of segment.holders) {
      let until = at + 1
      while (segments[until]?.holders.includes(holder)) until++
      if (until > end) {
        end = until
        chosen = holder
      }
    }
    if (!chosen) spans.push(...tagsIn(segment.leaf))
    else {
      const held = segments
        .slice(at, end)
        .map((each) => ({ ...each, holders: each.holders.filter((one) => one !== chosen) }))
      spans.push(hold(chosen, nest(held)))
      at = end - 1
    }
  }
  return spans
}

/** The tags and comments in a text of a title as they are, and what is between them. */
function tagsIn(leaf: Segment['leaf']): InlineNode[] {
  const { kind, marks } = leaf
  if (kind !== 'text' || !leaf.text.includes('<')) return [leaf]
  return leaf.text
    .split(HTML)
    .filter((text) => text !== '')
    .map((text) => {
      const isKept = text.startsWith('<') && (commentText(text) !== '' || allowedTag(text) !== undefined)
      return isKept ? { kind: 'html', source: text, marks } : { kind: 'text', text, marks }
    })
}

const HTML = /(<!--(?:(?!-->).)*-->|<\/?[A-Za-z][^<>]*>)/

/**
 * Moves a mark on the entire content of a container to the container, so that `**[a](u)**` joins with bold text on both
 * sides.
 */
function hold(mark: Mark, held: readonly InlineNode[]): InlineNode {
  const marks = held.reduce((common, span) => common & span.marks, ITALIC | BOLD | STRIKE)
  const spans = held.map((span) => ({ ...span, marks: span.marks & ~marks }))
  return { ...holderOf(mark, spans), marks }
}

function holderOf(mark: Mark, spans: InlineNode[]): ContainerNode {
  switch (mark.type) {
    case 'highlight':
      return { kind: 'highlight', color: toHighlightColor(mark.color), spans }
    case 'commentMarker':
      return { kind: 'comment', id: shortCommentId(mark.markerId), spans }
    case 'blockLink':
      return { kind: 'link', url: BLOCK_LINK + mark.blockId, title: '', spans }
    case 'dateLink':
      return { kind: 'link', url: DATE_LINK + mark.date, title: '', spans }
    case 'link':
      return { kind: 'link', url: mark.url, title: '', spans }
    case 'bold':
    case 'italic':
    case 'strikethrough':
    case 'code':
    case 'formula':
      throw new Error(`Expected a mark that holds others, found ${mark.type}.`)
  }
}
