/** Deletes blocks with all they hold. */
import { deleteBlocks as deleteRows, subtreeNumbers } from '../../../storage/blocks.ts'
import { touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../errors.ts'
import type { Space } from '../space.ts'

/** @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a document itself */
export async function deleteBlocks(space: Space, blockIds: readonly string[]) {
  const rows = await space.blocks(blockIds)
  for (const row of rows) refuseDocument(row, 'documents_delete')
  const numbers = new Set<number>()
  for (const row of rows) {
    if (numbers.has(row.n)) continue
    for (const n of await subtreeNumbers(space.tx, row)) numbers.add(n)
  }
  await deleteRows(space.tx, [...numbers])
  for (const document of new Set(rows.map((row) => row.document))) await touchDocument(space.tx, document, space.now)
  return { items: rows.map(({ id }) => ({ id })) }
}

/** @throws VALIDATION_ERROR for the root block of a document, which names the tool for documents */
export function refuseDocument(row: BlockRow, tool: string): void {
  if (row.parent !== null) return
  throw invalid(`Expected a block inside a document, found ${row.id}, which is a document; use ${tool} for documents.`)
}
