/** Keeps the event loop responsive: long operations run in chunks and yield to other calls in between. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Steps } from './work-steps.ts'

/** Milliseconds that one call may run before it yields. */
const TIME_SLICE_MS = 10

let sliceStart = 0

/**
 * True once the current time slice is used up. Cheap enough to check in tight loops, where awaiting {@link
 * yieldToEventLoop} every time would add up.
 */
export function timeSliceExpired(): boolean {
  onCheckpoint?.()
  return performance.now() - sliceStart >= TIME_SLICE_MS
}

let onCheckpoint: (() => void) | undefined

/** Calls `observer` at each point at which work may yield, so that tests can count the work between two of them. */
export function observeCheckpoints(observer: (() => void) | undefined): void {
  onCheckpoint = observer
}

/**
 * Yields to the event loop if the current time slice is used up; otherwise returns at once. Call it often.
 *
 * Only one call yields per turn of the event loop; the others of that turn start a new time slice. Otherwise every call
 * that arrives before the turn ends would pause midway, short ones included, each holding a database connection.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (timeSliceExpired()) await yieldNow()
}

/** The same for callers that have just checked {@link timeSliceExpired}. */
export async function yieldNow(): Promise<void> {
  const yieldStart = performance.now()
  sliceStart = yieldStart
  await setImmediate()
  sliceStart = performance.now()
  recordWait(sliceStart - yieldStart)
}

/** Measures the working time of one call. Time spent yielding or waiting for a worker thread does not count. */
export class WorkTimer {
  readonly #started = performance.now()
  #waitTime = 0

  /** Working time so far, in milliseconds. */
  get elapsed(): number {
    return performance.now() - this.#started - this.#waitTime
  }

  addWait(milliseconds: number): void {
    this.#waitTime += milliseconds
  }
}

const currentTimer = new AsyncLocalStorage<WorkTimer>()

/** Runs work and measures its time. */
export function measureWorkTime<T>(work: (time: WorkTimer) => Promise<T>): Promise<T> {
  const timer = new WorkTimer()
  return currentTimer.run(timer, work, timer)
}

/** Records that the current call has waited for this many milliseconds. */
export const recordWait = (milliseconds: number): void => currentTimer.getStore()?.addWait(milliseconds)

/** Iterates over a list and yields to the event loop between entries, like {@link yieldToEventLoop}. */
export async function* iterateCooperatively<T>(list: Iterable<T>): AsyncGenerator<T, void> {
  for (const entry of list) {
    yield entry
    if (timeSliceExpired()) await yieldNow()
  }
}

/**
 * Splits a list into chunks, for work that is faster per batch than per entry. Yields like {@link
 * iterateCooperatively}.
 */
export const chunks = <T>(list: readonly T[], chunkSize: number): AsyncGenerator<readonly T[], void> =>
  iterateCooperatively(splitIntoChunks(list, chunkSize))

function* splitIntoChunks<T>(list: readonly T[], chunkSize: number): Generator<readonly T[], void> {
  for (let from = 0; from < list.length; from += chunkSize) yield list.slice(from, from + chunkSize)
}

/** Reads the results for a list of any length, one chunk at a time. */
export async function readInChunks<T, Read>(
  list: readonly T[],
  chunkSize: number,
  read: (chunk: readonly T[]) => Promise<Read[]>,
): Promise<Read[]> {
  if (list.length <= chunkSize) return read(list)
  const all: Read[] = []
  for await (const chunk of chunks(list, chunkSize)) for (const entry of await read(chunk)) all.push(entry)
  return all
}

/** Runs the steps and yields between them, like {@link yieldToEventLoop}. */
export async function runCooperatively<T>(work: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (timeSliceExpired()) await yieldNow()
  }
}
