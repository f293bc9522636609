/** Deletes tasks, with all they hold. */
import { deleteBlocks } from '../blocks/delete.ts'
import type { Space } from '../space.ts'
import { getTasks } from './find.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a block that is no task, or a document itself */
export async function deleteTasks(space: Space, ids: readonly string[]) {
  const tasks = await getTasks(space, ids)
  return deleteBlocks(
    space,
    tasks.map(({ id }) => id),
  )
}
