/**
 * Compares texts for one request. What it compares for a request counts toward one limit, and long work runs in a worker
 * thread, so that no text can hold up other calls.
 */
import { extname } from 'node:path'
import { DIFF_PAIRS, DIFF_SECONDS } from '../base/limits.ts'
import { WorkerThread } from '../base/worker.ts'
import type { ComparedWords, LinePair } from './changed-words.ts'
import type { ComparisonResult, ComparisonTask } from './compare-texts.ts'
import type { ChangedText } from './unified-diff.ts'

/**
 * Length of texts and number of pairs up to which they are compared in this thread: a millisecond, less than starting a
 * worker takes.
 */
const SHORT_LENGTH = 50_000
const SHORT_PAIRS = 10_000

export class Comparer {
  #pairs: number
  #milliseconds = DIFF_SECONDS * 1000
  #queue: Promise<unknown> = Promise.resolve()

  /** @param pairs  pairs of lines and words that may be compared for the request */
  constructor(pairs = DIFF_PAIRS) {
    this.#pairs = pairs
  }

  /** Compares documents line by line. @returns a unified diff of each; coarse ones once the limit is reached */
  async compareDocuments(documents: readonly ChangedText[]): Promise<string[]> {
    return (await this.#compare({ documents, lines: [] })).diffs
  }

  /** Compares lines word by word. @returns `whole` for the remaining ones once the limit is reached */
  async compareLines(lines: readonly LinePair[]): Promise<ComparedWords[]> {
    return (await this.#compare({ documents: [], lines })).words
  }

  /** One after another, so that the same request has the same result each time. */
  #compare(task: Omit<ComparisonTask, 'pairs'>): Promise<ComparisonResult> {
    const result = this.#queue.then(() => this.#compareNext({ ...task, pairs: this.#pairs }))
    this.#queue = result.catch(() => {})
    return result
  }

  async #compareNext(task: ComparisonTask): Promise<ComparisonResult> {
    const result = (await compareShort(task)) ?? (await this.#compareInWorker(task))
    this.#pairs = result.left
    return result
  }

  async #compareInWorker(task: ComparisonTask): Promise<ComparisonResult> {
    if (this.#milliseconds > 0) {
      const { result, elapsed } = await worker.run(task, this.#milliseconds)
      this.#milliseconds -= elapsed
      if (result !== 'timeout') return result
      this.#milliseconds = 0
    }
    return compareHere({ ...task, pairs: 0 })
  }
}

/** Returns undefined for texts that take longer. */
async function compareShort(task: ComparisonTask): Promise<ComparisonResult | undefined> {
  const { documents, lines, pairs } = task
  const length = [...documents, ...lines].reduce((sum, { before, after }) => sum + before.length + after.length, 0)
  if (length > SHORT_LENGTH) return undefined
  if (pairs <= SHORT_PAIRS) return compareHere(task)
  const found = await compareHere({ ...task, pairs: SHORT_PAIRS })
  return found.isLimited ? undefined : { ...found, left: pairs - SHORT_PAIRS + found.left }
}

/** Loads the library only where something is compared. */
async function compareHere(task: ComparisonTask): Promise<ComparisonResult> {
  const { compareTexts } = await import('./compare-texts.ts')
  return compareTexts(task)
}

// One comparison after another: a second thread would only take the processor from the first. The file beside this one,
// as source or as built.
const worker = new WorkerThread<ComparisonTask, ComparisonResult>(
  new URL(`difference-worker${extname(import.meta.filename)}`, import.meta.url),
)
