/** What the rules of tasks add to a block that is one. Source: the interface's "States and transitions", its shapes, 4. */
import { ScriptoriumError } from '../../errors.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { between, type CivilDate, daysAfter, moment, resolveDate } from '../dates.ts'
import { nextDate, type Repeat } from '../repeats.ts'
import { checkRepeat } from '../repeats-check.ts'
import type { Space } from '../space.ts'

/**
 * A block's fields as they are stored: relative dates of its task resolved to days, and the moment stamped at which
 * it was done or canceled. Reopening clears the stamps; staying in a state keeps its moment.
 *
 * @throws VALIDATION_ERROR for a repeat that never comes round
 */
export function settleTask<Fields extends BlockFields>(space: Space, fields: Fields, before?: TaskInfo): Fields {
  if (fields.taskInfo === undefined) return fields
  const { completedAt: _done, canceledAt: _canceled, ...asked } = fields.taskInfo
  const settled: TaskInfo = { ...asked }
  if (asked.scheduleDate !== undefined) settled.scheduleDate = resolveDate(asked.scheduleDate, space)
  if (asked.deadlineDate !== undefined) settled.deadlineDate = resolveDate(asked.deadlineDate, space)
  if (asked.repeat !== undefined) settled.repeat = settleRepeat(space, asked.repeat as Repeat, settled, before)
  const stamp = (kept: string | undefined): string => (before?.state === asked.state && kept) || moment(space.now)
  if (asked.state === 'done') settled.completedAt = stamp(before?.completedAt)
  if (asked.state === 'canceled') settled.canceledAt = stamp(before?.canceledAt)
  return { ...fields, taskInfo: settled }
}

function settleRepeat(space: Space, repeat: Repeat, task: TaskInfo, before: TaskInfo | undefined): Repeat {
  const settled = { ...repeat }
  if (repeat.startDate !== undefined) settled.startDate = resolveDate(repeat.startDate, space)
  // A rule that was taken is not refused on the day on which its task is done.
  if (JSON.stringify(settled) === JSON.stringify(before?.repeat)) return settled
  checkRepeat(settled, dueDate(task), resolveDate('today', space))
  return settled
}

/** The day on which a task is due: its schedule date, else its deadline. */
export const dueDate = ({ scheduleDate, deadlineDate }: TaskInfo): CivilDate | undefined => scheduleDate ?? deadlineDate

/** Whether a change of fields completes a task that repeats. */
export const completesRepeat = (before: TaskInfo | undefined, { taskInfo, listStyle }: BlockFields): boolean =>
  listStyle === 'task' &&
  taskInfo?.repeat !== undefined &&
  taskInfo.state === 'done' &&
  (before?.state ?? 'todo') === 'todo'

/**
 * A repeating task that was completed, as it comes round again: to do, with its next date. The deadline keeps its
 * distance from the schedule date. None when it comes round no more.
 */
export function renewed<Fields extends BlockFields>(space: Space, fields: Fields): Fields | undefined {
  const { completedAt: _done, ...task } = fields.taskInfo ?? { state: 'todo' }
  const { scheduleDate, deadlineDate, repeat } = task
  const next = nextRound(repeat as Repeat, dueDate(task), resolveDate('today', space))
  if (next === undefined) return undefined
  const renewed: TaskInfo = { ...task, state: 'todo' }
  if (scheduleDate !== undefined || deadlineDate === undefined) renewed.scheduleDate = next
  if (deadlineDate !== undefined) {
    renewed.deadlineDate = scheduleDate === undefined ? next : daysAfter(next, between(scheduleDate, deadlineDate).days)
  }
  return { ...fields, taskInfo: renewed }
}

/**
 * A flexible rule counts from the day of completion, and there are days from which it never comes round: every seventh
 * day but no weekends, from a Saturday. Then it counts from the next day that will do.
 */
function nextRound(repeat: Repeat, had: CivilDate | undefined, today: CivilDate): CivilDate | undefined {
  for (let days = 0; days < DAYS_TRIED; days++) {
    try {
      return nextDate(repeat, had, daysAfter(today, days))
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
    }
  }
  return undefined
}

/** A week: what depends on weekdays comes round from one of its days. */
const DAYS_TRIED = 7
