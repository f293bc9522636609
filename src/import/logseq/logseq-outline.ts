/** Splits a page of Logseq into its blocks: bullets at any depth, and text outside of them. */

export interface OutlineLine {
  text: string
  /** Line number in the file, starting at 1. */
  number: number
  /** True for a line in code, in which nothing has a meaning. */
  isCode: boolean
}

export interface OutlineBlock {
  depth: number
  isBullet: boolean
  /** Without the indentation of the block. */
  lines: OutlineLine[]
}

const BULLET = /^([ \t]*)-(?:[ \t](.*)|$)/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
const BEGIN = /^[ \t]*#\+BEGIN_(\w+)/i

/** @param text  with line feeds as line ends */
export function readOutline(text: string): OutlineBlock[] {
  return new OutlineReader(text.split('\n')).read()
}

class OutlineReader {
  readonly #lines: readonly string[]
  readonly #blocks: OutlineBlock[] = []
  /** The widths at which the blocks around the next one begin. */
  readonly #widths: number[] = []
  #isAfterBlank = true
  #linesToSearch = SEARCHED_LINES

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  read(): OutlineBlock[] {
    for (let index = 0; index < this.#lines.length; index++) {
      const line = this.#lines[index] ?? ''
      const [bullet, indent = '', content = ''] = BULLET.exec(line) ?? []
      if (bullet !== undefined) this.#begin(widthOf(indent), true)
      else if (this.#isApart(line)) this.#begin(0, false)
      const block = this.#blocks.at(-1)
      if (block === undefined) continue
      const first = bullet !== undefined ? content : withoutIndent(line, this.#widths.at(-1) ?? 0, block.isBullet)
      const end = this.#endOfCode(first, index)
      block.lines.push({ text: first, number: index + 1, isCode: end > index })
      for (; index < end; index++) {
        const inner = withoutIndent(this.#lines[index + 1] ?? '', this.#widths.at(-1) ?? 0, block.isBullet)
        block.lines.push({ text: inner, number: index + 2, isCode: true })
      }
      this.#isAfterBlank = line.trim() === ''
    }
    return this.#blocks
  }

  #begin(width: number, isBullet: boolean): void {
    while ((this.#widths.at(-1) ?? -1) >= width) this.#widths.pop()
    this.#blocks.push({ depth: this.#widths.length, isBullet, lines: [] })
    this.#widths.push(width)
  }

  /** True for text that belongs to no bullet before it. */
  #isApart(line: string): boolean {
    const last = this.#blocks.at(-1)
    if (last === undefined) return line.trim() !== ''
    if (!last.isBullet) return false
    return /^#{1,6}[ \t]/.test(line) || (this.#isAfterBlank && /^\S/.test(line))
  }

  /** The last line of code, or of a block between `#+BEGIN_` and `#+END_`, that begins here. */
  #endOfCode(text: string, start: number): number {
    const [, mark] = FENCE.exec(text) ?? []
    const [, name] = BEGIN.exec(text) ?? []
    if (mark === undefined && name === undefined) return start
    const end = name?.toUpperCase()
    for (let index = start + 1; index < this.#lines.length; index++) {
      const line = (this.#lines[index] ?? '').trim()
      const isEnd =
        mark === undefined ? line.toUpperCase() === `#+END_${end}` : line.startsWith(mark) && /^[`~]+$/.test(line)
      if (isEnd) return index
      if (--this.#linesToSearch < 0) break
    }
    // What is never closed is no code.
    return start
  }
}

/** Lines that are searched for the ends of code. Only code that is never closed needs that many. */
const SEARCHED_LINES = 2_000_000

/** A tab counts as much as four spaces. */
function widthOf(indent: string): number {
  let width = 0
  for (const sign of indent) width += sign === '\t' ? 4 : 1
  return width
}

/** Removes the indentation of a bullet, and the two spaces below its sign. */
function withoutIndent(line: string, width: number, isBullet: boolean): string {
  let left = isBullet ? width + 2 : width
  let at = 0
  for (; at < line.length && left > 0; at++) {
    if (line[at] === '\t') left -= 4
    else if (line[at] === ' ') left -= 1
    else break
  }
  return line.slice(at)
}
