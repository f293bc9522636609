/** What the rules of tasks add to a block that is one. Source: the interface's "States and transitions", its shapes, 4. */
import { ScriptoriumError } from '../../base/errors.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { addDays, type CivilDate, dateDifference, formatTimestamp, resolveDate } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import { nextRepeatDate, type Repeat } from './repeats.ts'
import { validateRepeat } from './validate-repeat.ts'

/**
 * A block's fields as they are stored: relative dates of its task resolved to days, and the moment stamped at which
 * it was done or canceled. Reopening clears the stamps; staying in a state keeps its moment.
 *
 * @throws VALIDATION_ERROR for a repeat that never comes round
 */
export function normalizeTask<Fields extends BlockFields>(space: Space, fields: Fields, before?: TaskInfo): Fields {
  if (fields.taskInfo === undefined) return fields
  const { completedAt: _done, canceledAt: _canceled, ...input } = fields.taskInfo
  const normalized: TaskInfo = { ...input }
  if (input.scheduleDate !== undefined) normalized.scheduleDate = resolveDate(input.scheduleDate, space)
  if (input.deadlineDate !== undefined) normalized.deadlineDate = resolveDate(input.deadlineDate, space)
  if (input.repeat !== undefined) normalized.repeat = normalizeRepeat(space, input.repeat as Repeat, normalized, before)
  const stamp = (previous: string | undefined): string =>
    (before?.state === input.state && previous) || formatTimestamp(space.now)
  if (input.state === 'done') normalized.completedAt = stamp(before?.completedAt)
  if (input.state === 'canceled') normalized.canceledAt = stamp(before?.canceledAt)
  return { ...fields, taskInfo: normalized }
}

function normalizeRepeat(space: Space, repeat: Repeat, task: TaskInfo, before: TaskInfo | undefined): Repeat {
  const normalized = { ...repeat }
  if (repeat.startDate !== undefined) normalized.startDate = resolveDate(repeat.startDate, space)
  // A rule that was taken is not refused on the day on which its task is done.
  if (JSON.stringify(normalized) === JSON.stringify(before?.repeat)) return normalized
  validateRepeat(normalized, dueDate(task), resolveDate('today', space))
  return normalized
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
export function repeatTask<Fields extends BlockFields>(space: Space, fields: Fields): Fields | undefined {
  const { completedAt: _done, ...task } = fields.taskInfo ?? { state: 'todo' }
  const { scheduleDate, deadlineDate, repeat } = task
  const next = findNextRepeatDate(repeat as Repeat, dueDate(task), resolveDate('today', space))
  if (next === undefined) return undefined
  const nextTask: TaskInfo = { ...task, state: 'todo' }
  if (scheduleDate !== undefined || deadlineDate === undefined) nextTask.scheduleDate = next
  if (deadlineDate !== undefined) {
    nextTask.deadlineDate =
      scheduleDate === undefined ? next : addDays(next, dateDifference(scheduleDate, deadlineDate).days)
  }
  return { ...fields, taskInfo: nextTask }
}

/**
 * A flexible rule counts from the day of completion, and there are days from which it never comes round: every seventh
 * day but no weekends, from a Saturday. Then it counts from the next day that will do.
 */
function findNextRepeatDate(repeat: Repeat, dueOn: CivilDate | undefined, today: CivilDate): CivilDate | undefined {
  for (let days = 0; days < MAX_DAYS_TRIED; days++) {
    try {
      return nextRepeatDate(repeat, dueOn, addDays(today, days))
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
    }
  }
  return undefined
}

/** A week: what depends on weekdays comes round from one of its days. */
const MAX_DAYS_TRIED = 7
