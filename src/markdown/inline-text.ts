/** Inline Markdown: the text of one block, in its normal form. */

import { shownCharacters, visibleText } from './inline/inline-node.ts'
import type { Definitions } from './inline/inline-token.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'

export { definitionKey } from './inline/characters.ts'
export type { Definitions }

/** What makes a text need parsing: markup, character references, and white space at the edges of lines. */
const MARKED = /[\\`*_$<&[\r]|~~|==|^[ \t\n]|[ \t]\n|\n[ \t\n]|[ \t\n]$/

/**
 * Texts that are already in normal form, in the style of most agents: bold, italic and code for whole words, and links
 * to plain addresses, each preceded by a space or the start of the text, and followed by a space, punctuation or the
 * end.
 */
const SIMPLE = simple()

function simple(): RegExp {
  const words = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N} ,.-]*[\\p{L}\\p{N}])?'
  const code = '[\\w.()/-]+'
  const address = 'https?:\\/\\/[\\w./-]+'
  const mark = `\\*\\*${words}\\*\\*|\\*${words}\\*|\`${code}\`|\\[${words}\\]\\(${address}\\)`
  const plain = '[\\p{L}\\p{N} ,.;:?!()\'"/-]'
  return new RegExp(`^(?! )(?:${plain}|(?<![^ ])(?:${mark})(?![^ ,.;:?!)]))*(?<! )$`, 'u')
}

/**
 * The normal form of inline Markdown, a fixed point: `_i_` becomes `*i*`, `==x==` a yellow highlight, a reference
 * link an inline one, and a character is escaped only where it would be read as markup. What stands at the
 * beginning of a line is taken as it is: the writer of blocks escapes there. `definitions` has the destinations
 * of reference links, by `definitionKey` of their label.
 *
 * @throws a validation error for an unknown highlight colour, and for tags that are unclosed or crossed.
 */
export function normalizeText(text: string, definitions?: Definitions): string {
  return MARKED.test(text) && !SIMPLE.test(text) ? writeInline(readInline(text, definitions)) : text
}

/** The normal form of a table cell, whose edges lose more white space than those of a line. A line end is a `<br>`. */
export function normalizeCell(text: string, definitions?: Definitions): string {
  return MARKED.test(text) || /^\s|\s$|\n/.test(text) ? writeInline(readInline(text, definitions), 'cell') : text
}

/**
 * The visible characters: labels of links, alternative texts of images, sources of formulas. A line break becomes `\n`.
 */
export function plainText(text: string): string {
  return MARKED.test(text) ? visibleText(readInline(text)) : text
}

/** Characters to parse at once: a few milliseconds of work, whatever they are. */
export const CHUNK_LENGTH = 6_000
/** Tags around text. */
export const TAGS = /<\/?(?:comment|highlight)\b[^<>]*>/g

/**
 * The visible characters of a text of any length, in chunks. In long texts, marks and links that cross chunks are shown
 * with their Markdown characters.
 */
export function* plainTextChunks(text: string): Generator<string> {
  if (text.length <= CHUNK_LENGTH) yield plainText(text)
  // Tags are removed, since they could be unclosed within a chunk.
  else for (const part of splitChunks(text.replace(TAGS, ''))) yield plainText(part)
}

/** The same for people: tags and comments are shown as they are written, so that nothing is hidden in a long text. */
export function* shownTextChunks(text: string): Generator<string> {
  for (const part of splitChunks(text.replace(TAGS, ''))) yield shownCharacters(readInline(part))
}

/** Splits a text into chunks that end between words, if possible. */
export function* splitChunks(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPart(text, from)
    yield text.slice(from, to)
    from = to
  }
}

/** Characters before the end of a chunk to search for a better place to split. */
const LOOKED_BACK = 1_000

/** Prefers white space, and the start of unclosed code, since everything after it would be read differently. */
function endOfPart(text: string, from: number): number {
  const most = from + CHUNK_LENGTH
  if (most >= text.length) return text.length
  const ticks = text.slice(from, most).match(/`+/g)?.length ?? 0
  const open = ticks % 2 === 1 ? text.lastIndexOf('`', most - 1) : most
  const to = open > most - LOOKED_BACK ? open : most
  const space = /\s\S*$/.exec(text.slice(Math.max(from, to - LOOKED_BACK), to))
  if (space !== null) return Math.max(from, to - LOOKED_BACK) + space.index + 1
  // Never between the two halves of a surrogate pair.
  return /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most
}
