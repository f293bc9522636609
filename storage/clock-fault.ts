/** Times that cannot be stored, because dates have years of four digits. */
import { StorageFault } from './storage-fault.ts'

/** The last millisecond of the year 9999. */
const LATEST_TIME = Date.UTC(10_000, 0) - 1

/** @param now  milliseconds since 1970 */
export const isWritableTime = (now: number): boolean => now <= LATEST_TIME

/** @throws StorageFault with CLOCK_WRONG after the year 9999. Until the clock is set, reading continues to work. */
export function assertWritableTime(now: number): void {
  if (!isWritableTime(now)) throw clockFault(now)
}

export const clockFault = (now: number): StorageFault =>
  new StorageFault(
    'CLOCK_WRONG',
    'Expected the clock of the server to show a year up to 9999, found a later one; nothing was written. Ask the person who runs the server to set its clock, then try again.',
    new Error(
      `Expected the clock of this machine to show a year up to 9999, found the year ${new Date(now).getUTCFullYear()}; set it. Until then, nothing is written.`,
    ),
  )
