/** Compares a line with the line that replaced it, word by word. */
import { diffArrays, wordsWithSpaceDiff } from 'diff'
import type { PairCount } from './pair-count.ts'
import type { Sign } from './unified-diff.ts'

export interface LinePair {
  before: string
  after: string
}

/** Words in sequence to which the same happened. */
export interface WordRun {
  sign: Sign
  text: string
}

/** `whole` if too many pairs of words would have to be compared, or if the lines have little in common. */
export type ComparedWords = WordRun[] | { whole: 'too long' | 'different' }

export function compareWords({ before, after }: LinePair, pairs: PairCount): ComparedWords {
  if (before === '' || after === '') return { whole: 'different' }
  // Splitting a line into words takes as long as comparing them if nothing changed.
  if (!pairs.suffices(Math.max(before.length, after.length))) return { whole: 'too long' }
  const [old, now] = [wordsIn(before), wordsIn(after)]
  const changes = pairs.within(() => diffArrays(old, now, { comparator: pairs.areEqual }))
  if (changes === undefined) return { whole: 'too long' }
  const runs = changes.map(({ value, added, removed }): WordRun => {
    return { sign: added ? '+' : removed ? '-' : ' ', text: value.join('') }
  })
  const common = runs.reduce((sum, { sign, text }) => sum + (sign === ' ' ? text.trim().length : 0), 0)
  const isSimilar = common * 3 >= Math.min(before.trim().length, after.trim().length)
  return isSimilar ? runs : { whole: 'different' }
}

const wordsIn = (line: string): string[] => [...wordsWithSpaceDiff.tokenize(line)]
