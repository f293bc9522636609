/** Makes whiteboards. */
import { insertTree } from '../blocks/insert.ts'
import { findTarget, type Position } from '../positions.ts'
import type { Space } from '../space.ts'

/** An empty board. @throws as {@link findTarget} does */
export async function addWhiteboard(space: Space, position: Position) {
  const target = await findTarget(space, position)
  const [added] = await insertTree(space, [{ type: 'whiteboard', text: '' }], target)
  if (added === undefined) throw new Error('Expected the block of a new whiteboard.')
  return { whiteboardBlockId: added.row.id, ...target.landed }
}
