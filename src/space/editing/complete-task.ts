/** Handles changes of a task's state, whichever tool makes them. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { followTask } from '../reminders/repeat-reminders.ts'
import { completesRepeat, normalizeTask, repeatTask, withFirstDate } from '../schedule/normalize-task.ts'
import { insertAllBlockTrees } from './insert-blocks.ts'
import { wasJustCompleted } from './repeated-completion.ts'

/**
 * Returns the fields to store for a block after a change. If the change completes a repeating task, the task is open
 * again with its next date, and a completed copy goes to the logbook. If there is no next date, the task stays done.
 *
 * @param row  the block before the change
 * @param options.keepsTaskTimes  true for a task whose dates are those of its source
 * @param options.knowsDate  true if the caller has named the date of a repeating task it completes, and it is that one
 * @throws VALIDATION_ERROR for a repeat rule that never matches a day
 */
export async function applyTaskChange<Fields extends BlockFields>(
  space: Space,
  row: BlockRow,
  fields: Fields,
  { keepsTaskTimes = false, knowsDate = false }: { keepsTaskTimes?: boolean; knowsDate?: boolean } = {},
): Promise<Fields> {
  const before = fieldsFromRow(row)
  const task = before.listStyle === 'task' ? (before.taskInfo ?? { state: 'todo' }) : before.taskInfo
  const changed = normalizeTask(space, fields, task)
  const normalized = keepsTaskTimes ? changed : withFirstDate(space, changed, task)
  const completes = completesRepeat(before.taskInfo, normalized)
  if (completes && !knowsDate && before.taskInfo && (await wasJustCompleted(space, row)))
    return { ...normalized, taskInfo: before.taskInfo }
  const repeated = completes ? repeatTask(space, normalized) : undefined
  await followTask(space, row, before, repeated ?? normalized)
  if (repeated === undefined) return normalized
  space.completedTasks.add(row.n)
  await addLogbookCopy(space, normalized)
  return repeated
}

/** Copies the text and the dates of this occurrence. The content of a page stays with the task. */
async function addLogbookCopy(space: Space, { text, taskInfo }: BlockFields): Promise<void> {
  const { repeat: _repeat, ...done } = taskInfo ?? { state: 'done' }
  const copy: BlockFields = { type: 'text', text: withoutComments(text), listStyle: 'task', taskInfo: done }
  const target = { parent: await getOrCreateSystemDocument(space, 'logbook'), at: 'start' } as const
  await insertAllBlockTrees(space, [{ blocks: [copy], target }], { keepsTaskTimes: true })
}
