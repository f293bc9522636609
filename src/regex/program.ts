/**
 * Compiles a syntax tree to a program for a nondeterministic automaton, with Thompson's construction.
 *
 * A step consumes a character, splits in two (the first is preferred), checks an assertion or a lookaround, saves the
 * offset, or ends a match.
 */

import type { Alphabet } from './alphabet.ts'
import { programTooLarge } from './pattern-errors.ts'
import { PATTERN_STEPS } from './pattern-limits.ts'
import { type Assertion, canBeEmpty, type Lookaround, type Node } from './pattern-tree.ts'
import { ALL_CHARACTERS } from './ranges.ts'

export const CONSUME = 0
export const SPLIT = 1
export const ASSERT = 2
export const LOOKAROUND = 3
export const SAVE = 4
export const MATCH = 5

export const ASSERTIONS: readonly Assertion[] = ['textStart', 'textEnd', 'lineStart', 'lineEnd', 'word', 'notWord']
/** The equivalent assertion when the text is read backward: the sides of each place are swapped. */
const MIRRORED: Readonly<Record<Assertion, Assertion>> = {
  textStart: 'textEnd',
  textEnd: 'textStart',
  lineStart: 'lineEnd',
  lineEnd: 'lineStart',
  word: 'word',
  notWord: 'notWord',
}

export interface Program {
  length: number
  kind: Uint8Array
  /**
   * TAKE: its set. SPLIT: the second alternative. ASSERT: index in {@link ASSERTIONS}. LOOK: bit × 2, plus 1 if
   * negative. SAVE: the slot.
   */
  extra: Int32Array
  /** The next step; for SPLIT, the preferred one. */
  next: Int32Array
  /** `takes[set * stride + class]` is 1 if the set contains the class. */
  takes: Uint8Array
  stride: number
  /** First step of a match that begins at the current place. */
  start: number
  /** First step of a match that begins at the current place or, less preferred, anywhere after it. */
  search: number
  /** Bits of the lookarounds that the program uses. */
  lookarounds: number
  /** Bits of the assertions that the program uses, as indexed in {@link ASSERTIONS}. */
  asserts: number
}

export interface Direction {
  /** True to read the text from end to start. */
  backward: boolean
}

/**
 * @param lookarounds  all lookarounds of the pattern; the index of each is its bit
 * @throws PatternError if there are more steps than {@link PATTERN_STEPS}
 */
export function compileTree(
  tree: Node,
  lookarounds: readonly Lookaround[],
  alphabet: Alphabet | undefined,
  { backward }: Direction,
): Program {
  const kind: number[] = []
  const extra: number[] = []
  const next: number[] = []
  let bits = 0
  let asserts = 0
  let repetitionPlace = 1

  const add = (stepKind: number, after: number, operand = 0): number => {
    if (kind.length >= PATTERN_STEPS) throw programTooLarge(repetitionPlace)
    kind.push(stepKind)
    next.push(after)
    extra.push(operand)
    return kind.length - 1
  }
  const split = (greedy: boolean, into: number, past: number): number =>
    greedy ? add(SPLIT, into, past) : add(SPLIT, past, into)

  /**
   * Adds the steps of a node that continue at `after`, and returns the first. Steps are written from the end to the
   * start.
   */
  const write = (node: Node, after: number): number => {
    switch (node.kind) {
      case 'set':
        return add(CONSUME, after, alphabet?.indexOf(node.set))
      case 'sequence': {
        const items = backward ? node.items : node.items.toReversed()
        return items.reduce((following, item) => write(item, following), after)
      }
      case 'choice':
        return node.items.map((item) => write(item, after)).reduceRight((second, first) => add(SPLIT, first, second))
      case 'group':
        if (backward) return write(node.item, after)
        return add(SAVE, write(node.item, add(SAVE, after, node.index * 2 + 1)), node.index * 2)
      case 'assertion': {
        const what = ASSERTIONS.indexOf(backward ? MIRRORED[node.what] : node.what)
        asserts |= 1 << what
        return add(ASSERT, after, what)
      }
      case 'look': {
        const bit = lookarounds.indexOf(node)
        bits |= 1 << bit
        return add(LOOKAROUND, after, bit * 2 + (node.negative ? 1 : 0))
      }
      case 'repeat':
        return writeRepeat(node, after)
    }
  }

  const writeRepeat = (node: Node & { kind: 'repeat' }, after: number): number => {
    const { item, min, max, greedy } = node
    const outer = repetitionPlace
    repetitionPlace = node.at
    let step = after
    if (max === Infinity) {
      // x* is x+ or empty, and x{3,} is xx followed by x+. If the item can be empty, the way out must not pass through
      // the item, or (|a)* would differ from RE2.
      const loop = split(greedy, 0, after)
      const body = write(item, loop)
      if (greedy) next[loop] = body
      else extra[loop] = body
      if (min > 0) step = body
      else step = canBeEmpty(item) ? split(greedy, body, after) : loop
      step = writeTimes(item, min - 1, step)
    } else {
      // x{2,4} is xx(x(x)?)?
      for (let count = min; count < max; count++) step = split(greedy, write(item, step), after)
      step = writeTimes(item, min, step)
    }
    repetitionPlace = outer
    return step
  }

  const writeTimes = (item: Node, times: number, after: number): number => {
    let step = after
    for (let count = 0; count < times; count++) {
      const before = write(item, step)
      // Repeating an empty item adds no steps.
      if (before === step) break
      step = before
    }
    return step
  }

  const start = write(tree, add(MATCH, 0))
  const search = add(SPLIT, start)
  extra[search] = add(CONSUME, search, alphabet?.indexOf(ALL_CHARACTERS))
  return {
    length: kind.length,
    kind: Uint8Array.from(kind),
    extra: Int32Array.from(extra),
    next: Int32Array.from(next),
    takes: alphabet?.sets ?? new Uint8Array(0),
    stride: (alphabet?.size ?? 0) + 1,
    start,
    search,
    lookarounds: bits,
    asserts,
  }
}
