/** Deletes tasks with all their content. */
import { deleteBlocks } from '../blocks/delete-blocks.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { getTasks } from './find-tasks.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR if a block is not a task, or is the root of a document */
export async function deleteTasks(space: Space, ids: readonly AnyId[]) {
  const tasks = await getTasks(space, ids)
  return deleteBlocks(
    space,
    tasks.map(({ id }) => id),
  )
}
