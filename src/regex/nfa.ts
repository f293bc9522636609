/**
 * Simulates a program as a nondeterministic automaton: the set of active steps, and its change by one character.
 *
 * Active steps are stored as they are after a character, before assertions are evaluated, since those depend on the
 * next character. So `advance` takes a character and also reports whether a match ended before it.
 */
import type { Alphabet } from './alphabet.ts'
import { assertionHolds, NEWLINE, OTHER, TEXT_EDGE, WORD } from './boundaries.ts'
import { NEWLINES, WORDS } from './character-classes.ts'
import type { Assertion } from './pattern-tree.ts'
import { ASSERT, ASSERTIONS, CONSUME, LOOKAROUND, MATCH, type Program, SAVE, SPLIT } from './program.ts'

/**
 * Which matches count.
 *
 * `first`: only the preferred one. Once a match is found, less preferred steps are dropped.
 * `all`: every place where a match ends.
 */
export type Preference = 'first' | 'all'

export class Nfa {
  /** The active steps, and their number. */
  readonly reached: Uint16Array
  count = 0
  /** Bits of the lookarounds that the program uses. */
  readonly lookarounds: readonly number[]

  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #first: boolean
  /**
   * True if empty steps are followed only once the next character is known. In (?:^|a)* the way through ^ leads back to
   * the a, which is less preferred than the way out. The step visited first wins, so none may be visited early.
   */
  readonly #waits: boolean
  /** Index of each lookaround bit among the bits that the program uses. */
  readonly #places = new Uint8Array(8)
  readonly #sides: Uint8Array
  /**
   * The last advance that visited each step, before the character and after it. The counters cannot overflow: no text
   * is long enough.
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
    this.#waits = this.#first && (program.asserts | program.lookarounds) !== 0
    this.#sides = sidesByClass(alphabet, program)
    this.lookarounds = Array.from({ length: 8 }, (_, bit) => bit).filter((bit) => (program.lookarounds >> bit) & 1)
    this.lookarounds.forEach((bit, index) => {
      this.#places[bit] = index
    })
    this.reached = new Uint16Array(program.length)
    this.#seen = new Float64Array(program.length)
    this.#ahead = new Float64Array(program.length)
    // Each step is visited once and leads to at most two more.
    this.#stack = new Int32Array(program.length * 2 + 2)
    this.#aheadStack = new Int32Array(program.length * 2 + 2)
  }

  /** Starts where a match may begin. With `searching`, it may also begin later. */
  begin(searching: boolean): void {
    this.#mark++
    this.count = 0
    this.#follow(searching ? this.#program.search : this.#program.start)
  }

  /**
   * The kind of character before a place, reduced to what the program needs: if it has no word assertion, there are no
   * words.
   */
  relevantSide(side: number): number {
    return this.#sides[this.#alphabet.size + 1 + side] ?? OTHER
  }

  /** The kind of the character class as seen from the place after it, reduced to what the program needs. */
  sideAfter(characterClass: number): number {
    return this.#sides[characterClass] ?? OTHER
  }

  /**
   * @param lookarounds  results of the lookarounds of this program, one bit each
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
          case CONSUME:
            if (takes[more * stride + characterClass] === 1 && this.#follow(next[step] as number)) return matched
            break
          case SPLIT:
            stack[depth++] = more
            stack[depth++] = next[step] as number
            break
          case ASSERT:
            if (this.#holds(more, before, characterClass)) stack[depth++] = next[step] as number
            break
          case LOOKAROUND:
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
   * Adds the steps reachable through empty steps, the preferred ones first.
   *
   * @returns true if one is a match, so that less preferred steps do not count
   */
  #follow(from: number): boolean {
    const { kind, extra, next } = this.#program
    const ahead = this.#ahead
    const mark = this.#mark
    if (ahead[from] === mark) return false
    if (this.#waits || kind[from] === CONSUME) {
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
      const stepKind = kind[step]
      if (stepKind === SPLIT) {
        stack[depth++] = extra[step] as number
        stack[depth++] = next[step] as number
      } else if (stepKind === SAVE) stack[depth++] = next[step] as number
      else {
        this.reached[this.count++] = step
        if (stepKind === MATCH && this.#first) return true
      }
    }
    return false
  }

  #holds(assertion: number, before: number, characterClass: number): boolean {
    const after = characterClass === this.#alphabet.size ? TEXT_EDGE : this.sideAfter(characterClass)
    return assertionHolds(assertion, before, after)
  }
}

/** For each class and the end of the text, its kind as seen from a place next to it. Then the same for each kind. */
function sidesByClass(alphabet: Alphabet, program: Program): Uint8Array {
  const uses = (...names: Assertion[]) => names.some((name) => (program.asserts >> ASSERTIONS.indexOf(name)) & 1)
  const words = uses('word', 'notWord')
  const lines = uses('lineStart', 'lineEnd')
  const result = new Uint8Array(alphabet.size + 1 + 4)
  const inWords = alphabet.classesIn(WORDS)
  const inNewlines = alphabet.classesIn(NEWLINES)
  for (let index = 0; index < alphabet.size; index++) {
    if (words && inWords[index] === 1) result[index] = WORD
    if (lines && inNewlines[index] === 1) result[index] = NEWLINE
  }
  const own = alphabet.size + 1
  result[own + TEXT_EDGE] = lines || uses('textStart') ? TEXT_EDGE : OTHER
  result[own + NEWLINE] = lines ? NEWLINE : OTHER
  result[own + WORD] = words ? WORD : OTHER
  return result
}
