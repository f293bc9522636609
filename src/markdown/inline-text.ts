/** Inline Markdown: the text of one block, in its normal form. */

import type { Definitions } from './inline/brackets.ts'
import { visibleText } from './inline/inline-node.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'

export { definitionKey } from './inline/characters.ts'
export type { Definitions }

/** What a text must hold, or be, to need reading: markup, references, and white space at the edges of a line. */
const MARKED = /[\\`*_$<&[\r]|~~|==|^[ \t\n]|[ \t]\n|\n[ \t\n]|[ \t\n]$/

/**
 * Words as agents write most of them, which are their own normal form: bold, italic and code of whole words, and links
 * to plain addresses, each with a space or the edge of the text before it, and a space, a stop or the edge behind it.
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

/** The normal form of a cell of a table, whose edges lose more white space than those of a line. */
export function normalizeCell(text: string, definitions?: Definitions): string {
  return MARKED.test(text) || /^\s|\s$/.test(text) ? writeInline(readInline(text, definitions), 'cell') : text
}

/** The characters a reader sees: labels of links, alt of images, sources of formulas; a line break is `\n`. */
export function plainText(text: string): string {
  return MARKED.test(text) ? visibleText(readInline(text)) : text
}

/** Characters whose marks are read in one go: some milliseconds, whatever they are. */
export const CHUNK_LENGTH = 6_000
/** Tags that stand around words. */
export const TAGS = /<\/?(?:comment|highlight)\b[^<>]*>/g

/**
 * The characters a reader sees of a text, however long, part by part. Of a long one marks and links that go on from one
 * part to the next are shown with their signs.
 */
export function* plainTextChunks(text: string): Generator<string> {
  if (text.length <= CHUNK_LENGTH) yield plainText(text)
  // In a part a tag may not stand open.
  else for (const part of splitChunks(text.replace(TAGS, ''))) yield plainText(part)
}

/** A text in parts that end between words, where it has any. */
export function* splitChunks(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPart(text, from)
    yield text.slice(from, to)
    from = to
  }
}

/** Characters before the end of a part that are looked through for a better one. */
const LOOKED_BACK = 1_000

/** At white space, where there is some: before code that is open there, since all that follows would be read otherwise. */
function endOfPart(text: string, from: number): number {
  const most = from + CHUNK_LENGTH
  if (most >= text.length) return text.length
  const ticks = text.slice(from, most).match(/`+/g)?.length ?? 0
  const open = ticks % 2 === 1 ? text.lastIndexOf('`', most - 1) : most
  const to = open > most - LOOKED_BACK ? open : most
  const space = /\s\S*$/.exec(text.slice(Math.max(from, to - LOOKED_BACK), to))
  if (space !== null) return Math.max(from, to - LOOKED_BACK) + space.index + 1
  // Not between the two halves of a character.
  return /[\udc00-\udfff]/.test(text[most] ?? '') ? most - 1 : most
}
