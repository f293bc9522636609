/** Compares texts within a count of pairs. Runs in this thread, or in a worker thread. */
import { type ComparedWords, compareWords, type LinePair } from './changed-words.ts'
import { PairCount } from './pair-count.ts'
import { type ChangedText, writeUnifiedDiff } from './unified-diff.ts'

/** What is to be compared: documents line by line, and lines word by word. */
export interface ComparisonTask {
  documents: readonly ChangedText[]
  lines: readonly LinePair[]
  /** Pairs of lines and words that may be compared. */
  pairs: number
}

export interface ComparisonResult {
  /** A unified diff of each document. */
  diffs: string[]
  /** The words of each pair of lines. */
  words: ComparedWords[]
  /** Pairs that may still be compared. */
  left: number
  /** True if there were too few. */
  isLimited: boolean
}

export function compareTexts({ documents, lines, pairs }: ComparisonTask): ComparisonResult {
  const count = new PairCount(pairs)
  return {
    diffs: documents.map((one) => writeUnifiedDiff(one, count)),
    words: lines.map((one) => compareWords(one, count)),
    left: count.left,
    isLimited: count.isReached,
  }
}
