/** Pure functions that extract the editable text of a block from its Markdown, and put it back. */
import { withPrefixes } from '../../../markdown/block-prefixes.ts'
import { escapeLines } from '../../../markdown/blocks/block-escapes.ts'
import { BLOCK_TAG_NAMES } from '../../../markdown/blocks/block-tag-names.ts'
import { writeCodeBlock } from '../../../markdown/blocks/code-block.ts'
import { headingMark, headingText } from '../../../markdown/blocks/heading.ts'
import { type PrefixFields, textWithoutPrefix } from '../../../markdown/text-without-prefix.ts'

/** The properties that determine the look of a block, apart from its text. */
export interface Fields extends PrefixFields {
  language?: string
  info?: string
  /** Fields of a copied block beside its Markdown, with which the copy is added. */
  details?: Details
}

/** The look of a block, and the dates of a task. */
export interface Details {
  taskInfo?: object
  [field: string]: unknown
}

/** Spaces per level of indentation. */
const SPACES_PER_LEVEL = 2
/** The Markdown with which calls write an empty text. */
export const NO_TEXT = '<br>'

/** Extracts the editable text: inline Markdown, a table, or code without its fence. */
export function editableText(markdown: string, fields: Fields): string {
  const text = textWithoutPrefix(markdown, fields)
  if (fields.type !== 'code') return text
  return text.replace(/^.*\n?/, '').replace(/\n?.*$/, '')
}

/** The delimiter row of a table, below its header. */
const DELIMITER_ROW = /^( *)\|.*\n *\|(?: :?-+:? \|)+(?:\n|$)/

/** The fields of a block that is gone, as far as its Markdown tells what it was: a table, or text. */
export function fieldsIn(markdown: string): Fields {
  const [, spaces] = DELIMITER_ROW.exec(markdown) ?? []
  if (spaces === undefined) return { type: 'text' }
  const indentationLevel = spaces.length / SPACES_PER_LEVEL
  return { type: 'table', ...(indentationLevel && { indentationLevel }) }
}

/** Builds the Markdown of a block with this text. Escapes text that would start another kind of block. */
export function markdownFor(fields: Fields, content: string): string {
  const { type, textStyle, taskInfo, language, info, details: _, ...prefix } = fields
  const block = { ...prefix, type, ...(textStyle && { textStyle }), ...(taskInfo && { taskInfo }) }
  if (type === 'table') return withPrefixes(block, content)
  if (type === 'code')
    return withPrefixes(block, writeCodeBlock({ text: content, ...(language && { language }), ...(info && { info }) }))
  const text = escapeTags(normalLines(content)).replace(LONE_LINK, '$1<$2>)')
  const mark = headingMark(textStyle)
  return withPrefixes(block, mark === '' ? escapeLines(text) : mark + headingText(text)) || NO_TEXT
}

/** Joins the Markdown of blocks that are copied together. The indentation that all of them have is left out. */
export function joinedMarkdown(blocks: readonly { markdown: string; level: number }[]): string {
  const spaces = SPACES_PER_LEVEL * Math.min(...blocks.map(({ level }) => level))
  const shared = new RegExp(`^ {0,${spaces}}`, 'gm')
  return blocks.map(({ markdown }) => (markdown || NO_TEXT).replace(shared, '')).join('\n\n')
}

/** Trims each line, removes blank lines, and removes a trailing backslash. */
const normalLines = (text: string): string =>
  text
    .replace(/[ \t]*\n[ \t\n]*/g, '\n')
    .trim()
    .replace(/(?<!\\)(?:\\\\)*\\$/, '$&\\')

/** Escapes tags that would start a block. */
export const escapeTags = (text: string): string => text.replace(BLOCK_TAG, '\\$&')

/** Matches tags that would start a block of their own, unless they are escaped by an odd number of backslashes. */
const BLOCK_TAG = new RegExp(`(?<=(?<!\\\\)(?:\\\\\\\\)*)<(?=/?(?:${BLOCK_TAG_NAMES.join('|')})\\b)`, 'g')
/**
 * Matches a link or image that is alone in its block, which would become a card. Angle brackets around the address mark
 * it as text.
 */
const LONE_LINK = /^(!?\[(?:[^[\]\\]|\\.)*\]\()([^<>()\s]+)\)$/
