/**
 * The steps at which a program stands, all at once, and those at which it stands after one more character.
 *
 * Steps are kept as they stand after a character, before anything is told of the place: what is told there depends on
 * the character that comes next. So one advance tells, with the character it takes, whether a match ended before it.
 */
import type { Alphabet } from './alphabet.ts'
import { assertionHolds, NEWLINE, OTHER, TEXT_EDGE, WORD } from './boundaries.ts'
import { NEWLINES, WORDS } from './character-classes.ts'
import type { Assertion } from './pattern-tree.ts'
import { ASSERT, ASSERTIONS, LOOK, MATCH, type Program, SAVE, SPLIT, TAKE } from './program.ts'

/**
 * Which matches count.
 *
 * `first`: the preferred one: what is less preferred than a match that was found is dropped.
 * `all`: every place where a match ends.
 */
export type Preference = 'first' | 'all'

export class Nfa {
  /** The steps that were reached, and how many. */
  readonly reached: Uint16Array
  count = 0
  /** Bits of the lookarounds that are asked for. */
  readonly looks: readonly number[]

  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #first: boolean
  /**
   * Whether steps are followed only when all is told. In (?:^|a)* the way through ^ leads back to the a that is
   * preferred less than the way out: what is gone through first decides, so none may be gone through beforehand.
   */
  readonly #waits: boolean
  /** Where the bit of each lookaround stands among those of this program. */
  readonly #places = new Uint8Array(8)
  readonly #sides: Uint8Array
  /**
   * The last advance in which each step was gone through, before the character and after it: in numbers that no text
   * is long enough to use up.
   */
  readonly #seen: Float64Array
  readonly #ahead: Float64Array
  readonly #stack: Int32Array
  readonly #aheadStack: Int32Array
  #mark = 0

  constructor(program: Program, alphabet: Alphabet, preference: Preference) {
    this.#program = program
    this.#alphabet = alphabet
    this.#first = preference === 'first'
    this.#waits = this.#first && (program.asserts | program.looks) !== 0
    this.#sides = sidesByClass(alphabet, program)
    this.looks = Array.from({ length: 8 }, (_, bit) => bit).filter((bit) => (program.looks >> bit) & 1)
    this.looks.forEach((bit, index) => {
      this.#places[bit] = index
    })
    this.reached = new Uint16Array(program.length)
    this.#seen = new Float64Array(program.length)
    this.#ahead = new Float64Array(program.length)
    // Each step is gone through once and leads to two more at most.
    this.#stack = new Int32Array(program.length * 2 + 2)
    this.#aheadStack = new Int32Array(program.length * 2 + 2)
  }

  /** Stands where a match may begin: here, or with `searching` here or later. */
  begin(searching: boolean): void {
    this.#mark++
    this.count = 0
    this.#follow(searching ? this.#program.search : this.#program.start)
  }

  /** What stands before a place, as far as this program asks: where it asks for no words, there are none. */
  relevantSide(side: number): number {
    return this.#sides[this.#alphabet.size + 1 + side] ?? OTHER
  }

  /** What a character of the class is to the place after it, as far as this program asks. */
  sideAfter(characterClass: number): number {
    return this.#sides[characterClass] ?? OTHER
  }

  /**
   * @param lookarounds  what the lookarounds of this program tell, a bit each, side by side
   * @returns whether a match ended before the character
   */
  advance(steps: Uint16Array, count: number, before: number, characterClass: number, lookarounds: number): boolean {
    const { kind, extra, next, takes, stride } = this.#program
    const seen = this.#seen
    const stack = this.#stack
    const mark = ++this.#mark
    let matched = false
    this.count = 0
    for (let index = 0; index < count; index++) {
      let depth = 0
      stack[depth++] = steps[index] as number
      while (depth > 0) {
        const step = stack[--depth] as number
        if (seen[step] === mark) continue
        seen[step] = mark
        const more = extra[step] as number
        switch (kind[step]) {
          case TAKE:
            if (takes[more * stride + characterClass] === 1 && this.#follow(next[step] as number)) return matched
            break
          case SPLIT:
            stack[depth++] = more
            stack[depth++] = next[step] as number
            break
          case ASSERT:
            if (this.#isTold(more, before, characterClass)) stack[depth++] = next[step] as number
            break
          case LOOK:
            if (((lookarounds >> (this.#places[more >> 1] as number)) & 1) !== (more & 1))
              stack[depth++] = next[step] as number
            break
          case SAVE:
            stack[depth++] = next[step] as number
            break
          case MATCH:
            if (this.#first) return true
            matched = true
        }
      }
    }
    return matched
  }

  /**
   * Adds the steps to which a step leads without anything being told, the preferred first.
   *
   * @returns whether a match is among them, and what is preferred less does not count
   */
  #follow(from: number): boolean {
    const { kind, extra, next } = this.#program
    const ahead = this.#ahead
    const mark = this.#mark
    if (ahead[from] === mark) return false
    if (this.#waits || kind[from] === TAKE) {
      ahead[from] = mark
      this.reached[this.count++] = from
      return false
    }
    const stack = this.#aheadStack
    let depth = 0
    stack[depth++] = from
    while (depth > 0) {
      const step = stack[--depth] as number
      if (ahead[step] === mark) continue
      ahead[step] = mark
      const of = kind[step]
      if (of === SPLIT) {
        stack[depth++] = extra[step] as number
        stack[depth++] = next[step] as number
      } else if (of === SAVE) stack[depth++] = next[step] as number
      else {
        this.reached[this.count++] = step
        if (of === MATCH && this.#first) return true
      }
    }
    return false
  }

  #isTold(assertion: number, before: number, characterClass: number): boolean {
    const after = characterClass === this.#alphabet.size ? TEXT_EDGE : this.sideAfter(characterClass)
    return assertionHolds(assertion, before, after)
  }
}

/** For each class and the end of the text what it is to a place beside it, and then the same for each kind of side. */
function sidesByClass(alphabet: Alphabet, program: Program): Uint8Array {
  const asks = (...names: Assertion[]) => names.some((name) => (program.asserts >> ASSERTIONS.indexOf(name)) & 1)
  const words = asks('word', 'notWord')
  const lines = asks('lineStart', 'lineEnd')
  const result = new Uint8Array(alphabet.size + 1 + 4)
  const inWords = alphabet.classesIn(WORDS)
  const inNewlines = alphabet.classesIn(NEWLINES)
  for (let index = 0; index < alphabet.size; index++) {
    if (words && inWords[index] === 1) result[index] = WORD
    if (lines && inNewlines[index] === 1) result[index] = NEWLINE
  }
  const own = alphabet.size + 1
  result[own + TEXT_EDGE] = lines || asks('textStart') ? TEXT_EDGE : OTHER
  result[own + NEWLINE] = lines ? NEWLINE : OTHER
  result[own + WORD] = words ? WORD : OTHER
  return result
}
