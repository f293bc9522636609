/**
 * Finds repeating tasks that are completed twice. A completion moves the task to its next date, so a second one by a caller
 * that does not know of the first would skip a date.
 */
import { addedToLogbook, type PossibleCompletion, possibleCompletions } from '../../../storage/completions.ts'
import { systemDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { RECENT_CHANGE_SECONDS } from '../../base/limits.ts'
import type { BlockFields, TaskInfo } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
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
  const completion = await findCompletion(space, row, { found, logbook: logbook.n })
  if (completion === undefined || task === undefined) return false
  const { author, client, at } = completion
  const who = quotedName(author, client ?? undefined)
  space.notes.add(
    `Task ${space.spellId(row.id)} was completed by ${who} at ${formatTimestamp(at)} and is due on ${dueDate(task)} now, so it was not completed again; to do so, read it first or send expected: { scheduleDate }.`,
  )
  return true
}

/**
 * Finds the call that completed the task. A call that gave the task a later date by hand may have closed other tasks, so it
 * counts only if it left a copy of this one.
 */
async function findCompletion(
  space: Space,
  row: BlockRow,
  { found, logbook }: { found: readonly PossibleCompletion[]; logbook: number },
): Promise<PossibleCompletion | undefined> {
  const task = fieldsFromRow(row)
  for (const possible of found) {
    const { call, before, beforeNextText } = possible
    if (!isEarlier(fieldsBefore(row, before).taskInfo, task.taskInfo)) continue
    const { text = '' } = beforeNextText === null ? task : fieldsBefore(row, beforeNextText)
    if (await addedToLogbook(space.tx, { call, logbook, text: withoutComments(text) })) return possible
  }
  return undefined
}

/** @param before  the columns that a change had, as JSON */
function fieldsBefore(row: BlockRow, before: string): BlockFields {
  const { attributes = row.attributes, text = row.text } = JSON.parse(before) as Partial<BlockRow>
  return fieldsFromRow({ ...row, attributes, text })
}

/** True if a task came round from one state to the other. */
function isEarlier(before: TaskInfo | undefined, now: TaskInfo | undefined): boolean {
  if (before?.repeat === undefined || before.state !== 'todo' || now === undefined) return false
  const [was, is] = [dueDate(before), dueDate(now)]
  return is !== undefined && (was === undefined || was < is)
}
