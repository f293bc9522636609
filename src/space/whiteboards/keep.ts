/** Keeps boards from going unseen. */
import { countElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../errors.ts'
import type { Space } from '../space.ts'

/**
 * Leaving a tag out of a text is not to delete a whole drawing, of which the text shows little.
 *
 * @param rows  the blocks that an edited text leaves out
 * @throws VALIDATION_ERROR for a board with something on it
 */
export async function refuseLostBoards(space: Space, rows: readonly BlockRow[]): Promise<void> {
  for (const { n, id, type } of rows) {
    const count = type === 'whiteboard' ? await countElements(space.tx, n) : 0
    if (count === 0) continue
    throw invalid(
      `Expected the tag <whiteboard id="${id}"/> in the edited text, found it left out with ${count.toLocaleString('en-US')} ${count === 1 ? 'element' : 'elements'} on the board; keep it, or delete the board with blocks_delete. Nothing was written.`,
    )
  }
}
