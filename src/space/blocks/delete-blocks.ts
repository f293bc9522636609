/** Deletes blocks with all they hold. */

import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { deleteRows } from '../model/block-writes.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { treeNumbers } from './block-tree.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a document itself */
export async function deleteBlocks(space: Space, blockIds: readonly AnyId[]) {
  const rows = await space.getBlocks(blockIds)
  for (const row of rows) assertNotDocument(space, row, 'documents_delete')
  await deleteTrees(space, rows)
  return { items: rows.map(({ id }) => ({ id: space.spellId(id) })) }
}

/**
 * Delete blocks with all they hold. One may be held by another.
 *
 * What led to them goes too, wherever it stands, since it would lead nowhere: values of relations and links, and with a
 * collection the relations to it. Out of the connection's reach as well: keeping these would leave IDs of what is gone,
 * and an error would reveal that they exist. None of this is counted or reported.
 */
export async function deleteTrees(space: Space, trees: Iterable<BlockRow>): Promise<void> {
  const rows = [...trees]
  await deleteRows(
    space,
    await treeNumbers(space, rows),
    rows.map(({ document }) => document),
  )
}

/** @throws VALIDATION_ERROR for the root block of a document, which names the tool for documents */
export function assertNotDocument(space: Space, row: BlockRow, tool: string): void {
  if (row.parent !== null) return
  throw invalid(
    `Expected a block inside a document, found ${space.spellId(row.id)}, which is a document; use ${tool} for documents.`,
  )
}
