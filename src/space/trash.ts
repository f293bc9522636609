/** Empties the trash: documents are permanently deleted with all their content. */
import { blocksByNumbers } from '../../storage/blocks.ts'
import { deleteDocumentRows, documentByNumber, documentsTrashedBefore } from '../../storage/documents.ts'
import { forgetDocuments } from '../../storage/history-retention.ts'
import { deleteProposalsOfDocuments } from '../../storage/proposals.ts'
import { eraseStoredResponses } from '../../storage/stored-responses.ts'
import { deleteTrees } from './blocks/delete-blocks.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from './model/space.ts'
import type { OpenSpace } from './open-space.ts'

export interface EmptyTrashResult {
  /** IDs of the documents that were deleted. */
  documents: string[]
}

/**
 * Deletes the documents that were moved to the trash before a given time. Each has its own transaction, so a document
 * that is restored in the meantime is kept. Responses stored for retries are erased, since they may contain deleted
 * content.
 *
 * @param before  milliseconds since 1970
 * @param recordInAuditLog  records the deletions in the audit log
 * @param link  who does it, and may do everything
 */
export async function emptyTrash(
  space: OpenSpace,
  before: number,
  recordInAuditLog: (view: Space, ids: readonly string[]) => Promise<unknown>,
  link: AccessLink = OPERATOR_LINK,
): Promise<EmptyTrashResult> {
  const documents: string[] = []
  for (const n of await space.read(OPERATOR_LINK, ({ tx }) => documentsTrashedBefore(tx, before))) {
    const id = await space.write(link, async (view) => {
      const found = await documentByNumber(view.tx, n)
      const [root] = await blocksByNumbers(view.tx, [n])
      if (root === undefined || !((found?.trashedAt ?? Infinity) < before)) return undefined
      view.quota?.exempt()
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
