/**
 * A lazily built DFA. A state is the set of NFA steps that are active at once. Transitions and states are computed when
 * a text first needs them, and cached.
 */
import type { Alphabet } from './alphabet.ts'
import { OTHER } from './boundaries.ts'
import { Nfa, type Preference } from './nfa.ts'
import type { Program } from './program.ts'

/** Capacity of the cache. The cache is cleared when it is full. */
export interface CacheLimits {
  /** Transitions, at least for this number of states, and NFA steps of all states. */
  moves: number
  states: number
  steps: number
  /** Characters to process without caching, after caching did not pay off. */
  unkept: number
}

/** 2 MB of transitions and 1 MB of steps. */
const CACHE_LIMITS: CacheLimits = { moves: 1 << 19, states: 16, steps: 1 << 19, unkept: 1 << 16 }

/**
 * Characters that must be processed per state, and per transition slot of a state, between two evictions. With fewer,
 * caching did not pay off.
 */
const STATE_COST = 4
const MOVE_COST = 1 / 32

/** Transitions to the dead state, where nothing can match any more: without and with a match before the symbol. */
export const DEAD = -0x7fffffff
export const MATCHED_DEAD = -0x7ffffffe

interface State {
  steps: Uint16Array
  count: number
  /** Kind of character before it, see `boundaries.ts`. */
  before: number
}

/** Row 0 belongs to no state, since 0 marks a transition that is not yet computed. Row 1 is the uncached state. */
const UNCACHED_STATES = 2

export class Automaton {
  /**
   * Transition table: `moves[state + symbol]` is the next state, negative if a match ended before the symbol, 0 if not
   * yet computed. A state is the offset of its row. A symbol is a character class, or the number of classes at the end
   * of the text, plus an offset that encodes the results of the lookarounds.
   */
  moves: Int32Array
  /** Offset up to which the last search for an end has read. */
  reached = 0
  readonly alphabet: Alphabet
  /**
   * True if the program has lookarounds. For each combination of lookaround bits, `lookSymbols` has the offset to add
   * to the symbol.
   */
  readonly asks: boolean
  readonly lookSymbols: Int32Array

  readonly #limits: CacheLimits
  readonly #nfa: Nfa
  readonly #sorted: boolean
  /** Number of symbols without lookaround results, and with them. */
  readonly #symbols: number
  readonly #width: number
  readonly #states: State[]
  readonly #known = new Map<string, number>()
  readonly #starts: number[] = []
  /** NFA steps of all cached states. */
  #cachedSteps = 0
  /** Number of evictions, and the offset in the text of the last one. */
  #evictions = 0
  #evictedAt = 0
  /** Characters still to be processed without caching. */
  #uncached = 0

  constructor(program: Program, alphabet: Alphabet, preference: Preference, limits: CacheLimits = CACHE_LIMITS) {
    const nfa = new Nfa(program, alphabet, preference)
    this.alphabet = alphabet
    this.#limits = limits
    this.#nfa = nfa
    this.#sorted = preference === 'all'
    this.asks = nfa.lookarounds.length > 0
    this.#symbols = alphabet.size + 1
    this.#width = this.#symbols << nfa.lookarounds.length
    const lookarounds = (bits: number) =>
      nfa.lookarounds.reduce((result, bit, index) => result | (((bits >> bit) & 1) << index), 0)
    this.lookSymbols = Int32Array.from({ length: this.asks ? 256 : 0 }, (_, bits) => lookarounds(bits) * this.#symbols)
    const uncachedState = () => ({ steps: new Uint16Array(program.length), count: 0, before: OTHER })
    this.#states = [uncachedState(), uncachedState()]
    this.moves = new Int32Array(this.#width * 8)
  }

  /**
   * The state at an offset where a match may begin. With `searching`, it may also begin later.
   *
   * @param side  kind of character before the offset
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

  /** Computes the transition of a state by a symbol. */
  move(state: number, symbol: number, place: number): number {
    const nfa = this.#nfa
    const from = this.#states[state / this.#width] as State
    const characterClass = symbol % this.#symbols
    const lookarounds = (symbol - characterClass) / this.#symbols
    const matched = nfa.advance(from.steps, from.count, from.before, characterClass, lookarounds)
    const before = nfa.sideAfter(characterClass)
    if (this.#uncached > 0) return this.#uncachedState(before, matched)
    const evictionsBefore = this.#evictions
    let move = matched ? MATCHED_DEAD : DEAD
    if (nfa.count > 0) {
      const next = this.#cacheState(before, place)
      move = matched ? -next : next
    }
    // After an eviction the row of the old state is gone.
    if (this.#evictions === evictionsBefore) this.moves[state + symbol] = move
    return move
  }

  /**
   * A temporary state that the next call overwrites. Its row in the table stays empty, so every transition is computed.
   * Only the transition that leaves it for a cached state is stored there, and it is the last one before the next
   * eviction.
   */
  #uncachedState(before: number, matched: boolean): number {
    this.#uncached--
    const { reached, count } = this.#nfa
    if (count === 0) return matched ? MATCHED_DEAD : DEAD
    const uncached = this.#states[1] as State
    uncached.steps.set(reached.subarray(0, count))
    uncached.count = count
    uncached.before = before
    return matched ? -this.#width : this.#width
  }

  /** The cached state for the steps that the NFA has reached. */
  #cacheState(before: number, place: number): number {
    const { reached, count } = this.#nfa
    const steps = reached.slice(0, count)
    if (this.#sorted) steps.sort()
    const key = String.fromCharCode(before, ...steps)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { moves, states, steps: maxSteps } = this.#limits
    const full = (this.#states.length + 1) * this.#width > moves && this.#states.length > states
    if (full || this.#cachedSteps > maxSteps) this.#evict(place)
    const state = this.#states.length * this.#width
    while (state + this.#width > this.moves.length) {
      const grown = new Int32Array(this.moves.length * 2)
      grown.set(this.moves)
      this.moves = grown
    }
    this.#states.push({ steps, count, before })
    this.#known.set(key, state)
    this.#cachedSteps += count
    return state
  }

  #evict(place: number): void {
    const minCharactersPerState = Math.max(STATE_COST, this.#width * MOVE_COST)
    if (Math.abs(place - this.#evictedAt) < this.#states.length * minCharactersPerState)
      this.#uncached = this.#limits.unkept
    this.#evictedAt = place
    this.#evictions++
    this.#known.clear()
    this.#starts.length = 0
    this.#cachedSteps = 0
    this.moves.fill(0)
    this.#states.length = UNCACHED_STATES
  }
}
