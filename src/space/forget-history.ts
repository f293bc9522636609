/** History, deleted for good: nothing of it can be looked at or taken back any more. */
import { forgetChangesBefore, forgetDocuments, historySize } from '../../storage/history-retention.ts'
import { deleteProposalsBefore, deleteProposalsOfDocuments } from '../../storage/proposals.ts'
import { eraseStoredResponses } from '../../storage/stored-responses.ts'
import type { GivenId } from './model/ids.ts'
import { OPERATOR_LINK, type Space } from './model/space.ts'
import type { OpenSpace } from './open-space.ts'

/** Which history is deleted: that from before a time in milliseconds since 1970, or that of a document. */
export type ForgottenHistory = { before: number } | { documentId: GivenId }

/** Calls whose history is deleted in one transaction, so that others get to write in between. */
const CALLS_PER_TRANSACTION = 1_000

/**
 * Documents stay as they are. Proposals of the same time, or that would change the document, go too, whether they wait
 * or not. Answers that are kept for retries are erased, since they may hold what is deleted.
 *
 * @param recordInAuditLog  says in the log of writes that history was deleted, and of which documents
 * @returns how many calls can no longer be taken back; undefined for a document, of whose calls the rest can be
 * @throws NOT_FOUND_ERROR for a document that there is not
 */
export async function forgetHistory(
  space: OpenSpace,
  forgotten: ForgottenHistory,
  recordInAuditLog: (view: Space, ids: readonly string[]) => Promise<unknown>,
): Promise<number | undefined> {
  const countCalls = () => space.read(OPERATOR_LINK, async ({ tx }) => (await historySize(tx)).calls)
  const calls = await countCalls()
  if ('before' in forgotten) {
    const forgetSome = () =>
      space.write(OPERATOR_LINK, ({ tx }) => forgetChangesBefore(tx, forgotten.before, CALLS_PER_TRANSACTION))
    while (await forgetSome());
    await space.write(OPERATOR_LINK, ({ tx }) => deleteProposalsBefore(tx, forgotten.before))
  } else {
    await space.write(OPERATOR_LINK, async (view) => {
      await view.resolveIds([forgotten.documentId])
      const { n } = await view.getDocument(forgotten.documentId)
      await forgetDocuments(view.tx, [n])
      await deleteProposalsOfDocuments(view.tx, [n])
    })
  }
  const left = await countCalls()
  await space.write(OPERATOR_LINK, async (view) => {
    await eraseStoredResponses(view.tx)
    await recordInAuditLog(view, 'documentId' in forgotten ? [forgotten.documentId.toJSON()] : [])
  })
  return 'before' in forgotten ? calls - left : undefined
}
