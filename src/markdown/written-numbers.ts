/**
 * The numbers of list items as they are written. A block has a number only where counting would give another one; each
 * item in a text has one.
 *
 *     1. a      Counting gives 1, 2, 3, and every item may be written as 1.
 *     1. b
 *     7. c      An own number: the list goes on from there, and is written with its numbers.
 *     8. d
 *     1. e      An own number, since the item before is not written as 1.
 *
 * A number that a reader would take for text, as in `24. Dezember`, and a list that begins again right after an item
 * that is written as 1, stand after `ANY_LEVEL`.
 */
import { type Block, MAX_LIST_NUMBER } from './block.ts'
import { areInOtherCallouts } from './callout-levels.ts'
import { type CountedBlock, ListNumbers } from './list-numbers.ts'

/** A number as it is written, with the character after it: `7.`; absent for an item that has none. */
export interface WrittenNumber {
  number: number
  mark: string
  /** True after `ANY_LEVEL`. */
  isMarked?: boolean
}

/** The fields of a block that numbering needs. */
export const countedBlock = ({
  indentationLevel = 0,
  listStyle,
  number,
}: Pick<Block, 'indentationLevel' | 'listStyle' | 'number'>): CountedBlock => ({
  level: indentationLevel,
  isNumbered: listStyle === 'numbered',
  number,
})

/** Finds the own numbers of siblings, which are given in order. */
export class NumberReader {
  readonly #numbers = new ListNumbers()
  /** By level: how the last item was written. */
  readonly #marks: (string | undefined)[] = []
  /** By level: in which part the last item is. */
  readonly #parts: number[] = []
  #part = 0

  /** Begins a part of the siblings, such as a callout: 1 is the beginning of a list there. */
  beginPart(): void {
    this.#part++
  }

  /** Sets the number of the next block if it is one of its own, and removes it otherwise. */
  read(block: Block, written: WrittenNumber | undefined): void {
    const counted = countedBlock(block)
    const { level, isNumbered } = counted
    if (isNumbered) {
      const number = this.#isLazy(level, written) ? undefined : written?.number
      counted.number = number === this.#numbers.automatic(level) ? undefined : number
      this.#marks[level] = written?.mark
      this.#parts[level] = this.#part
    }
    if (counted.number === undefined) delete block.number
    else block.number = counted.number
    this.#numbers.next(counted)
  }

  #isLazy(level: number, written: WrittenNumber | undefined): boolean {
    if (written?.number !== 1 || written.isMarked || !this.#numbers.isOpen(level)) return false
    if (this.#parts[level] !== this.#part) return false
    const before = this.#marks[level]
    return before === undefined || before === written.mark
  }
}

/** How a block is written. */
interface NumberToWrite {
  /** Absent for 1. */
  number?: number
  /** True if `ANY_LEVEL` has to stand before it. */
  isMarked: boolean
}

const PLAIN: NumberToWrite = { isMarked: false }

/** An item whose list is open. */
interface LastItem {
  index: number
  /** Its number as it is written; absent for a page. */
  written?: number
  /** True if 1 after it means the next number. */
  allowsOne: boolean
}

/**
 * Finds the numbers to write for siblings, which are given in order: the inverse of {@link NumberReader}.
 *
 * @param isPage  true for blocks that are written as tags, on lines of their own
 */
export class NumberWriter {
  readonly #numbers = new ListNumbers()
  readonly #isPage: (block: Block) => boolean
  /** By level: the last item. */
  readonly #last: LastItem[] = []
  /** The block at which the last callout began, or before which it ended. */
  #partStart = 0

  constructor(isPage: (block: Block) => boolean) {
    this.#isPage = isPage
  }

  /** @param skipsLevel  true if `ANY_LEVEL` stands before the block anyway */
  next(siblings: readonly Block[], index: number, skipsLevel: boolean): NumberToWrite {
    const block = siblings[index]
    if (block === undefined) return PLAIN
    const counted = countedBlock(block)
    const { level, isNumbered } = counted
    if (this.#beginsPart(siblings[index - 1], block)) this.#partStart = index
    const before = this.#numbers.isOpen(level) ? this.#last[level] : undefined
    const last = before !== undefined && before.index < this.#partStart ? undefined : before
    const own = this.#numbers.nextOwn(counted)
    if (!isNumbered) return PLAIN
    if (this.#isPage(block)) {
      this.#last[level] = { index, allowsOne: own === undefined }
      return own === undefined ? PLAIN : { number: own, isMarked: false }
    }
    const shown = this.#numbers.count(level)
    const written = own ?? (last?.allowsOne === true && !skipsLevel ? 1 : shown)
    this.#last[level] = { index, written, allowsOne: written === 1 }
    if (written === 1) return { isMarked: own === 1 && last?.allowsOne === true }
    const follows = last?.written !== undefined && this.#areAdjacent(siblings, last.index, index, last.written)
    return { number: written, isMarked: !follows && !this.#isFollowed(siblings, index, written) }
  }

  #beginsPart(before: Block | undefined, block: Block): boolean {
    return areInOtherCallouts(before, block) || this.#isAlone(before) || this.#isAlone(block)
  }

  #isAlone(block: Block | undefined): boolean {
    return block?.decorations?.callout === true && block.listStyle === undefined && !this.#isPage(block)
  }

  /** True if the next item of the list stands right after this one, and has the next number. */
  #isFollowed(siblings: readonly Block[], index: number, written: number): boolean {
    const level = levelOf(siblings[index])
    let next = index + 1
    while (next < siblings.length && levelOf(siblings[next]) > level) next++
    const block = siblings[next]
    if (block?.listStyle !== 'numbered' || levelOf(block) < level || this.#isPage(block)) return false
    if (written === MAX_LIST_NUMBER) return false
    return (block.number ?? written + 1) === written + 1 && this.#areAdjacent(siblings, index, next, written)
  }

  /** True if all blocks between two items are written inside the first one, which has the given number. */
  #areAdjacent(siblings: readonly Block[], from: number, to: number, written: number): boolean {
    for (let index = from + 1; index <= to; index++)
      if (areInOtherCallouts(siblings[index - 1], siblings[index])) return false
    if (to === from + 1) return true
    // Two spaces are not inside an item with a wider number, nor inside a quote.
    if (written > 999 || siblings[from]?.decorations?.quote) return false
    for (let index = from + 1; index < to; index++) {
      const block = siblings[index]
      if (block === undefined || this.#isPage(block) || needsMark(block)) return false
      if (levelOf(block) > levelOf(siblings[index - 1]) + 1) return false
    }
    return true
  }
}

const levelOf = (block: Block | undefined): number => block?.indentationLevel ?? 0

/** Numbers of deeper lists may stand after `ANY_LEVEL`, which ends the item. */
const needsMark = ({ listStyle, number }: Block): boolean => listStyle === 'numbered' && number !== undefined

/** The number at the beginning of a text, with the space after it. */
const LEADING_NUMBER = /^\d{1,9}[.)](?:[ \t]+|\n|$)/

/** A text that begins with a number as the item of a list that has this number. */
export function asListItem<B extends Block>(block: B): B {
  const { leadingNumber: number, ...fields } = block
  if (number === undefined) return block
  return { ...(fields as B), text: fields.text.replace(LEADING_NUMBER, ''), listStyle: 'numbered', number }
}

/** Blocks whose items have the numbers that are shown, without those that counting gives. */
export function withOwnNumbers(blocks: readonly Block[]): Block[] {
  const numbers = new ListNumbers()
  return blocks.map((block) => withOwnNumber(content(block), numbers))
}

const content = (block: Block): Block =>
  block.content === undefined ? block : { ...block, content: withOwnNumbers(block.content) }

/** The next of siblings, without a number that counting gives. */
export function withOwnNumber<B extends Block>(block: B, numbers: ListNumbers): B {
  const own = numbers.nextOwn(countedBlock(block))
  if (own === block.number) return block
  const { number: _, ...counted } = block
  return counted as B
}
