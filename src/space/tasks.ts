/** What the rules of tasks add to a block that is one. */
import type { BlockFields, TaskInfo } from '../markdown/block.ts'
import { moment, resolveDate } from './dates.ts'
import type { Space } from './space.ts'

/**
 * A block's fields as they are stored: relative dates of its task resolved to days, and the moment stamped at which
 * it was done or canceled. Reopening clears the stamps; staying in a state keeps its moment.
 */
export function settleTask<Fields extends BlockFields>(space: Space, fields: Fields, before?: TaskInfo): Fields {
  if (fields.taskInfo === undefined) return fields
  const { completedAt: _done, canceledAt: _canceled, ...asked } = fields.taskInfo
  const settled: TaskInfo = { ...asked }
  if (asked.scheduleDate !== undefined) settled.scheduleDate = resolveDate(asked.scheduleDate, space)
  if (asked.deadlineDate !== undefined) settled.deadlineDate = resolveDate(asked.deadlineDate, space)
  const now = moment(space.now)
  if (asked.state === 'done') settled.completedAt = (before?.state === 'done' && before.completedAt) || now
  if (asked.state === 'canceled') settled.canceledAt = (before?.state === 'canceled' && before.canceledAt) || now
  return { ...fields, taskInfo: settled }
}
