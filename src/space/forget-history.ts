/** Deletes history permanently: it can no longer be viewed or undone. */
import { forgetChangesBefore, forgetDocuments, historySize } from '../../storage/history-retention.ts'
import { deleteProposalsBefore, deleteProposalsOfDocuments } from '../../storage/proposals.ts'
import { eraseStoredResponses } from '../../storage/stored-responses.ts'
import type { GivenId } from './model/ids.ts'
import { OPERATOR_LINK, type Space } from './model/space.ts'
import type { OpenSpace } from './open-space.ts'

/** The history to delete: everything before a time in milliseconds since 1970, or the history of one document. */
export type ForgottenHistory = { before: number } | { documentId: GivenId }

/** How many calls lose their history in one transaction, so that other writers get their turn in between. */
const CALLS_PER_TRANSACTION = 1_000

/**
 * Documents keep their content. Proposals made before that time, or for that document, are deleted too, whether they
 * are pending or not. Responses stored for retries are erased, since they may contain deleted content.
 *
 * @param recordInAuditLog  records the deletion and the IDs of the affected documents in the audit log
 * @returns how many calls can no longer be undone; undefined for a document, since the rest of its calls can still be
 *   undone
 * @throws NOT_FOUND_ERROR if the document does not exist
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
    view.quota?.exempt()
    await eraseStoredResponses(view.tx)
    await recordInAuditLog(view, 'documentId' in forgotten ? [forgotten.documentId.toJSON()] : [])
  })
  return 'before' in forgotten ? calls - left : undefined
}
