/** Clocks that somebody has set: libfaketime shows a process another time of day. Steady clocks go on as they are. */
import { existsSync } from 'node:fs'

const LIBRARIES = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
const library = LIBRARIES.find((path) => existsSync(path))

/** Seconds by which clocks are set at most, back or forth. */
const MOST = 600

/** True if this machine has the library. */
export const canShiftClocks = library !== undefined

/** The environment of a process whose clock is set back or forth by minutes. @param random  from 0 to 1 */
export function shiftedClock(random: number): NodeJS.ProcessEnv {
  if (library === undefined) return {}
  const seconds = Math.round((random * 2 - 1) * MOST)
  const offset = `${seconds < 0 ? '' : '+'}${seconds}s`
  return { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
