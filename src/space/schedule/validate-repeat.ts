/**
 * Validates repeat rules before they are written, so that no part of a rule is ignored and every rule matches some day.
 */
import { invalid } from '../../base/errors.ts'
import { MAX_REPEAT_INTERVAL } from '../../base/limits.ts'
import type { CivilDate } from '../model/dates.ts'
import { FREQUENCIES, nextRepeatDate, type Repeat } from './repeats.ts'

/**
 * Refuses rules that match no day from their start on, that contain an empty list of days or months, or that have
 * settings of another frequency.
 *
 * The days of a flexible rule depend on the day of completion. It is validated as if the task were completed today.
 *
 * @param repeat  a rule with its dates resolved
 * @param dueDate  the day on which the task is due
 * @throws VALIDATION_ERROR
 */
export function validateRepeat(repeat: Repeat, dueDate: CivilDate | undefined, today: CivilDate): void {
  validateInterval(repeat)
  validateFrequency(repeat)
  validateLists(repeat)
  nextRepeatDate(repeat, dueDate, today)
}

function validateInterval({ interval = 1 }: Repeat): void {
  if (Number.isInteger(interval) && interval >= 1 && interval <= MAX_REPEAT_INTERVAL) return
  throw invalid(
    `Expected repeat.interval as a whole number from 1 to ${MAX_REPEAT_INTERVAL}, found ${interval}; ` +
      'count in larger steps of repeat.frequency.',
  )
}

function validateFrequency(repeat: Repeat): void {
  for (const other of FREQUENCIES) {
    if (other === repeat.frequency || !hasContent(repeat[other])) continue
    throw invalid(
      `Expected repeat.frequency ${other} for repeat.${other}, found ${repeat.frequency}; ` +
        `change the frequency or leave repeat.${other} out.`,
    )
  }
}

/** Clients that fill in every part leave unused ones empty: `{}`, `{ days: [] }`, `{ skipWeekends: false }`. */
const hasContent = (part: object = {}): boolean =>
  Object.values(part).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))

function validateLists(repeat: Repeat): void {
  for (const [key, list] of Object.entries(repeat[repeat.frequency] ?? {})) {
    if (!Array.isArray(list) || list.length > 0) continue
    const path = `repeat.${repeat.frequency}.${key}`
    const [one, many] = key === 'months' ? ['month', 'months'] : ['day', 'days']
    // `weekly` and `yearly` are meaningless without these lists. The other lists may be absent.
    const isRequired = path === 'repeat.weekly.days' || path === 'repeat.yearly.months'
    const absent = isRequired ? `repeat.${repeat.frequency}` : path
    throw invalid(`Expected at least one ${one} in ${path}, found none; name ${many} or leave ${absent} out.`)
  }
}
