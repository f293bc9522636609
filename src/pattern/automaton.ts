/**
 * The steps of a program as a machine with one state at a time, whose states and moves are made when a text first asks
 * for them and kept as long as there is room.
 *
 * A state is the list of steps that stand after the character just read, before anything is told of the place: what is
 * told there depends on the character that comes next. So a move also says whether a match ended *before* the
 * character it takes, and the end of the text is one more character.
 */
import type { Alphabet } from './alphabet.ts'
import { NEWLINES, WORDS } from './classes.ts'
import { ASSERT, ASSERTIONS, LOOK, MATCH, type Program, SAVE, SPLIT, TAKE } from './program.ts'
import { NEWLINE, NOTHING, OTHER, tells, WORD } from './sides.ts'
import type { Assertion } from './tree.ts'

/** Moves that are kept, and steps in states that are kept: 2 MB and 2 MB. Then all are forgotten. */
const MOVES_KEPT = 1 << 19
const STEPS_KEPT = 1 << 19

/** Moves to where nothing can match any more: without and with a match before. */
export const DEAD = -0x7fffffff
export const MATCHED_DEAD = -0x7ffffffe

/**
 * How a match is told from others.
 *
 * `first`: the match that is preferred: what is less preferred than one that was found is dropped.
 * `all`: every place where a match ends.
 */
export type Preference = 'first' | 'all'

interface State {
  steps: Uint16Array
  before: number
}

export class Automaton {
  /**
   * Moves: `moves[state + symbol]` is the next state, negative if a match ended before the symbol, 0 if not yet made.
   * A state is the place of its row.
   */
  moves: Int32Array
  /** For the bits of the lookarounds at a place, what is added to the class there. */
  readonly lookSymbols: Int32Array
  /** Whether any lookaround is asked for. */
  readonly asks: boolean
  readonly alphabet: Alphabet
  /** Moves made so far: how much of the work was not merely looked up. */
  made = 0

  readonly #program: Program
  readonly #first: boolean
  /**
   * Whether steps are followed only when all is told. In (?:^|a)* the way through ^ leads back to the a that is
   * preferred less than the way out: what is gone through first decides, so none may be gone through beforehand.
   */
  readonly #waits: boolean
  readonly #width: number
  readonly #states: State[] = []
  readonly #known = new Map<string, number>()
  readonly #starts: number[] = []
  readonly #before: Uint8Array
  /** Where the bit of each lookaround stands among those of this program. */
  readonly #places = new Uint8Array(8)
  readonly #seen: Int32Array
  readonly #ahead: Int32Array
  readonly #stack: Int32Array
  readonly #aheadStack: Int32Array
  /** Steps of the state that is being made, and how many. */
  readonly #reached: Uint16Array
  #count = 0
  #mark = 0
  #kept = 0

  constructor(program: Program, alphabet: Alphabet, preference: Preference) {
    this.alphabet = alphabet
    this.#program = program
    this.#first = preference === 'first'
    this.#waits = this.#first && (program.asserts | program.looks) !== 0
    const bits = bitsOf(program.looks)
    this.asks = bits.length > 0
    this.#width = (alphabet.size + 1) << bits.length
    this.lookSymbols = Int32Array.from({ length: 256 }, (_, told) => packed(told, bits) * (alphabet.size + 1))
    this.#before = beforeOf(alphabet, program)
    this.#seen = new Int32Array(program.length)
    this.#ahead = new Int32Array(program.length)
    // Each step is gone through once and leads to two more at most.
    this.#stack = new Int32Array(program.length * 2 + 2)
    this.#aheadStack = new Int32Array(program.length * 2 + 2)
    this.#reached = new Uint16Array(program.length)
    bits.forEach((bit, index) => {
      this.#places[bit] = index
    })
    this.moves = new Int32Array(this.#width * 8)
    this.#forget()
  }

  /** The state at a place where a match may begin: here, or with `searching` here or later. */
  start(before: number, searching: boolean): number {
    const told = this.#before[this.alphabet.size + 1 + before] ?? OTHER
    const key = told * 2 + (searching ? 1 : 0)
    const known = this.#starts[key]
    if (known !== undefined) return known
    this.#mark++
    this.#count = 0
    this.#follow(searching ? this.#program.search : this.#program.start)
    const state = this.#keep(told)
    this.#starts[key] = state
    return state
  }

  /** What stands before a place, by the class of the character there. */
  beforeOf(characterClass: number): number {
    return this.#before[characterClass] ?? OTHER
  }

  /** Makes the move of a state by a symbol: a class and, times the number of classes, what lookarounds tell. */
  move(state: number, symbol: number): number {
    this.made++
    const { kind, extra, next, takes } = this.#program
    const { steps, before } = this.#states[state / this.#width] as State
    const characterClass = symbol % (this.alphabet.size + 1)
    const told = (symbol - characterClass) / (this.alphabet.size + 1)
    const seen = this.#seen
    const stack = this.#stack
    const mark = ++this.#mark
    let matched = false
    this.#count = 0
    search: for (let index = 0; index < steps.length; index++) {
      let depth = 0
      stack[depth++] = steps[index] ?? 0
      while (depth > 0) {
        const step = stack[--depth] ?? 0
        if (seen[step] === mark) continue
        seen[step] = mark
        switch (kind[step]) {
          case TAKE:
            if (takes[step]?.[characterClass] === 1 && this.#follow(next[step] ?? 0)) break search
            break
          case SPLIT:
            stack[depth++] = extra[step] ?? 0
            stack[depth++] = next[step] ?? 0
            break
          case ASSERT:
            if (this.#isTold(extra[step] ?? 0, before, characterClass)) stack[depth++] = next[step] ?? 0
            break
          case LOOK:
            if (this.#looks(extra[step] ?? 0, told)) stack[depth++] = next[step] ?? 0
            break
          case SAVE:
            stack[depth++] = next[step] ?? 0
            break
          case MATCH:
            matched = true
            if (this.#first) break search
        }
      }
    }
    return this.#note(state, symbol, matched, this.#before[characterClass] ?? OTHER)
  }

  #note(state: number, symbol: number, matched: boolean, before: number): number {
    if (this.#count === 0) {
      const move = matched ? MATCHED_DEAD : DEAD
      this.moves[state + symbol] = move
      return move
    }
    const held = this.#states.length
    const next = this.#keep(before)
    const move = matched ? -next : next
    // After all was forgotten, the state that moves is no more.
    if (this.#states.length >= held) this.moves[state + symbol] = move
    return move
  }

  /**
   * Adds the steps to which a step leads without anything being told, the preferred first.
   *
   * @returns whether a match is among them and nothing less preferred counts any more
   */
  #follow(from: number): boolean {
    const { kind, extra, next } = this.#program
    const ahead = this.#ahead
    const stack = this.#aheadStack
    const mark = this.#mark
    if (this.#waits) {
      if (ahead[from] !== mark) this.#reached[this.#count++] = from
      ahead[from] = mark
      return false
    }
    let depth = 0
    stack[depth++] = from
    while (depth > 0) {
      const step = stack[--depth] ?? 0
      if (ahead[step] === mark) continue
      ahead[step] = mark
      switch (kind[step]) {
        case SPLIT:
          stack[depth++] = extra[step] ?? 0
          stack[depth++] = next[step] ?? 0
          break
        case SAVE:
          stack[depth++] = next[step] ?? 0
          break
        case MATCH:
          this.#reached[this.#count++] = step
          if (this.#first) return true
          break
        default:
          this.#reached[this.#count++] = step
      }
    }
    return false
  }

  #isTold(assertion: number, before: number, characterClass: number): boolean {
    const after = characterClass === this.alphabet.size ? NOTHING : (this.#before[characterClass] ?? OTHER)
    return tells(assertion, before, after)
  }

  /** @param told  bits of the lookarounds of this program, packed as {@link packed} does */
  #looks(extra: number, told: number): boolean {
    return ((told >> (this.#places[extra >> 1] ?? 0)) & 1) !== (extra & 1)
  }

  /** The state of the steps that were reached. */
  #keep(before: number): number {
    const steps = this.#reached.slice(0, this.#count)
    if (!this.#first) steps.sort()
    const key = String.fromCharCode(before, ...steps)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const full = (this.#states.length + 1) * this.#width > MOVES_KEPT && this.#states.length > 16
    if (full || this.#kept > STEPS_KEPT) this.#forget()
    const state = this.#states.length * this.#width
    while (state + this.#width > this.moves.length) {
      const more = new Int32Array(this.moves.length * 2)
      more.set(this.moves)
      this.moves = more
    }
    this.#states.push({ steps, before })
    this.#known.set(key, state)
    this.#kept += steps.length
    return state
  }

  #forget(): void {
    this.#known.clear()
    this.#starts.length = 0
    this.#kept = 0
    this.moves.fill(0)
    // The first row is no state's, since 0 says that a move was not made.
    this.#states.length = 0
    this.#states.push({ steps: new Uint16Array(0), before: OTHER })
  }
}

/** The places of the bits that are 1. */
function bitsOf(bits: number): number[] {
  return Array.from({ length: 8 }, (_, bit) => bit).filter((bit) => (bits >> bit) & 1)
}

/** The bits at the given places side by side. */
function packed(told: number, bits: readonly number[]): number {
  return bits.reduce((result, bit, index) => result | (((told >> bit) & 1) << index), 0)
}

/**
 * For each class what its characters are to a place after them; the end of the text follows the classes; and after
 * that, what each of the four is to this program: one that never asks for words must not have states for them.
 */
function beforeOf(alphabet: Alphabet, program: Program): Uint8Array {
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
  result[own + NOTHING] = lines || asks('textStart') ? NOTHING : OTHER
  result[own + NEWLINE] = lines ? NEWLINE : OTHER
  result[own + WORD] = words ? WORD : OTHER
  return result
}
