/** Reads calendars of others in a worker thread, so that no file can hold up other calls. */
import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { CALENDAR_MEMORY_MEGABYTES, CALENDAR_SECONDS } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import type { ExpandedCalendar, ExpandedDays } from './expand-calendar.ts'

export type CalendarWork = { text: string } | { text: string; days: ExpandedDays }
export type CalendarWorkResult = KeptCalendar | ExpandedCalendar

/** What is kept of a calendar. */
export interface KeptCalendar {
  text: string
  /** As its owner calls it. */
  name?: string
  /** Events that were left out, since there are too many or they are too long. */
  leftOut: number
}

/** A calendar that takes too much time or memory. */
export const TOO_SLOW = 'reading it takes too long'

/** @returns {@link TOO_SLOW} for one that cannot be read in time */
export const keepCalendar = (text: string): Promise<KeptCalendar | typeof TOO_SLOW> =>
  run<KeptCalendar>({ text }, CALENDAR_SECONDS * 1000)

/**
 * The events of a calendar on some days. What was found for a text is remembered for a while.
 *
 * @param milliseconds  of work that it may take
 * @returns {@link TOO_SLOW} for one that cannot be read in time
 */
export async function expandKept(
  text: string,
  days: ExpandedDays,
  milliseconds = CALENDAR_SECONDS * 1000,
): Promise<ExpandedCalendar | typeof TOO_SLOW> {
  const place = JSON.stringify([hash('sha256', text), days.from, days.to, days.timezone])
  const known = remembered.get(place)
  if (known !== undefined) return known
  const found = await run<ExpandedCalendar>({ text, days }, milliseconds)
  if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
  remembered.set(place, found)
  return found
}

/** Months of calendars that are remembered, the latest ones. */
const REMEMBERED = 100
const remembered = new Map<string, ExpandedCalendar | typeof TOO_SLOW>()

async function run<Result extends CalendarWorkResult>(
  work: CalendarWork,
  milliseconds: number,
): Promise<Result | typeof TOO_SLOW> {
  try {
    const { result } = await worker.run(work, milliseconds)
    return result === 'timeout' ? TOO_SLOW : (result as Result)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return TOO_SLOW
    throw error
  }
}

// The file beside this one, as source or as built.
const worker = new WorkerThread<CalendarWork, CalendarWorkResult>(
  new URL(`calendar-worker${extname(import.meta.filename)}`, import.meta.url),
  { maxOldGenerationSizeMb: CALENDAR_MEMORY_MEGABYTES },
)
