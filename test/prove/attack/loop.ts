/** Measures how long a request blocks the server's event loop, and with it every other client. */
import { setTimeout as pass } from 'node:timers/promises'
import type { AttackedServer } from './server.ts'

/** Milliseconds for which an unauthenticated request may block the event loop at most. */
export const HOLD = 50
/** The interval in milliseconds at which the server samples its event loop. */
const RESOLUTION = 11
const TRIES = 3
/** Milliseconds that a busy machine cannot explain. A longer measurement is not repeated. */
const CERTAIN = 10 * HOLD

/**
 * Returns the milliseconds for which `work` blocked the loop, as the server itself measured: its longest pause, but no
 * more than the processor time that it used in the meantime, since a busy machine pauses it as well. The result is the
 * best of several tries; the tries end with the first that is within {@link HOLD}. No one else may read the server's
 * metrics in the meantime.
 */
export async function longestHold(server: AttackedServer, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let count = 0; count < TRIES && best > HOLD && (count === 0 || best < CERTAIN); count++) {
    const before = await server.metrics()
    // Reading resets the server's measurement. The server notices a pause only at its next sample of the loop.
    await pass(2 * RESOLUTION)
    await work()
    const after = await server.metrics()
    const pause = after('nodejs_eventloop_lag_max_seconds') * 1000 - RESOLUTION
    const busy = (after('process_cpu_seconds_total') - before('process_cpu_seconds_total')) * 1000
    best = Math.min(best, pause, busy)
  }
  return Math.round(best)
}
