import { invalid } from '../../base/errors.ts'
import { BLOCK_TAG_NAMES, mayHoldTags, type TagName } from './block-tag-names.ts'
import { formatPlace } from './format-place.ts'
import { findTagsInText } from './tag-attributes.ts'

/** Written where a depth limit cuts off a tree, and for collections. They are not accepted as input. */
const OUTPUT_ONLY: ReadonlySet<string> = new Set(BLOCK_TAG_NAMES.slice(BLOCK_TAG_NAMES.indexOf('collection')))

/** What to do instead of writing a tag. A preview left out of a text that is written back would delete what it stands for. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    collection: 'make a collection with collections_add, and its items with items_add',
    contentPreview: 'read the page whole, without maxDepth, and write what it holds',
    itemsPreview: 'read the page whole, without maxDepth, and change items with items_update',
  }),
)

/** A tag at the level of blocks, with its closing tag. */
export interface BlockTag {
  name: TagName
  start: number
  end: number
  attributes: string
  line: number
  column: number
  parent: BlockTag | undefined
  /** Absent for a tag without a closing one, and for `<tag/>`. */
  close?: { start: number; end: number; line: number }
  kind: 'open' | 'close' | 'empty'
}

/**
 * The tags of a text that stand for blocks, by their offset. Tags inside code, after a backslash, or in the middle of a
 * line's text is text.
 *
 *     > - <callout>a</callout>
 *         ^         ^
 */
export function findTags(src: string): ReadonlyMap<number, BlockTag> {
  const tags = new Map<number, BlockTag>()
  if (!mayHoldTags(src)) return tags
  const open: BlockTag[] = []
  let fence: Fence | undefined
  let comment: Comment | undefined
  const lastEnd = src.lastIndexOf('-->')
  let line = 0
  for (let start = 0; start <= src.length; line++) {
    let end = src.indexOf('\n', start)
    if (end < 0) end = src.length
    const text = src.slice(start, end)
    // The end of a quote also ends a fence inside it.
    if (fence !== undefined && quoteMarks(text) < fence.quotes) fence = undefined
    if (comment !== undefined && quoteMarks(text) < comment.quotes) comment = undefined
    let from = 0
    if (comment !== undefined && text.includes('-->')) {
      from = text.indexOf('-->') + 3
      comment = undefined
    }
    if (fence !== undefined) {
      if (closes(text, fence)) fence = undefined
    } else if (comment === undefined) {
      if (from === 0) fence = fenceOf(text)
      if (fence === undefined && text.includes('<', from)) {
        const after = tagsOfLine(text, from, start, line, open, tags)
        if (start < lastEnd) comment = commentOf(text, after)
      }
    }
    start = end + 1
  }
  return tags
}

/** A comment that ends on a later line. What is in it is no tag. */
interface Comment {
  quotes: number
}

function commentOf(text: string, from: number): Comment | undefined {
  const isOpen = /^[ \t]*<!--(?!-?>)/.test(text.slice(from)) && !text.includes('-->', from)
  return isOpen ? { quotes: quoteMarks(text.slice(0, from)) } : undefined
}

interface Fence {
  mark: string
  quotes: number
}

function fenceOf(text: string): Fence | undefined {
  const [, prefix = '', mark, rest = ''] = FENCE.exec(text) ?? []
  if (mark === undefined || (mark.startsWith('`') && rest.includes('`'))) return undefined
  return { mark, quotes: quoteMarks(prefix) }
}

function closes(text: string, { mark, quotes }: Fence): boolean {
  const [, prefix = '', found = ''] = CLOSING_FENCE.exec(text) ?? []
  return found.startsWith(mark) && quoteMarks(prefix) === quotes
}

const quoteMarks = (text: string): number => (/^[ \t>]*/.exec(text)?.[0].match(/>/g) ?? []).length

// Each space is matched by one alternative alone, so that a long row of marks is passed in one way.
const PREFIX = /(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t])|(?<=[-+*][ \t]{1,4})\[[ xX-]\](?=[ \t]))*/y
const FENCE = /^((?:[ \t>]|(?:[-+*]|\d{1,9}[.)])(?=[ \t])|(?<=[-+*][ \t]{1,4})\[[ xX-]\](?=[ \t]))*)(`{3,}|~{3,})(.*)/
const CLOSING_FENCE = /^([ \t>]*)(`{3,}|~{3,})[ \t]*$/

/** @returns the index after the prefix of the line and the tags at its boundaries */
function tagsOfLine(
  text: string,
  from: number,
  offset: number,
  line: number,
  open: BlockTag[],
  tags: Map<number, BlockTag>,
): number {
  PREFIX.lastIndex = 0
  PREFIX.test(text)
  let boundary = Math.max(from, PREFIX.lastIndex)
  for (const { index: at, parts } of findTagsInText(text, boundary)) {
    const [all, , , slash, name = '', attributes = '', empty] = parts
    const atBoundary = text.slice(boundary, at).trim() === ''
    const tag: BlockTag = {
      name: name as TagName,
      start: offset + at,
      end: offset + at + all.length,
      attributes,
      line,
      column: at,
      parent: open.at(-1),
      kind: slash === '/' ? 'close' : empty === '/' ? 'empty' : 'open',
    }
    if (tag.kind === 'close') {
      const partner = open.at(-1)
      if (partner?.name === name) {
        partner.close = { start: tag.start, end: tag.end, line }
        open.pop()
      } else if (!atBoundary) continue
      tags.set(tag.start, tag)
    } else if (atBoundary) {
      if (tag.kind === 'open') open.push(tag)
      tags.set(tag.start, tag)
    } else if (name === 'pageTitle' && isPage(tag.parent)) throw titleNotFirst(tag)
    else continue
    boundary = at + all.length
  }
  return boundary
}

const isPage = (tag: BlockTag | undefined): boolean => tag?.name === 'page' || tag?.name === 'card'

const titleNotFirst = ({ line, column }: BlockTag) =>
  invalid(
    `Expected <pageTitle> first in its page, found it at ${formatPlace(line, column)} after other content; move it before that.`,
  )

export const unclosed = ({ name, line, column }: BlockTag) =>
  invalid(
    `Expected </${name}> for the <${name}> at ${formatPlace(line, column)}, found none; close it, inner tags first, or write \\<${name}> for plain text.`,
  )

/**
 * @param isFirst whether nothing of its page came before it
 * @throws VALIDATION_ERROR for a tag that cannot stand where it does
 */
export function assertTag(tag: BlockTag, isFirst: boolean): void {
  const { name, kind, parent, close } = tag
  const where = formatPlace(tag.line, tag.column)
  if (OUTPUT_ONLY.has(name)) {
    throw invalid(
      `Expected Markdown to write, found <${name}> at ${where}, which is output only; ${INSTEAD.get(name) ?? 'add items to a collection with items_add, and change them with items_update'}.`,
    )
  }
  if (kind === 'close') {
    throw invalid(
      `Expected a tag that opens it, found </${name}> at ${where}; open it before, or write \\</${name}> for plain text.`,
    )
  }
  if (kind === 'open' && close === undefined) throw unclosed(tag)
  if ((name === 'pageTitle' || name === 'content') && !isPage(parent)) {
    throw invalid(
      `Expected <${name}> directly inside <page> or <card>, found it at ${where}; put it there, or write \\<${name}> for plain text.`,
    )
  }
  if (name === 'pageTitle' && !isFirst) throw titleNotFirst(tag)
}
