/** The trash, emptied: documents are deleted for good, with all that they hold. */
import { blocksByNumbers } from '../../storage/blocks.ts'
import { deleteDocumentRows, documentByNumber, documentsTrashedBefore } from '../../storage/documents.ts'
import { forgetDocuments } from '../../storage/history-retention.ts'
import { deleteProposalsOfDocuments } from '../../storage/proposals.ts'
import { eraseStoredResponses } from '../../storage/stored-responses.ts'
import { deleteTrees } from './blocks/delete-blocks.ts'
import { OPERATOR_LINK, type Space } from './model/space.ts'
import type { OpenSpace } from './open-space.ts'

export interface EmptyTrashResult {
  /** IDs of the documents that were deleted. */
  documents: string[]
}

/**
 * Delete the documents that were thrown away before a time, each in a transaction of its own: one that is restored
 * meanwhile stays. Answers that are kept for retries are erased, since they may hold what is deleted.
 *
 * @param before  milliseconds since 1970
 * @param recordInAuditLog  says in the log of writes what was deleted
 */
export async function emptyTrash(
  space: OpenSpace,
  before: number,
  recordInAuditLog: (view: Space, ids: readonly string[]) => Promise<unknown>,
): Promise<EmptyTrashResult> {
  const documents: string[] = []
  for (const n of await space.read(OPERATOR_LINK, ({ tx }) => documentsTrashedBefore(tx, before))) {
    const id = await space.write(OPERATOR_LINK, async (view) => {
      const found = await documentByNumber(view.tx, n)
      const [root] = await blocksByNumbers(view.tx, [n])
      if (root === undefined || !((found?.trashedAt ?? Infinity) < before)) return undefined
      await deleteDocumentRows(view.tx, [n])
      await deleteTrees(view, [root])
      await forgetDocuments(view.tx, [n])
      await deleteProposalsOfDocuments(view.tx, [n])
      await recordInAuditLog(view, [String(root.id)])
      return String(root.id)
    })
    if (id !== undefined) documents.push(id)
  }
  if (documents.length > 0) await space.write(OPERATOR_LINK, ({ tx }) => eraseStoredResponses(tx))
  return { documents }
}
