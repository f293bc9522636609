/** What a person edits of a block, taken out of its Markdown and put back, as functions of values alone. */
import { withPrefixes } from '../../../../markdown/block-prefixes.ts'
import { blockWords, type PrefixFields } from '../../../../markdown/block-words.ts'
import { escapeLines } from '../../../../markdown/blocks/block-escapes.ts'
import { BLOCK_TAG_NAMES } from '../../../../markdown/blocks/block-tag-names.ts'
import { writeCodeBlock } from '../../../../markdown/blocks/code-block.ts'
import { headingMark, headingText } from '../../../../markdown/blocks/heading.ts'

/** What says how a block looks, but for its words. */
export interface Fields extends PrefixFields {
  language?: string
}

/** Whether blocks with these fields look alike. */
export const isSameKind = (one: Fields, other: Fields): boolean => kindOf(one) === kindOf(other)

const kindOf = ({
  type,
  indentationLevel = 0,
  listStyle,
  textStyle,
  decorations,
  taskInfo,
  language,
}: Fields): string =>
  [
    ...[type, indentationLevel, listStyle, textStyle, language, listStyle === 'task' && taskInfo?.state],
    ...[decorations?.quote === true, decorations?.callout === true],
  ].join()

/** What stands in place of no words. */
const NO_WORDS = '<br>'

/** Inline Markdown, a table, or code without its fence. */
export function wordsIn(markdown: string, fields: Fields): string {
  const words = blockWords(markdown, fields)
  if (fields.type !== 'code') return words
  return words.replace(/^.*\n?/, '').replace(/\n?.*$/, '')
}

/** The Markdown of a block with these words, none of which begins another kind of block. */
export function markdownFor(fields: Fields, words: string): string {
  const { type, textStyle, taskInfo, language, ...prefix } = fields
  const block = { ...prefix, type, ...(textStyle && { textStyle }), ...(taskInfo && { taskInfo }) }
  if (type === 'table') return withPrefixes(block, words)
  if (type === 'code') return withPrefixes(block, writeCodeBlock({ type, text: words, ...(language && { language }) }))
  const text = escapeTags(normalLines(words)).replace(LONE_LINK, '$1<$2>)')
  const mark = headingMark(textStyle)
  return withPrefixes(block, mark === '' ? escapeLines(text) : mark + headingText(text)) || NO_WORDS
}

/** Lines without spaces around them and without blank ones between them, and no backslash before what follows the text. */
const normalLines = (words: string): string =>
  words
    .replace(/[ \t]*\n[ \t\n]*/g, '\n')
    .trim()
    .replace(/(?<!\\)(?:\\\\)*\\$/, '$&\\')

/** Words in which no tag begins a block. */
export const escapeTags = (words: string): string => words.replace(BLOCK_TAG, '\\$&')

/** A tag that would begin a block of its own, unless a backslash stands before it that none before escapes. */
const BLOCK_TAG = new RegExp(`(?<=(?<!\\\\)(?:\\\\\\\\)*)<(?=/?(?:${BLOCK_TAG_NAMES.join('|')})\\b)`, 'g')
/** A link or picture that stands alone would be a card. In angle brackets its address says that it is text. */
const LONE_LINK = /^(!?\[(?:[^[\]\\]|\\.)*\]\()([^<>()\s]+)\)$/
