import MarkdownIt, { type Token } from 'markdown-it'
import { MAX_INDENTATION } from '../block.ts'
import { type BlockTag, findTags } from './block-tags.ts'

/**
 * Where blocks are being read: what two spaces more would mean there.
 *
 *     - a            place of the item a: from 2, level 1
 *       b            b stands at `from`: level 1
 *         c          two spaces more: level 2
 */
export interface SourcePlace {
  kind: 'page' | 'item' | 'box'
  /** Column at which a block of this place begins. */
  from: number
  /** indentationLevel of a block that begins there. */
  level: number
  /** How many blocks have begun here. */
  count: number
  /** How many levels deeper than this place the last block here stood. */
  reach: number
  /** Whether the next block may stand at any level, and not only one deeper than the block before it. */
  free: boolean
}

/** The state of the block rules, with what our own rules need beside it. */
export class BlockState extends MarkdownIt.StateBlock {
  readonly tags: ReadonlyMap<number, BlockTag> = findTags(this.src)
  place: SourcePlace = { kind: 'page', from: 0, level: 0, count: 0, reach: 0, free: true }
  /** How many quotes, items, levels and tags are open. Further marks are words, so that no text takes the stack. */
  depth = 0
  /** Lines that begin no formula, found when one of them was looked at: each would look as far for its end. */
  noFormula = { from: 0, to: 0 }

  /** Reads the lines from `start` as blocks of a place of their own. Afterwards `line` is the first one left. */
  inside(place: Omit<SourcePlace, 'count' | 'reach'>, blkIndent: number, start: number, end: number): void {
    const { place: outer, blkIndent: outerIndent, parentType } = this
    const { kind, from, free } = place
    this.place = { kind, from, level: Math.min(place.level, MAX_INDENTATION), count: 0, reach: 0, free }
    this.blkIndent = blkIndent
    this.parentType = 'root'
    this.depth++
    this.md.block.tokenize(this, start, end)
    this.depth--
    this.place = outer
    this.blkIndent = outerIndent
    this.parentType = parentType
  }

  // As markdown-it does it, but with plain objects, which are made several times as fast as its tokens, and without those
  // that close what is one block anyway. A million of them are a text of 4 MiB.
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (nesting < 0) this.level--
    const { level } = this
    if (nesting > 0) this.level++
    const bare = { type, tag, nesting, level, content: '', markup: '', info: '', attrs: null, map: null, meta: null }
    const token = bare as unknown as Token
    if (!LEFT_OUT.has(type)) this.tokens.push(token)
    return token
  }

  // A line that was cut before a closing tag has no line feed to keep.
  override getLines(begin: number, end: number, indent: number, keepLastLF: boolean): string {
    const isCut =
      keepLastLF && end > begin && this.end(end - 1) < this.src.length && this.src[this.end(end - 1)] !== '\n'
    const lines = super.getLines(begin, end, indent, keepLastLF && !isCut)
    return isCut ? `${lines}\n` : lines
  }

  /** Where the words of a line begin in `src`, after its containers' marks and its spaces. */
  at(line: number): number {
    return (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0)
  }

  end(line: number): number {
    return this.eMarks[line] ?? this.src.length
  }

  column(line: number): number {
    return this.sCount[line] ?? 0
  }

  /** The words of a line, from {@link at} on. */
  words(line: number): string {
    return this.src.slice(this.at(line), this.end(line))
  }
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['paragraph_close', 'heading_close', 'th_close', 'td_close', 'tr_close'],
  ...['thead_open', 'thead_close', 'tbody_open', 'tbody_close', 'td_open'],
])

/** @returns whether the rule takes the block that begins at `start`. Silent: only says whether it would. */
export type Rule = (state: BlockState, start: number, end: number, silent: boolean) => boolean
