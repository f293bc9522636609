/** Deletes blocks with all their content. */

import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { noteHolders } from '../leases/report-holders.ts'
import { deleteRows } from '../model/block-writes.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { treeNumbers } from './block-tree.ts'
import { transferCalloutStarts } from './callout-starts.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR if a block is the root of a document */
export async function deleteBlocks(space: Space, blockIds: readonly AnyId[]) {
  const rows = await space.getBlocks(blockIds)
  for (const row of rows) assertNotDocument(space, row, 'documents_delete')
  await noteHolders(space, rows, 'deleted')
  await transferCalloutStarts(space, rows)
  await deleteTrees(space, rows)
  return { items: rows.map(({ id }) => ({ id: space.spellId(id) })) }
}

/**
 * Deletes blocks with all their content. One of the given blocks may contain another.
 *
 * References to them are deleted everywhere, since they would lead nowhere: values of relations and block links, and
 * for a collection also the relation properties that target it. This includes references out of the connection's reach:
 * keeping them would leave IDs of deleted blocks, and an error would reveal that they exist. None of this is counted or
 * reported.
 */
export async function deleteTrees(space: Space, trees: Iterable<BlockRow>): Promise<void> {
  const rows = [...trees]
  await deleteRows(
    space,
    await treeNumbers(space, rows),
    rows.map(({ document }) => document),
  )
}

/** @throws VALIDATION_ERROR if the block is the root of a document. The message names the tool for documents. */
export function assertNotDocument(space: Space, row: BlockRow, tool: string): void {
  if (row.parent !== null) return
  throw invalid(
    `Expected a block inside a document, found ${space.spellId(row.id)}, which is a document; use ${tool} for documents.`,
  )
}
