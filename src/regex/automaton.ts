/**
 * A simulation with a memory: the steps at which it stands are a state, and what a state does with a character is a
 * move, looked up when it was made before. Both are made when a text first asks for them.
 */
import type { Alphabet } from './alphabet.ts'
import { OTHER } from './boundaries.ts'
import { Nfa, type Preference } from './nfa.ts'
import type { Program } from './program.ts'

/** How much is kept before all is forgotten. */
export interface CacheLimits {
  /** Moves, of at least so many states, and steps in states. */
  moves: number
  states: number
  steps: number
  /** Characters that are run without keeping anything, after keeping was not worth it. */
  unkept: number
}

/** 2 MB of moves and 1 MB of steps. */
const CACHE_LIMITS: CacheLimits = { moves: 1 << 19, states: 16, steps: 1 << 19, unkept: 1 << 16 }

/**
 * Characters for each state that was made until all were forgotten, and the same for its moves: with fewer, keeping
 * them was not worth it.
 */
const STATE_COST = 4
const MOVE_COST = 1 / 32

/** Moves to where nothing can match any more: without and with a match before. */
export const DEAD = -0x7fffffff
export const MATCHED_DEAD = -0x7ffffffe

interface State {
  steps: Uint16Array
  count: number
  /** What stands before it. */
  before: number
}

/** The first row is no state's, since 0 says that a move was not made; that of the next is never kept. */
const UNCACHED_STATES = 2

export class Automaton {
  /**
   * Moves: `moves[state + symbol]` is the next state, negative if a match ended before the symbol, 0 if not yet made.
   * A state is the place of its row. A symbol is a class of characters, or their number at the end of the text; to it
   * is added what lookarounds tell.
   */
  moves: Int32Array
  /** The place up to which the last search for an end has read. */
  reached = 0
  readonly alphabet: Alphabet
  /** Whether any lookaround is asked for, and for what all lookarounds tell at a place, what is added to the symbol. */
  readonly asks: boolean
  readonly lookSymbols: Int32Array

  readonly #limits: CacheLimits
  readonly #nfa: Nfa
  readonly #sorted: boolean
  /** Symbols without what lookarounds tell, and with it. */
  readonly #symbols: number
  readonly #width: number
  readonly #states: State[]
  readonly #known = new Map<string, number>()
  readonly #starts: number[] = []
  /** Steps in states that are kept. */
  #kept = 0
  /** How many times all was forgotten, and where in a text the last time. */
  #evictions = 0
  #evictedAt = 0
  /** Characters that are still run without keeping anything. */
  #uncached = 0

  constructor(program: Program, alphabet: Alphabet, preference: Preference, room: CacheLimits = CACHE_LIMITS) {
    const nfa = new Nfa(program, alphabet, preference)
    this.alphabet = alphabet
    this.#limits = room
    this.#nfa = nfa
    this.#sorted = preference === 'all'
    this.asks = nfa.looks.length > 0
    this.#symbols = alphabet.size + 1
    this.#width = this.#symbols << nfa.looks.length
    const lookarounds = (bits: number) =>
      nfa.looks.reduce((result, bit, index) => result | (((bits >> bit) & 1) << index), 0)
    this.lookSymbols = Int32Array.from({ length: this.asks ? 256 : 0 }, (_, bits) => lookarounds(bits) * this.#symbols)
    const unkept = () => ({ steps: new Uint16Array(program.length), count: 0, before: OTHER })
    this.#states = [unkept(), unkept()]
    this.moves = new Int32Array(this.#width * 8)
  }

  /**
   * The state at a place where a match may begin: here, or with `searching` here or later.
   *
   * @param side  what stands before the place
   */
  start(side: number, searching: boolean, place: number): number {
    const before = this.#nfa.relevantSide(side)
    const key = before * 2 + (searching ? 1 : 0)
    const known = this.#starts[key]
    if (known !== undefined) return known
    this.#nfa.begin(searching)
    const state = this.#cacheState(before, place)
    this.#starts[key] = state
    return state
  }

  /** Makes the move of a state by a symbol. */
  move(state: number, symbol: number, place: number): number {
    const nfa = this.#nfa
    const from = this.#states[state / this.#width] as State
    const characterClass = symbol % this.#symbols
    const lookarounds = (symbol - characterClass) / this.#symbols
    const matched = nfa.advance(from.steps, from.count, from.before, characterClass, lookarounds)
    const before = nfa.sideAfter(characterClass)
    if (this.#uncached > 0) return this.#uncachedState(before, matched)
    const evictions = this.#evictions
    let move = matched ? MATCHED_DEAD : DEAD
    if (nfa.count > 0) {
      const next = this.#cacheState(before, place)
      move = matched ? -next : next
    }
    // After all was forgotten the state that moves is no more.
    if (this.#evictions === evictions) this.moves[state + symbol] = move
    return move
  }

  /**
   * The state that is given up with the next. Its moves are looked up, and none is there: the one by which it is left
   * for a state that is kept is the last until all is forgotten again.
   */
  #uncachedState(before: number, matched: boolean): number {
    this.#uncached--
    const { reached, count } = this.#nfa
    if (count === 0) return matched ? MATCHED_DEAD : DEAD
    const passing = this.#states[1] as State
    passing.steps.set(reached.subarray(0, count))
    passing.count = count
    passing.before = before
    return matched ? -this.#width : this.#width
  }

  /** The state of the steps that were reached. */
  #cacheState(before: number, place: number): number {
    const { reached, count } = this.#nfa
    const steps = reached.slice(0, count)
    if (this.#sorted) steps.sort()
    const key = String.fromCharCode(before, ...steps)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { moves, states, steps: stepsKept } = this.#limits
    const full = (this.#states.length + 1) * this.#width > moves && this.#states.length > states
    if (full || this.#kept > stepsKept) this.#forget(place)
    const state = this.#states.length * this.#width
    while (state + this.#width > this.moves.length) {
      const more = new Int32Array(this.moves.length * 2)
      more.set(this.moves)
      this.moves = more
    }
    this.#states.push({ steps, count, before })
    this.#known.set(key, state)
    this.#kept += count
    return state
  }

  #forget(place: number): void {
    const worth = Math.max(STATE_COST, this.#width * MOVE_COST)
    if (Math.abs(place - this.#evictedAt) < this.#states.length * worth) this.#uncached = this.#limits.unkept
    this.#evictedAt = place
    this.#evictions++
    this.#known.clear()
    this.#starts.length = 0
    this.#kept = 0
    this.moves.fill(0)
    this.#states.length = UNCACHED_STATES
  }
}
