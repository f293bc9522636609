/** Creates whiteboards. */

import { type Position, resolvePosition } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { insertBlockTrees } from './insert-blocks.ts'

/** Creates an empty whiteboard. @throws as {@link resolvePosition} does */
export async function addWhiteboard(space: Space, position: Position) {
  const target = await resolvePosition(space, position)
  const [added] = await insertBlockTrees(space, [{ type: 'whiteboard', text: '' }], target)
  if (added === undefined) throw new Error('Expected the block of a new whiteboard.')
  return { whiteboardBlockId: space.spellId(added.row.id), ...target.resolvedDailyNote }
}
