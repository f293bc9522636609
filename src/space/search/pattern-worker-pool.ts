/**
 * Runs pattern scans in at most two worker threads. Chunks of the scan that has used the least time go first, so that a
 * short scan does not wait for a long one. Only one thread at a time runs chunks that may take long, so that the other
 * is soon free for short ones.
 */
import { extname } from 'node:path'
import { inBackground } from '../../base/background.ts'
import type { ErrorBody } from '../../base/errors.ts'
import { type WorkerResult, WorkerThread } from '../../base/worker.ts'

/** The input of a worker for one chunk. */
export interface PatternScanInput {
  source: string
  caseSensitive: boolean
  texts: readonly string[]
  most: number
}

/** For each matching text: its index, the number of its spans, and their bounds. */
export type PatternScanResult = { found: Int32Array } | { error: ErrorBody }

export interface PatternScanJob {
  part: PatternScanInput
  /** The time that the scan has used in workers, and the limit for this chunk, in milliseconds. */
  used: number
  left: number
  /** True if the chunk may take long. */
  heavy: boolean
}

interface QueuedJob extends PatternScanJob {
  resolve(done: WorkerResult<PatternScanResult>): void
  reject(error: Error): void
}

const queue: QueuedJob[] = []

/** The worker script next to this file, as source or compiled. */
const WORKER_FILE = new URL(`pattern-worker${extname(import.meta.filename)}`, import.meta.url)
const workers = [
  new WorkerThread<PatternScanInput, PatternScanResult>(WORKER_FILE),
  new WorkerThread<PatternScanInput, PatternScanResult>(WORKER_FILE),
]
const running = new Map<WorkerThread<PatternScanInput, PatternScanResult>, QueuedJob>()

/** Scans a chunk once a worker is free. The time limit applies from then on. */
export function scanInWorker(job: PatternScanJob): Promise<WorkerResult<PatternScanResult>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerResult<PatternScanResult>>()
  queue.push({ ...job, resolve, reject })
  startNext()
  return promise
}

function startNext(): void {
  const isHeavyRunning = [...running.values()].some(({ heavy }) => heavy)
  const next = queue
    .filter(({ heavy }) => !(heavy && isHeavyRunning))
    .reduce<QueuedJob | undefined>((least, other) => (least && least.used <= other.used ? least : other), undefined)
  const worker = workers.find((one) => !running.has(one))
  if (next === undefined || worker === undefined) return
  queue.splice(queue.indexOf(next), 1)
  running.set(worker, next)
  inBackground('search for a pattern', async () => {
    await worker.run(next.part, next.left).then(next.resolve, next.reject)
    running.delete(worker)
    startNext()
  })
  startNext()
}
