/** Finds whiteboards within reach. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid, notFound, ScriptoriumError } from '../../base/errors.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/**
 * @param id  ID of its block
 * @throws NOT_FOUND_ERROR if there is no such block within reach; VALIDATION_ERROR if the block is not a whiteboard
 */
export async function getWhiteboard(space: Space, id: AnyId): Promise<BlockRow> {
  const block = await getWhiteboardBlock(space, id)
  if (block.type === 'whiteboard') return block
  throw invalid(
    `Expected the ID of a whiteboard, found ${id} of type ${block.type}; make a whiteboard with whiteboards_add.`,
  )
}

async function getWhiteboardBlock(space: Space, id: AnyId): Promise<BlockRow> {
  try {
    return await space.getBlock(id)
  } catch (error) {
    if (!(error instanceof ScriptoriumError)) throw error
    throw notFound(
      `Expected the ID of a whiteboard within reach, found ${id}; read IDs with blocks_get and name one of those.`,
    )
  }
}
