/** Documents that people have locked against changes by agents: see documents/lock-documents.ts. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { lockersOf } from '../../../storage/document-locks.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { AccessLink } from './access-link.ts'

/** The space, as far as this file needs it. */
interface LockingSpace {
  readonly tx: Transaction
  readonly link: AccessLink
  spellId(id: number): string
  reachableDocuments(documents: readonly number[]): Promise<{ has(document: number): boolean }>
}

/**
 * Checks documents that a call is about to move, delete or take back. What a call changes in documents is checked where
 * they are marked as changed.
 *
 * @throws DOCUMENT_LOCKED if a person has locked one of them, and the caller is an agent
 */
export async function assertUnlocked(space: LockingSpace, documents: readonly number[]): Promise<void> {
  for (const [n, lockedBy] of await lockersOf(space.tx, documents)) await assertMayChange(space, n, lockedBy)
}

/** @throws DOCUMENT_LOCKED for an agent, which does not name a document out of reach */
export async function assertMayChange(space: LockingSpace, document: number, lockedBy: string): Promise<void> {
  if (space.link.isPerson) return
  const [root] = await blocksByNumbers(space.tx, [document])
  const isReached = (await space.reachableDocuments([document])).has(document)
  throw new ScriptoriumError(
    'DOCUMENT_LOCKED',
    isReached && root !== undefined
      ? `Expected a document that agents may change, found ${space.spellId(root.id)}, which ${lockedBy} has locked; nothing was written. Ask a person to unlock it on its page.`
      : 'Expected documents that agents may change, found that the call would change one that is locked; nothing was written. Ask a person.',
  )
}
