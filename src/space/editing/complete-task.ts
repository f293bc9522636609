/** What becomes of a block when the state of its task changes, whichever tool changes it. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import type { Space } from '../model/space.ts'
import { getOrCreateSystemDocument } from '../model/system-documents.ts'
import { followTask } from '../reminders/repeat-reminders.ts'
import { completesRepeat, normalizeTask, repeatTask } from '../schedule/normalize-task.ts'
import { insertBlockTrees } from './insert-blocks.ts'

/**
 * The fields of a block after a change, as they are stored. A repeating task that was completed comes round again: it
 * is to do with its next date, and a completed copy is left in the logbook. One that comes round no more stays done.
 *
 * @param row  the block as it was
 * @throws VALIDATION_ERROR for a repeat that never comes round
 */
export async function applyTaskChange<Fields extends BlockFields>(
  space: Space,
  row: BlockRow,
  fields: Fields,
): Promise<Fields> {
  const before = fieldsFromRow(row)
  const normalized = normalizeTask(space, fields, before.taskInfo)
  const repeated = completesRepeat(before.taskInfo, normalized) ? repeatTask(space, normalized) : undefined
  await followTask(space, row, before, repeated ?? normalized)
  if (repeated === undefined) return normalized
  await addLogbookCopy(space, normalized)
  return repeated
}

/** The words and the dates of this time; what a page holds stays with the task. */
async function addLogbookCopy(space: Space, { text, taskInfo }: BlockFields): Promise<void> {
  const { repeat: _repeat, ...done } = taskInfo ?? { state: 'done' }
  const copy: BlockFields = { type: 'text', text: withoutComments(text), listStyle: 'task', taskInfo: done }
  await insertBlockTrees(space, [copy], { parent: await getOrCreateSystemDocument(space, 'logbook'), at: 'start' })
}
