/** What readers see of a text, as a flat list: the form in which a source and its result are compared. */

export const ITEM_KINDS = [
  'word',
  'number',
  'hashtag',
  'task',
  'date',
  'link',
  'image',
  'code',
  'language',
  'formula',
  'cell',
  'tag',
  'comment',
] as const
/**
 * - `word`, `number`: letters, and digits, that stand together. The numbers of lists are numbers.
 * - `hashtag`: `#name`.
 * - `task`: a check box, `todo` or `done`.
 * - `date`: a date of a task, or `repeat`.
 * - `link`, `image`: the address, or in a note what stands in double brackets.
 * - `code`: the text of a code block. `language`: all words after its fence.
 * - `formula`: the LaTeX between dollar signs.
 * - `cell`: the text of a table cell that is not empty.
 * - `tag`: the name of an HTML tag that Markdown has no marks for, such as `kbd`.
 * - `comment`: the text of an HTML comment.
 */
export type ItemKind = (typeof ITEM_KINDS)[number]

export interface VisibleItem {
  kind: ItemKind
  value: string
  /** The line of the text in which it stands, from 1. */
  line: number
}

/** Letters with their marks, digits, or one symbol, such as an emoji. */
const WORD = /\p{N}+(?![\p{L}\p{M}])|[\p{L}\p{M}\p{N}]+|\p{So}/gu
const HASHTAG = /(?<![\p{L}\p{N}\p{M}_/#&\\[(])#[\p{L}\p{N}\p{M}_/-]+/gu

/** The words, numbers and hashtags of plain text, in order. */
export function* visibleWords(text: string, line: number): Generator<VisibleItem> {
  for (const { found, line: at } of matches(WORD, text, line)) {
    yield { kind: /^\p{N}+$/u.test(found) ? 'number' : 'word', value: found.normalize('NFC'), line: at }
  }
  for (const { found, line: at } of matches(HASHTAG, text, line)) {
    yield { kind: 'hashtag', value: found.normalize('NFC'), line: at }
  }
}

/** All matches with their lines. Each line end is counted once. */
function* matches(pattern: RegExp, text: string, line: number): Generator<{ found: string; line: number }> {
  let from = 0
  let current = line
  for (const { 0: found, index } of text.matchAll(pattern)) {
    for (let end = text.indexOf('\n', from); end !== -1 && end < index; end = text.indexOf('\n', from)) {
      current++
      from = end + 1
    }
    yield { found, line: current }
  }
}
