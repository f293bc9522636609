/**
 * Two threads at most that search parts of texts. Parts of the scan that has used the least time go first, so that a
 * short scan does not wait for a long one; and parts that may take long have one thread among them, so that the other
 * is soon free for any that does not.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ErrorBody } from '../errors.ts'

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

/** An outcome and the milliseconds it took; `late` if there was none in time. */
export type Answer = { outcome: Outcome | 'late'; took: number }

const THREADS = 2
/** Milliseconds after which an idle thread is given up; the next long scan starts another. */
const IDLE = 10_000

interface Waiting extends Asked {
  resolve(answer: Answer): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  running?: Waiting | undefined
  idle?: NodeJS.Timeout | undefined
}

const waiting: Waiting[] = []
const threads = new Set<Thread>()

/** Searches a part when its turn has come. The time is counted from then on. */
export function searchAside(asked: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  waiting.push({ ...asked, resolve, reject })
  startNext()
  return promise
}

function startNext(): void {
  const isHeavyRunning = [...threads].some(({ running }) => running?.heavy)
  const next = waiting
    .filter(({ heavy }) => !(heavy && isHeavyRunning))
    .reduce<Waiting | undefined>((least, other) => (least && least.used <= other.used ? least : other), undefined)
  const thread = next && freeThread()
  if (next === undefined || thread === undefined) return
  waiting.splice(waiting.indexOf(next), 1)
  void run(thread, next)
  startNext()
}

function freeThread(): Thread | undefined {
  for (const thread of threads) if (thread.running === undefined) return thread
  if (threads.size >= THREADS) return undefined
  // The file beside this one, as source or as built.
  const worker = new Worker(new URL(`scan-thread${extname(import.meta.filename)}`, import.meta.url))
  worker.unref()
  const thread = { worker }
  threads.add(thread)
  return thread
}

async function run(thread: Thread, asked: Waiting): Promise<void> {
  clearTimeout(thread.idle)
  thread.running = asked
  const from = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome | 'late'>()
  // This timer also keeps the process up, since the threads do not.
  const deadline = setTimeout(() => resolve('late'), asked.left)
  thread.worker.once('message', resolve).once('error', reject)
  thread.worker.postMessage(asked.part)
  try {
    const outcome = await promise
    if (outcome === 'late') end(thread)
    asked.resolve({ outcome, took: performance.now() - from })
  } catch (error) {
    end(thread)
    asked.reject(error as Error)
  } finally {
    clearTimeout(deadline)
    thread.worker.off('message', resolve).off('error', reject)
    thread.running = undefined
    if (threads.has(thread)) thread.idle = setTimeout(() => end(thread), IDLE).unref()
    startNext()
  }
}

function end(thread: Thread): void {
  threads.delete(thread)
  void thread.worker.terminate()
}
