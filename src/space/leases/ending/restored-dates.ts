/** The dates that a claim gave tasks, so that they can return to those of before when its lease ends. */
import type { BlockRow } from '../../../../storage/schema.ts'
import type { TaskInfo } from '../../../markdown/block.ts'
import { fieldsFromRow } from '../../blocks/block-rows.ts'
import { writeBlock } from '../../editing/write-block.ts'
import type { Space } from '../../model/space.ts'
import { dueDate } from '../../schedule/normalize-task.ts'

export const TASK_DATES = ['scheduleDate', 'deadlineDate'] as const

/** What a claim did to one date of one task. Days, or null for none. */
export interface RestoredDate {
  date: (typeof TASK_DATES)[number]
  written: string | null
  former: string | null
}

export const isRestoredDate = (one: object): one is RestoredDate => 'date' in one

/** Compares the dates of a task before a claim and after it. */
export const claimedDates = (before: BlockRow, after: BlockRow): RestoredDate[] =>
  TASK_DATES.flatMap((date) => {
    const [former, written] = [before, after].map((row) => fieldsFromRow(row).taskInfo?.[date] ?? null) as [
      string | null,
      string | null,
    ]
    return former === written ? [] : [{ date, written, former }]
  })

/**
 * Returns dates to what they were before a claim, where they still are as the claim wrote them. A repeating task that would
 * have no date keeps its own, since it would never come round.
 */
export async function restoreDates(
  space: Space,
  tasks: readonly { row: BlockRow; restores: readonly RestoredDate[] }[],
): Promise<void> {
  for (const { row, restores } of tasks) {
    const fields = fieldsFromRow(row)
    const returning = restores.filter(({ date, written }) => (fields.taskInfo?.[date] ?? null) === written)
    if (row.listStyle !== 'task' || returning.length === 0) continue
    const taskInfo: TaskInfo = { state: 'todo', ...fields.taskInfo }
    for (const { date, former } of returning) {
      if (former === null) delete taskInfo[date]
      else taskInfo[date] = former
    }
    if (taskInfo.repeat !== undefined && dueDate(taskInfo) === undefined) continue
    await writeBlock(space, row, { ...fields, taskInfo }, { keepsPlace: true })
  }
}
