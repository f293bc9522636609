/** For how long a request holds up the server's event loop, and with it everybody else. */
import { setTimeout as pass } from 'node:timers/promises'
import type { AttackedServer } from './server.ts'

/** Milliseconds for which no request without a credential may hold the loop. */
export const HOLD = 50
/** The server looks at its loop every so many milliseconds. */
const RESOLUTION = 11
const TRIES = 3
/** Milliseconds that no busy machine explains: it is not tried again. */
const CERTAIN = 10 * HOLD

/**
 * Milliseconds for which `work` held the loop, as the server itself measured: the longest pause of its loop, and no more
 * than the processor time that it used meanwhile, since a busy machine pauses it as well. The best of several tries, of
 * which none is made once one is within {@link HOLD}. Nobody else may read the server's metrics meanwhile.
 */
export async function longestHold(server: AttackedServer, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let count = 0; count < TRIES && best > HOLD && (count === 0 || best < CERTAIN); count++) {
    const before = await server.metrics()
    // Reading resets the server's measurement, which sees a pause only once it has looked at the loop again.
    await pass(2 * RESOLUTION)
    await work()
    const after = await server.metrics()
    const pause = after('nodejs_eventloop_lag_max_seconds') * 1000 - RESOLUTION
    const busy = (after('process_cpu_seconds_total') - before('process_cpu_seconds_total')) * 1000
    best = Math.min(best, pause, busy)
  }
  return Math.round(best)
}
