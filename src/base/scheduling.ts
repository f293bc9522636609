/** Lets other calls have their turn in the middle of a long one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds that one call works on before others get their turn. */
const TIME_SLICE_MS = 10

let sliceStart = 0

/** Whether this thread has been at work for a while: asked in loops of so many that to await {@link yieldToEventLoop} adds up. */
export const timeSliceExpired = (): boolean => performance.now() - sliceStart >= TIME_SLICE_MS

/**
 * Give way when this thread has been at work for a while; else go on at once. To be called often.
 *
 * One call gives way at a time: the others of this turn of the event loop begin a time slice of their own. Otherwise
 * every call that comes in before the turn ends would stop in its middle, short ones too, each with a connection to
 * the database.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (!timeSliceExpired()) return
  const yieldStart = performance.now()
  sliceStart = yieldStart
  await setImmediate()
  sliceStart = performance.now()
  recordWait(sliceStart - yieldStart)
}

/** Measures the time that one call works: that in which it lets others work, or waits for a thread, does not count. */
export class WorkTimer {
  readonly #started = performance.now()
  #waitTime = 0

  /** Milliseconds so far. */
  get elapsed(): number {
    return performance.now() - this.#started - this.#waitTime
  }

  addWait(milliseconds: number): void {
    this.#waitTime += milliseconds
  }
}

const currentTimer = new AsyncLocalStorage<WorkTimer>()

/** Do work whose time is measured. */
export function measureWorkTime<T>(work: (time: WorkTimer) => Promise<T>): Promise<T> {
  const timer = new WorkTimer()
  return currentTimer.run(timer, work, timer)
}

/** Say that the call at work has waited for so many milliseconds. */
export const recordWait = (milliseconds: number): void => currentTimer.getStore()?.addWait(milliseconds)

/** The entries of a list one after another; between two of them it gives way as {@link yieldToEventLoop} does. */
export async function* iterateCooperatively<T>(list: Iterable<T>): AsyncGenerator<T, void> {
  for (const entry of list) {
    yield entry
    if (timeSliceExpired()) await yieldToEventLoop()
  }
}

/** A list in parts of so many entries, for what is quicker for many of them than for each: as {@link iterateCooperatively}. */
export const chunks = <T>(list: readonly T[], chunkSize: number): AsyncGenerator<readonly T[], void> =>
  iterateCooperatively(splitIntoChunks(list, chunkSize))

function* splitIntoChunks<T>(list: readonly T[], chunkSize: number): Generator<readonly T[], void> {
  for (let from = 0; from < list.length; from += chunkSize) yield list.slice(from, from + chunkSize)
}

/** What is read for a list, however long, part by part. */
export async function readInChunks<T, Read>(
  list: readonly T[],
  chunkSize: number,
  read: (part: readonly T[]) => Promise<Read[]>,
): Promise<Read[]> {
  if (list.length <= chunkSize) return read(list)
  const all: Read[] = []
  for await (const chunk of chunks(list, chunkSize)) for (const entry of await read(chunk)) all.push(entry)
  return all
}

/** Work that stops for a moment after each short part of it, and comes to a value. */
export type Steps<T> = Generator<void, T>

/** Do work part by part, and give way between two parts as {@link yieldToEventLoop} does. */
export async function runCooperatively<T>(work: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (timeSliceExpired()) await yieldToEventLoop()
  }
}

/** Do work part by part without giving way, where it is known to be short. */
export function runToCompletion<T>(work: Steps<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
