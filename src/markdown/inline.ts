/** Inline Markdown: the text of one block, in its normal form. */

import type { Definitions } from './inline/brackets.ts'
import { readSpans } from './inline/read.ts'
import { visible } from './inline/span.ts'
import { writeSpans } from './inline/write.ts'

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
export function normaliseText(text: string, definitions?: Definitions): string {
  return MARKED.test(text) && !SIMPLE.test(text) ? writeSpans(readSpans(text, definitions)) : text
}

/** The normal form of a cell of a table, whose edges lose more white space than those of a line. */
export function normaliseCell(text: string, definitions?: Definitions): string {
  return MARKED.test(text) || /^\s|\s$/.test(text) ? writeSpans(readSpans(text, definitions), 'cell') : text
}

/** The characters a reader sees: labels of links, alt of images, sources of formulas; a line break is `\n`. */
export function plainText(text: string): string {
  return MARKED.test(text) ? visible(readSpans(text)) : text
}
