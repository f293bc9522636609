/** Deletes blocks with all they hold. */
import { deleteBlocks as deleteRows } from '../../../storage/blocks.ts'
import { touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { chunks, iterateCooperatively } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { readNodesInOrder } from './block-tree.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a document itself */
export async function deleteBlocks(space: Space, blockIds: readonly string[]) {
  const rows = await space.getBlocks(blockIds)
  for (const row of rows) assertNotDocument(row, 'documents_delete')
  await deleteTrees(space, rows)
  const touched = new Set(rows.map((row) => row.document))
  for await (const document of iterateCooperatively(touched)) await touchDocument(space.tx, document, space.now)
  return { items: rows.map(({ id }) => ({ id })) }
}

/**
 * Delete blocks with all they hold. One may be held by another.
 *
 * What led to them goes too, wherever it stands, since it would lead nowhere: values of relations and links, and with a
 * collection the relations to it. Out of the connection's reach as well: keeping these would leave IDs of what is gone,
 * and refusing would tell that they exist. Nothing of it is counted or told.
 */
export async function deleteTrees(space: Space, rows: Iterable<BlockRow>): Promise<void> {
  const numbers = new Set<number>()
  for (const row of rows) {
    if (numbers.has(row.n)) continue
    for (const { n } of await readNodesInOrder(space, row, -1)) {
      // One that was named before what holds it takes its place among that.
      numbers.delete(n)
      numbers.add(n)
    }
  }
  await deleteInBatches(space, [...numbers])
}

/** Blocks that are deleted before other calls get their turn: an item may take twenty values along. */
const BLOCKS_PER_BATCH = 50

/**
 * Delete exactly these blocks, from the last to the first.
 *
 * @param numbers  each before those that it holds, which must be among them
 */
export async function deleteInBatches({ tx }: Space, numbers: readonly number[]): Promise<void> {
  for await (const part of chunks(numbers.toReversed(), BLOCKS_PER_BATCH)) await deleteRows(tx, part)
}

/** @throws VALIDATION_ERROR for the root block of a document, which names the tool for documents */
export function assertNotDocument(row: BlockRow, tool: string): void {
  if (row.parent !== null) return
  throw invalid(`Expected a block inside a document, found ${row.id}, which is a document; use ${tool} for documents.`)
}
