/**
 * Runs an automaton over a text in one direction, without going back. Each run takes time proportional to the text.
 *
 * Offsets count UTF-16 code units and lie between whole characters. A lone surrogate is a character.
 */
import { type Automaton, DEAD, MATCHED_DEAD } from './automaton.ts'
import { classifyUnit, TEXT_EDGE } from './boundaries.ts'

/** A text, and for each offset in it one bit per lookaround that holds there. */
export interface SearchInput {
  text: string
  lookarounds: Uint8Array
}

// NaN, the code unit beyond the text, is neither.
const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00

/**
 * End of the first match from an offset on: the leftmost match, and the preferred one of those; -1 if there is none.
 *
 * @param soon  stop at the first place where any match ends, which suffices to tell whether there is one
 */
export function findEnd(automaton: Automaton, { text, lookarounds }: SearchInput, from: number, soon: boolean): number {
  const { alphabet, lookSymbols, asks } = automaton
  const { units, size } = alphabet
  const length = text.length
  let state = automaton.start(classifyUnit(text.charCodeAt(from - 1)), true, from)
  let moves = automaton.moves
  let end = -1
  let at = from
  for (;;) {
    const place = at
    let symbol = size
    if (at < length) {
      const unit = text.charCodeAt(at++)
      symbol = units[unit] as number
      if (isHigh(unit) && isLow(text.charCodeAt(at))) {
        symbol = alphabet.classOf(text.codePointAt(place) ?? 0)
        at++
      }
    }
    if (asks) symbol += lookSymbols[lookarounds[place] as number] as number
    let move = moves[state + symbol] as number
    if (move <= 0) {
      if (move === 0) {
        move = automaton.move(state, symbol, place)
        moves = automaton.moves
      }
      if (move === DEAD) break
      if (move < 0) {
        end = place
        if (soon || move === MATCHED_DEAD) break
        move = -move
      }
    }
    if (place >= length) break
    state = move
  }
  automaton.reached = at
  return end
}

/**
 * Start of the longest match that ends at an offset, not before `from`.
 *
 * @param automaton  for the pattern read backward
 */
export function findStart(automaton: Automaton, { text, lookarounds }: SearchInput, end: number, from: number): number {
  const { alphabet, lookSymbols, asks } = automaton
  const { units, size } = alphabet
  let state = automaton.start(classifyUnit(text.charCodeAt(end)), false, end)
  let start = end
  for (let at = end; ; ) {
    const place = at
    let symbol = size
    if (at > 0) {
      const unit = text.charCodeAt(--at)
      symbol = units[unit] as number
      if (isLow(unit) && isHigh(text.charCodeAt(at - 1))) {
        symbol = alphabet.classOf(text.codePointAt(--at) ?? 0)
      }
    }
    if (asks) symbol += lookSymbols[lookarounds[place] as number] as number
    let move = automaton.moves[state + symbol] as number
    if (move <= 0) {
      if (move === 0) move = automaton.move(state, symbol, place)
      if (move === DEAD) return start
      if (move < 0) {
        start = place
        if (move === MATCHED_DEAD) return start
        move = -move
      }
    }
    if (place <= from) return start
    state = move
  }
}

/** Sets the bit at each offset where a match ends. */
export function markEnds(automaton: Automaton, { text, lookarounds }: SearchInput, bit: number): void {
  const { alphabet, lookSymbols, asks } = automaton
  const { units, size } = alphabet
  const length = text.length
  let state = automaton.start(TEXT_EDGE, true, 0)
  let moves = automaton.moves
  for (let at = 0; ; ) {
    const place = at
    let symbol = size
    if (at < length) {
      const unit = text.charCodeAt(at++)
      symbol = units[unit] as number
      if (isHigh(unit) && isLow(text.charCodeAt(at))) {
        symbol = alphabet.classOf(text.codePointAt(place) ?? 0)
        at++
      }
    }
    if (asks) symbol += lookSymbols[lookarounds[place] as number] as number
    let move = moves[state + symbol] as number
    if (move <= 0) {
      if (move === 0) {
        move = automaton.move(state, symbol, place)
        moves = automaton.moves
      }
      if (move < 0 && move !== DEAD) {
        lookarounds[place] = (lookarounds[place] as number) | bit
        move = -move
      }
    }
    if (place >= length) return
    state = move
  }
}

/**
 * Sets the bit at each offset where a match begins.
 *
 * @param automaton  for the lookahead read backward
 */
export function markStarts(automaton: Automaton, { text, lookarounds }: SearchInput, bit: number): void {
  const { alphabet, lookSymbols, asks } = automaton
  const { units, size } = alphabet
  let state = automaton.start(TEXT_EDGE, true, text.length)
  let moves = automaton.moves
  for (let at = text.length; ; ) {
    const place = at
    let symbol = size
    if (at > 0) {
      const unit = text.charCodeAt(--at)
      symbol = units[unit] as number
      if (isLow(unit) && isHigh(text.charCodeAt(at - 1))) {
        symbol = alphabet.classOf(text.codePointAt(--at) ?? 0)
      }
    }
    if (asks) symbol += lookSymbols[lookarounds[place] as number] as number
    let move = moves[state + symbol] as number
    if (move <= 0) {
      if (move === 0) {
        move = automaton.move(state, symbol, place)
        moves = automaton.moves
      }
      if (move < 0 && move !== DEAD) {
        lookarounds[place] = (lookarounds[place] as number) | bit
        move = -move
      }
    }
    if (place <= 0) return
    state = move
  }
}
