/** Dates in UTC, which is the time zone of the proofs' spaces, and the effects of time on tasks. */
import { invalid, type Json, type Task } from './world.ts'

const DAY = 24 * 3600 * 1000
const FROM_TODAY: Record<string, number> = { today: 0, tomorrow: 1, yesterday: -1 }

export const moment = (time: number): string => new Date(time).toISOString()

export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)

export const daysBetween = (one: string, other: string): number => (Date.parse(other) - Date.parse(one)) / DAY

/** Resolves a date in the arguments of a call. @throws Refused for an invalid date */
export function dateOf(given: string, today: string): string {
  const relative = FROM_TODAY[given]
  if (relative !== undefined) return daysAfter(today, relative)
  const time = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== given) throw invalid()
  return given
}

export const dayInWords = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', {
    ...({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const),
  })

interface Clock {
  now: number
  today: string
}

/**
 * Normalizes a task: resolves its dates, and sets the time at which a stored task was closed. For a new one, none is
 * invented. A task that gets a rule and has no date gets the first day of the rule.
 */
export function normalizeTask(
  task: Task | undefined,
  before: Task | undefined,
  { now, today }: Clock,
): Task | undefined {
  if (task === undefined) return undefined
  const { completedAt: _done, canceledAt: _canceled, ...kept } = task
  const settled: Task = { ...kept }
  if (kept.scheduleDate !== undefined) settled.scheduleDate = dateOf(kept.scheduleDate, today)
  if (kept.deadlineDate !== undefined) settled.deadlineDate = dateOf(kept.deadlineDate, today)
  const isUndated = settled.scheduleDate === undefined && settled.deadlineDate === undefined
  if (kept.state === 'todo' && kept.repeat !== undefined && before?.repeat === undefined && isUndated)
    settled.scheduleDate = today
  if (before === undefined) return settled
  const changed = before.state === kept.state ? undefined : moment(now)
  const [done, canceled] = [before.completedAt ?? changed, before.canceledAt ?? changed]
  if (kept.state === 'done' && done !== undefined) settled.completedAt = done
  if (kept.state === 'canceled' && canceled !== undefined) settled.canceledAt = canceled
  return settled
}

/** Reschedules a repeating task that was done. Rules here have only a frequency of days or weeks and an interval. */
export function renewed(task: Task, today: string): Task {
  const { completedAt: _done, scheduleDate, deadlineDate, ...kept } = task
  const { type, frequency, interval = 1 } = (task.repeat ?? {}) as Json & { interval?: number }
  const from = type === 'fixed' ? (scheduleDate ?? deadlineDate ?? today) : today
  const next = daysAfter(from, interval * (frequency === 'weekly' ? 7 : 1))
  const again: Task = { ...kept, state: 'todo' }
  if (scheduleDate !== undefined || deadlineDate === undefined) again.scheduleDate = next
  if (deadlineDate !== undefined) {
    again.deadlineDate = scheduleDate === undefined ? next : daysAfter(next, daysBetween(scheduleDate, deadlineDate))
  }
  return again
}
