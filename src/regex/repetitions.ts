/** Repetitions: `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`. */

import { tooManyNested, tooManyRepetitions, unexpectedText } from './pattern-errors.ts'
import { PATTERN_REPETITIONS } from './pattern-limits.ts'
import type { Reader } from './pattern-reader.ts'
import type { Node } from './pattern-tree.ts'

export interface Counts {
  min: number
  max: number
}

const REPETITION_SIGNS: ReadonlyMap<string, Counts> = new Map(
  Object.entries({
    '*': { min: 0, max: Infinity },
    '+': { min: 1, max: Infinity },
    '?': { min: 0, max: 1 },
  }),
)

/** Reads a repetition. Returns undefined and reads nothing if there is none: any other brace is a literal. */
export function readCounts(reader: Reader): Counts | undefined {
  const sign = REPETITION_SIGNS.get(reader.peek())
  if (sign !== undefined) {
    reader.next()
    return sign
  }
  const from = reader.at
  const counts = readBraces(reader)
  if (counts === undefined) {
    reader.at = from
    return undefined
  }
  const text = reader.since(from)
  const most = counts.max === Infinity ? counts.min : Math.max(counts.min, counts.max)
  if (most > PATTERN_REPETITIONS) throw tooManyRepetitions(text, from + 1)
  if (counts.min > counts.max) {
    throw unexpectedText('a repetition from a lower to a higher count', text, from + 1, 'swap the counts')
  }
  return counts
}

function readBraces(reader: Reader): Counts | undefined {
  if (!reader.accept('{')) return undefined
  const first = reader.takeWhile(/\d/)
  const comma = reader.accept(',')
  const second = reader.takeWhile(/\d/)
  if (first === '' || !reader.accept('}')) return undefined
  const min = Number(first)
  if (!comma) return { min, max: min }
  return { min, max: second === '' ? Infinity : Number(second) }
}

/**
 * Rejects nested repetitions whose counts multiply beyond the limit, such as `(a{0,100}){0,100}`: expanded, each would
 * be a step of its own.
 */
export function checkRepetitions(node: Node, outer = 1): void {
  switch (node.kind) {
    case 'repeat': {
      const most = Math.max(1, node.min, node.max === Infinity ? 1 : node.max)
      const product = outer * most
      if (product > PATTERN_REPETITIONS) throw tooManyNested(product, node.at)
      checkRepetitions(node.item, product)
      return
    }
    case 'sequence':
    case 'choice':
      for (const item of node.items) checkRepetitions(item, outer)
      return
    case 'group':
    case 'look':
      checkRepetitions(node.item, outer)
      return
    case 'set':
    case 'assertion':
      return
  }
}
