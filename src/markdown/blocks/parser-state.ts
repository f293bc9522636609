import MarkdownIt, { type Token } from 'markdown-it'
import { type BlockTag, findTags } from './block-tags.ts'

/**
 * Where blocks are being read: what two spaces more would mean there.
 *
 *     - a            place of the item a: from 2, level 1
 *       b            b stands at `from`: level 1
 *         c          two spaces more: level 2
 */
export interface SourcePlace {
  kind: 'page' | 'item' | 'box' | 'callout'
  /** The column at which blocks of this place begin. */
  from: number
  /** The column at which standard Markdown begins the text here: levels alone do not move it. */
  standard: number
  /** The same column of the place around this one. */
  around: number
  /** The indentationLevel of blocks that begin there. */
  level: number
  /** The number of blocks that have begun here. */
  count: number
  /** By how many levels the last block here was deeper than this place. */
  reach: number
  /** True if the next block can be at any level, instead of at most one deeper than the previous block. */
  free: boolean
}

/** How a text is read. */
export interface ReadOptions {
  /** True for a field that holds one line, such as a task, where a number at the beginning is never that of a list. */
  isOneLine?: boolean
  /** True for the edited text of a page, in which a collection of the page stands for itself. */
  keepsCollections?: boolean
}

/** The parser state of markdown-it, extended with the data of our own rules. */
export class BlockState extends MarkdownIt.StateBlock {
  readonly tags: ReadonlyMap<number, BlockTag> = findTags(this.src)
  place: SourcePlace = { kind: 'page', from: 0, standard: 0, around: 0, level: 0, count: 0, reach: 0, free: true }
  /** The number of open quotes, items, levels and tags. Beyond a limit, marks count as text, which bounds the stack. */
  depth = 0
  /** The number of open tags among them. */
  tagDepth = 0
  /** The line after `ANY_LEVEL`, where a number is always that of an item. */
  markedLine = -1
  /** The last line with the box of a task. */
  boxLine = -1
  /** Fences that are known to have no end below, each with the line up to which it was looked for. */
  readonly unclosedFences = new Set<string>()
  /** A range of lines known to begin no formula, so that the search for its end is not repeated for each line. */
  noFormula = { from: 0, to: 0 }

  get options(): ReadOptions {
    return (this.env as { options: ReadOptions }).options
  }

  /** Parses the lines from `start` as blocks of a new place. Afterwards, `line` is the first line that is left. */
  inside(place: Omit<SourcePlace, 'around' | 'count' | 'reach'>, blkIndent: number, start: number, end: number): void {
    const { place: outer, blkIndent: outerIndent, parentType } = this
    this.place = { ...place, around: outer.standard, count: 0, reach: 0 }
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

  /** The index in `src` where the text of a line begins, after the marks of its containers and its spaces. */
  at(line: number): number {
    return (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0)
  }

  end(line: number): number {
    return this.eMarks[line] ?? this.src.length
  }

  column(line: number): number {
    return this.sCount[line] ?? 0
  }

  /** The text of a line, from {@link at}. */
  lineText(line: number): string {
    return this.src.slice(this.at(line), this.end(line))
  }
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['paragraph_close', 'heading_close', 'th_close', 'td_close', 'tr_close'],
  ...['thead_open', 'thead_close', 'tbody_open', 'tbody_close', 'td_open'],
])

/** @returns true if the rule applies to the block that begins at `start`. In silent mode, a rule only checks this. */
export type Rule = (state: BlockState, start: number, end: number, silent: boolean) => boolean
