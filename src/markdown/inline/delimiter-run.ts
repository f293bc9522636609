/** Runs of `*`, `_`, `~` and `=`, with the CJK-friendly amendments to CommonMark. */

import MarkdownIt from 'markdown-it'
import { classOf, firstCharacter, flanking, LONGEST_CHARACTER, lastCharacter } from './characters.ts'

/**
 * What markdown-it knows while it reads a text, with another answer to what may open and close.
 *
 *     **注意：**正文
 *            ^ closes, although punctuation is before it and a letter behind
 */
export class InlineState extends MarkdownIt.StateInline {
  override scanDelims(start: number, canSplitWord: boolean) {
    const marker = this.src.charCodeAt(start)
    let end = start
    while (end < this.posMax && this.src.charCodeAt(end) === marker) end++
    const before = lastCharacter(this.src.slice(Math.max(0, start - LONGEST_CHARACTER), start))
    const after = end < this.posMax ? firstCharacter(this.src.slice(end, end + LONGEST_CHARACTER)) : ''
    const { opens, closes } = flanking(classOf(before), classOf(after), !canSplitWord)
    return { can_open: opens, can_close: closes, length: end - start }
  }
}
