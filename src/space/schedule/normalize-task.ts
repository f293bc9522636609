/** Applies the rules for tasks to a block. Source: the interface's "States and transitions", its shapes, 4. */
import { ScriptoriumError } from '../../base/errors.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { storedAssignee } from '../model/assignees.ts'
import { addDays, type CivilDate, dateDifference, formatTimestamp, resolveDate } from '../model/dates.ts'
import type { Space } from '../model/space.ts'
import { firstRepeatDate, keepDay, nextRepeatDate, type Repeat } from './repeats.ts'
import { validateRepeat } from './validate-repeat.ts'

/**
 * Returns a block's fields as they are stored. Relative dates of its task are resolved to days. The time of completion
 * or cancellation is set when the state of a stored task changes, unless the fields have one. Reopening removes that
 * time; a task whose state does not change keeps it. For what is new, none is invented.
 *
 * @param before  the stored task; absent for a block that was none
 * @throws VALIDATION_ERROR for a repeat rule that never matches a day
 */
export function normalizeTask<Fields extends BlockFields>(space: Space, fields: Fields, before?: TaskInfo): Fields {
  if (fields.taskInfo === undefined) return fields
  const { completedAt, canceledAt, ...input } = fields.taskInfo
  const normalized: TaskInfo = { ...input }
  if (input.scheduleDate !== undefined) normalized.scheduleDate = resolveDate(input.scheduleDate, space)
  if (input.deadlineDate !== undefined) normalized.deadlineDate = resolveDate(input.deadlineDate, space)
  if (input.repeat !== undefined) normalized.repeat = normalizeRepeat(space, input.repeat as Repeat, normalized, before)
  if (input.assignee !== undefined) normalized.assignee = storedAssignee(input.assignee)
  if (before === undefined) return { ...fields, taskInfo: normalized }
  const now = before.state === input.state ? undefined : formatTimestamp(space.now)
  const [done, canceled] = [completedAt ?? before.completedAt ?? now, canceledAt ?? before.canceledAt ?? now]
  if (input.state === 'done' && done !== undefined) normalized.completedAt = done
  if (input.state === 'canceled' && canceled !== undefined) normalized.canceledAt = canceled
  return { ...fields, taskInfo: normalized }
}

function normalizeRepeat(space: Space, repeat: Repeat, task: TaskInfo, before: TaskInfo | undefined): Repeat {
  const normalized = { ...repeat }
  if (repeat.startDate !== undefined) normalized.startDate = resolveDate(repeat.startDate, space)
  // A rule that was accepted once is not refused later, when its task is completed.
  if (JSON.stringify(normalized) === JSON.stringify(before?.repeat)) return normalized
  validateRepeat(normalized, dueDate(task), resolveDate('today', space))
  return normalized
}

/**
 * Gives a task that gets a rule, and that has no date, the first day of the rule. Without one it would be in no list by
 * date, and never come round.
 */
export function withFirstDate<Fields extends BlockFields>(space: Space, fields: Fields, before?: TaskInfo): Fields {
  const { taskInfo, listStyle } = fields
  const isOpen = listStyle === 'task' && taskInfo?.state === 'todo'
  if (!isOpen || taskInfo.repeat === undefined || before?.repeat !== undefined) return fields
  if (dueDate(taskInfo) !== undefined) return fields
  const scheduleDate = firstRepeatDate(taskInfo.repeat as Repeat, resolveDate('today', space))
  space.notes.add(FIRST_DATE_NOTE)
  return { ...fields, taskInfo: { ...taskInfo, scheduleDate } }
}

const FIRST_DATE_NOTE =
  'A repeating task without a date got the first day of its rule as scheduleDate; send scheduleDate to begin on another.'

/** The due day of a task: its schedule date, or its deadline if there is none. */
export const dueDate = ({ scheduleDate, deadlineDate }: TaskInfo): CivilDate | undefined => scheduleDate ?? deadlineDate

/** True if a change of fields completes a repeating task. */
export const completesRepeat = (before: TaskInfo | undefined, { taskInfo, listStyle }: BlockFields): boolean =>
  listStyle === 'task' &&
  taskInfo?.repeat !== undefined &&
  taskInfo.state === 'done' &&
  (before?.state ?? 'todo') === 'todo'

/**
 * Returns a completed repeating task for its next occurrence: open, with its next date. The deadline keeps its distance
 * from the schedule date. Returns undefined if there is no next occurrence.
 */
export function repeatTask<Fields extends BlockFields>(space: Space, fields: Fields): Fields | undefined {
  const { completedAt: _done, ...task } = fields.taskInfo ?? { state: 'todo' }
  const { scheduleDate, deadlineDate, repeat } = task
  const had = dueDate(task)
  const next = findNextRepeatDate(repeat as Repeat, had, resolveDate('today', space))
  if (next === undefined) return undefined
  const nextTask: TaskInfo = { ...task, state: 'todo' }
  if (had !== undefined) nextTask.repeat = keepDay(repeat as Repeat, had, next)
  if (scheduleDate !== undefined || deadlineDate === undefined) nextTask.scheduleDate = next
  if (deadlineDate !== undefined) {
    nextTask.deadlineDate =
      scheduleDate === undefined ? next : addDays(next, dateDifference(scheduleDate, deadlineDate).days)
  }
  return { ...fields, taskInfo: nextTask }
}

/**
 * Finds the next date. A flexible rule counts from the day of completion, and from some days it never matches: every
 * seventh day without weekends, from a Saturday. In that case it counts from the next day for which the rule matches.
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

/** One week: a rule that depends on weekdays matches when counted from one of its days. */
const MAX_DAYS_TRIED = 7
