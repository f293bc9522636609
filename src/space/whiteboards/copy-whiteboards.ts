/** Copies the drawings of whiteboards when their blocks are copied. */
import { copyWhiteboard } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { Space } from '../model/space.ts'

/**
 * Elements keep their IDs, which only have to be unique on one whiteboard, so references between them stay valid.
 *
 * @param originals  the blocks that were copied
 * @param numbers  the number of each copy, by its ID
 * @param ids  the ID of each copy, by the ID of its original
 */
export async function copyWhiteboards(
  space: Space,
  originals: readonly BlockRow[],
  numbers: ReadonlyMap<number, number>,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  for (const { type, id, n } of originals) {
    const copy = type === 'whiteboard' ? numbers.get(ids.get(id) ?? 0) : undefined
    if (copy !== undefined) await copyWhiteboard(space.tx, n, copy)
  }
}
