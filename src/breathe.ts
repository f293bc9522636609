/** Lets other calls have their turn in the middle of a long one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds that one call works on before others get their turn. */
const TURN = 10

let started = 0

/** Whether this thread has been at work for a while: asked in loops of so many that to await {@link breathe} adds up. */
export const isOver = (): boolean => performance.now() - started >= TURN

/**
 * Give way when this thread has been at work for a while; else go on at once. To be called often.
 *
 * One call gives way at a time: the others of this turn of the event loop begin a time slice of their own. Otherwise
 * every call that comes in before the turn ends would stop in its middle, short ones too, each with a connection to
 * the database.
 */
export async function breathe(): Promise<void> {
  if (!isOver()) return
  const from = performance.now()
  started = from
  await setImmediate()
  started = performance.now()
  hasWaited(started - from)
}

/** Measures the time that one call works: that in which it lets others work, or waits for a thread, does not count. */
export class WorkTime {
  readonly #started = performance.now()
  #waited = 0

  /** Milliseconds so far. */
  get spent(): number {
    return performance.now() - this.#started - this.#waited
  }

  wait(milliseconds: number): void {
    this.#waited += milliseconds
  }
}

const measured = new AsyncLocalStorage<WorkTime>()

/** Do work whose time is measured. */
export function measureWork<T>(work: (time: WorkTime) => Promise<T>): Promise<T> {
  const time = new WorkTime()
  return measured.run(time, work, time)
}

/** Say that the call at work has waited for so many milliseconds. */
export const hasWaited = (milliseconds: number): void => measured.getStore()?.wait(milliseconds)

/** The entries of a list one after another; between two of them it gives way as {@link breathe} does. */
export async function* eachInTurn<T>(list: Iterable<T>): AsyncGenerator<T, void> {
  for (const one of list) {
    yield one
    if (isOver()) await breathe()
  }
}

/** A list in parts of so many entries, for what is quicker for many of them than for each: as {@link eachInTurn}. */
export const partsInTurn = <T>(list: readonly T[], atOnce: number): AsyncGenerator<readonly T[], void> =>
  eachInTurn(partsOf(list, atOnce))

function* partsOf<T>(list: readonly T[], atOnce: number): Generator<readonly T[], void> {
  for (let from = 0; from < list.length; from += atOnce) yield list.slice(from, from + atOnce)
}

/** What is read for a list, however long, part by part. */
export async function readInParts<T, Read>(
  list: readonly T[],
  atOnce: number,
  read: (part: readonly T[]) => Promise<Read[]>,
): Promise<Read[]> {
  if (list.length <= atOnce) return read(list)
  const all: Read[] = []
  for await (const part of partsInTurn(list, atOnce)) for (const one of await read(part)) all.push(one)
  return all
}

/** Work that stops for a moment after each short part of it, and comes to a value. */
export type Parts<T> = Generator<void, T>

/** Do work part by part, and give way between two parts as {@link breathe} does. */
export async function inTurns<T>(work: Parts<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (isOver()) await breathe()
  }
}

/** Do work part by part without giving way, where it is known to be short. */
export function atOnce<T>(work: Parts<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
