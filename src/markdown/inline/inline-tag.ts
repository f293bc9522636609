/**
 * `<highlight color="red">…</highlight>` and `<comment id="…">…</comment>`: the inline tags with a meaning. For
 * other HTML, see html-tags.ts and link-tags.ts.
 */

import { invalid } from '../../base/errors.ts'
import { HIGHLIGHT_COLORS, type HighlightColor } from '../block.ts'
import { decode } from './character-reference.ts'
import type { CommentNode, HighlightNode } from './inline-node.ts'
import type { InlineState } from './inline-state.ts'
import type { Place } from './inline-token.ts'

const OPEN = /<(highlight|comment)((?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*>/y
const CLOSE = /<\/(highlight|comment)\s*>/y
const ATTRIBUTE = /([A-Za-z_:][\w:.-]*)(?:\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s"'=<>`]+)))?/g

/** The attribute of each tag. */
const TAKES: ReadonlyMap<string, string> = new Map(Object.entries({ highlight: 'color', comment: 'id' }))

interface Opened {
  name: string
  written: string
  level: number
}

/** The open tags at the parser's position, outermost first. */
const opened = new WeakMap<InlineState, Opened[]>()

/**
 * Reads an opening or a closing tag, and refuses one that crosses another or has no partner.
 *
 *     a <highlight color="red">b</highlight>
 *       ^
 */
export function readTag(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  const pattern = src[pos + 1] === '/' ? CLOSE : OPEN
  pattern.lastIndex = pos
  const found = pattern.exec(src)
  if (!found || pattern.lastIndex > state.end) return false
  const end = pattern.lastIndex
  const [written, name = '', attributes] = found
  if (!silent) {
    if (attributes === undefined) close(state, name)
    else open(state, name, written, attributes, [pos, end])
  }
  state.pos = end
  return true
}

/** Called at the end of a text: all tags must be closed. */
export const closeTags = (state: InlineState): void => closeFrom(state, 0, 'the end of the text')

/** Called at the end of a link, with the level inside it: all tags that opened in the link must be closed. */
export const closeTagsOfLink = (state: InlineState, level: number): void =>
  closeFrom(state, level, 'the edge of a link')

function closeFrom(state: InlineState, level: number, found: string): void {
  const left = opened.get(state)?.at(-1)
  if (left && left.level >= level) throw unclosed(left, found)
}

export function writeTag(span: HighlightNode | CommentNode): { open: string; close: string } {
  if (span.kind === 'highlight') return { open: `<highlight color="${span.color}">`, close: '</highlight>' }
  const id = span.id.replace(/[&"\r\n]/g, (found) => `&#${found.charCodeAt(0)};`)
  return { open: `<comment id="${id}">`, close: '</comment>' }
}

function open(state: InlineState, name: string, written: string, attributes: string, place: Place): void {
  const value = attribute(name, written, attributes)
  const tags = opened.get(state) ?? []
  opened.set(state, tags)
  tags.push({ name, written, level: state.level })
  if (name === 'highlight') state.open({ type: 'highlight_open', color: toHighlightColor(value) })
  else state.open({ type: 'comment_open', id: value, place })
}

function close(state: InlineState, name: string): void {
  const last = opened.get(state)?.pop()
  if (!last) {
    throw invalid(
      `Expected <${name}> before </${name}>, found none; open it in the same block, or write \\</${name}> for the characters themselves.`,
    )
  }
  if (last.name !== name) throw unclosed(last, `</${name}>`)
  // The tag opened before the link that it closes in: <highlight>a [b</highlight> c](u)
  if (state.level !== last.level + 1) throw unclosed(last, 'the edge of a link')
  state.close({ type: name === 'highlight' ? 'highlight_close' : 'comment_close' })
}

const unclosed = ({ name, written }: Opened, found: string) =>
  invalid(
    `Expected </${name}> after ${written}, found ${found} first; close the tag before, or write \\<${name}> for the characters themselves.`,
  )

/** The value of a tag's only attribute: a supported color, or the ID of a comment. */
function attribute(name: string, written: string, attributes: string): string {
  const takes = TAKES.get(name) ?? ''
  let value: string | undefined
  for (const [, key = '', single, double, bare] of attributes.matchAll(ATTRIBUTE)) {
    if (key !== takes) {
      throw invalid(`Expected no attribute but ${takes} in ${written}, found ${key}; leave ${key} out.`)
    }
    value ??= decode((single ?? double ?? bare ?? '').replaceAll('\\', '\\\\'))
  }
  if (name === 'highlight') return toHighlightColor(value ?? 'yellow')
  if (!value) {
    throw invalid(
      `Expected the ID of a comment in ${written}, found none; write <comment id="…"> with an ID that a read returned, or comments_add.`,
    )
  }
  return value
}

/** A UUID of version 8 that ends in the twelve digits of an ID: the long spelling of IDs, as REST writes them. */
const LONG_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-([1-9]\d{11})$/i

/** The ID of a comment as texts store it: the digits alone, also of a long ID. */
export const shortCommentId = (id: string): string => LONG_ID.exec(id)?.[1] ?? id

/** Validates a highlight color. */
export function toHighlightColor(name: string): HighlightColor {
  const found = HIGHLIGHT_COLORS.find((each) => each === name)
  if (!found) {
    throw invalid(
      `Expected a highlight color, one of ${HIGHLIGHT_COLORS.join(', ')}, found ${JSON.stringify(name)}; use one of them, or leave color out for yellow.`,
    )
  }
  return found
}
