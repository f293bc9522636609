/** Finds tasks by their IDs. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { type AnyId, idNumber, uniqueIds } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/**
 * Returns the tasks with these IDs in the given order, each once.
 *
 * @throws NOT_FOUND_ERROR for the first ID that is not a block within reach; VALIDATION_ERROR for the first block that
 *   is not a task
 */
export async function getTasks(space: Space, ids: readonly AnyId[]): Promise<BlockRow[]> {
  const found = new Map((await space.findReachableBlocks(ids.map(idNumber))).map((row) => [row.id, row]))
  return uniqueIds(ids).map((id) => {
    const row = found.get(idNumber(id))
    if (row === undefined) {
      throw notFound(
        `Expected the ID of a task within reach, found ${id}; read IDs with tasks_list and name one of those.`,
      )
    }
    if (row.listStyle !== 'task') {
      throw invalid(
        `Expected the ID of a task, found ${id}, a block that is none; blocks_update with listStyle task makes it one.`,
      )
    }
    return row
  })
}
