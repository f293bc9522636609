/** What becomes of a block when the state of its task changes, whichever tool changes it. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comments.ts'
import { insertTree } from '../blocks/insert.ts'
import { fieldsOf } from '../blocks/rows.ts'
import type { Space } from '../space.ts'
import { keptRoot } from './kept.ts'
import { completesRepeat, renewed, settleTask } from './settle.ts'

/**
 * The fields of a block after a change, as they are stored. A repeating task that was completed comes round again: it
 * is to do with its next date, and a completed copy is left in the logbook. One that comes round no more stays done.
 *
 * @param row  the block as it was
 * @throws VALIDATION_ERROR for a repeat that never comes round
 */
export async function settleChange<Fields extends BlockFields>(
  space: Space,
  row: BlockRow,
  fields: Fields,
): Promise<Fields> {
  const before = fieldsOf(row).taskInfo
  const settled = settleTask(space, fields, before)
  const again = completesRepeat(before, settled) ? renewed(space, settled) : undefined
  if (again === undefined) return settled
  await leaveCopy(space, settled)
  return again
}

/** The words and the dates of this time; what a page holds stays with the task. */
async function leaveCopy(space: Space, { text, taskInfo }: BlockFields): Promise<void> {
  const { repeat: _repeat, ...done } = taskInfo ?? { state: 'done' }
  const copy: BlockFields = { type: 'text', text: withoutComments(text), listStyle: 'task', taskInfo: done }
  await insertTree(space, [copy], { parent: await keptRoot(space, 'logbook'), at: 'start' })
}
