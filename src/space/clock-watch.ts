/** Notices a clock that jumps while the process runs: it was set, or the machine slept. */
import { formatCount } from '../base/format-number.ts'

/** A jump of more than a day is logged. */
export const CLOCK_JUMP_MS = 24 * 60 * 60_000

/**
 * Returns a clock that compares itself with one that cannot be set, and reports jumps of more than a day.
 *
 * @param clock  milliseconds since 1970
 * @param report  receives one sentence per jump
 * @param steady  milliseconds since any moment; never jumps
 */
export function watchClock(
  clock: () => number,
  report: (sentence: string) => void,
  steady: () => number = () => performance.now(),
): () => number {
  let [time, steadyTime] = [clock(), steady()]
  return () => {
    const [now, steadyNow] = [clock(), steady()]
    const expected = time + (steadyNow - steadyTime)
    if (Math.abs(now - expected) > CLOCK_JUMP_MS) report(jump(expected, now))
    time = now
    steadyTime = steadyNow
    return now
  }
}

function jump(expected: number, now: number): string {
  const days = Math.round(Math.abs(now - expected) / CLOCK_JUMP_MS)
  const difference = `${formatCount(days, 'day')} ${now > expected ? 'ahead' : 'back'}`
  return `The clock of this machine was set ${difference}, to ${formatTime(now)}, or the machine slept that long. Check that it is right: what expires, and when reminders come, depends on it.`
}

// A time beyond what dates can have is shown as its number.
const formatTime = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time))
