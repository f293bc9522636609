/**
 * Two threads at most that search parts of texts. Parts of the scan that has used the least time go first, so that a
 * short scan does not wait for a long one; and parts that may take long have one thread among them, so that the other
 * is soon free for any that does not.
 */
import { extname } from 'node:path'
import type { ErrorBody } from '../base/errors.ts'
import { type WorkerResult, WorkerThread } from '../base/worker.ts'

/** What one thread searches in one go. */
export interface Part {
  source: string
  caseSensitive: boolean
  texts: readonly string[]
  most: number
}

/** For each text that matches its index, the number of its spans, and their bounds. */
export type Outcome = { found: Int32Array } | { error: ErrorBody }

export interface Asked {
  part: Part
  /** Milliseconds that the scan has used on threads, and those that this part may take at most. */
  used: number
  left: number
  /** Whether the part may take long. */
  heavy: boolean
}

interface Waiting extends Asked {
  resolve(done: WorkerResult<Outcome>): void
  reject(error: Error): void
}

const waiting: Waiting[] = []

/** What each thread runs. The file beside this one, as source or as built. */
const file = new URL(`scan-thread${extname(import.meta.filename)}`, import.meta.url)
const threads = [new WorkerThread<Part, Outcome>(file), new WorkerThread<Part, Outcome>(file)]
const running = new Map<WorkerThread<Part, Outcome>, Waiting>()

/** Searches a part when its turn has come. The time is counted from then on. */
export function searchAside(asked: Asked): Promise<WorkerResult<Outcome>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerResult<Outcome>>()
  waiting.push({ ...asked, resolve, reject })
  startNext()
  return promise
}

function startNext(): void {
  const isHeavyRunning = [...running.values()].some(({ heavy }) => heavy)
  const next = waiting
    .filter(({ heavy }) => !(heavy && isHeavyRunning))
    .reduce<Waiting | undefined>((least, other) => (least && least.used <= other.used ? least : other), undefined)
  const thread = threads.find((one) => !running.has(one))
  if (next === undefined || thread === undefined) return
  waiting.splice(waiting.indexOf(next), 1)
  running.set(thread, next)
  thread
    .run(next.part, next.left)
    .then(next.resolve, next.reject)
    .finally(() => {
      running.delete(thread)
      startNext()
    })
  startNext()
}
