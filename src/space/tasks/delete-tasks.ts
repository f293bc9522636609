/** Deletes tasks, with all they hold. */
import { deleteBlocks } from '../blocks/delete-blocks.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { getTasks } from './find-tasks.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a block that is no task, or a document itself */
export async function deleteTasks(space: Space, ids: readonly AnyId[]) {
  const tasks = await getTasks(space, ids)
  return deleteBlocks(
    space,
    tasks.map(({ id }) => id),
  )
}
