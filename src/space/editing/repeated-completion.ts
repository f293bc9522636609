/**
 * Finds repeating tasks that are completed twice. A completion moves the task to its next date, so a second one by a caller
 * that does not know of the first would skip a date.
 */
import { possibleCompletions } from '../../../storage/completions.ts'
import { systemDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { RECENT_CHANGE_SECONDS } from '../../base/limits.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { formatTimestamp } from '../model/dates.ts'
import { quotedName } from '../model/names.ts'
import type { Space } from '../model/space.ts'
import { dueDate } from '../schedule/normalize-task.ts'

/**
 * Reports whether a repeating task was completed within a minute, by anybody, and the caller has not read it since, or
 * earlier in this call. If so, a note says what was done and when the task is due.
 *
 * @param row  the task, which is open
 */
export async function wasJustCompleted(space: Space, row: BlockRow): Promise<boolean> {
  if (space.completedTasks.has(row.n)) {
    const due = dueDate(fieldsFromRow(row).taskInfo ?? { state: 'todo' })
    space.notes.add(
      `Task ${space.spellId(row.id)} was completed earlier in this call and is due on ${due} now, so it was not completed again; to do so, send expected: { scheduleDate }.`,
    )
    return true
  }
  const since = space.now - RECENT_CHANGE_SECONDS * 1_000
  if ((row.modifiedAt ?? 0) < since) return false
  const logbook = await systemDocument(space.tx, 'logbook')
  if (logbook === undefined) return false
  const after = space.seenRows.lastRead(space.link, row.id) ?? 0
  const found = await possibleCompletions(space.tx, { task: row.n, logbook: logbook.n, after, since })
  const task = fieldsFromRow(row).taskInfo
  const completion = found.find(({ before }) => isEarlier(taskBefore(row, before), task))
  if (completion === undefined || task === undefined) return false
  const { author, client, at } = completion
  const who = quotedName(author, client ?? undefined)
  space.notes.add(
    `Task ${space.spellId(row.id)} was completed by ${who} at ${formatTimestamp(at)} and is due on ${dueDate(task)} now, so it was not completed again; to do so, read it first or send expected: { scheduleDate }.`,
  )
  return true
}

/** @param before  the columns that a change had, as JSON */
function taskBefore(row: BlockRow, before: string): TaskInfo | undefined {
  const { attributes = row.attributes } = JSON.parse(before) as { attributes?: string | null }
  const fields: BlockFields = fieldsFromRow({ ...row, attributes })
  return fields.taskInfo
}

/** True if a task came round from one state to the other. */
function isEarlier(before: TaskInfo | undefined, now: TaskInfo | undefined): boolean {
  if (before?.repeat === undefined || before.state !== 'todo' || now === undefined) return false
  const [was, is] = [dueDate(before), dueDate(now)]
  return is !== undefined && (was === undefined || was < is)
}
