/**
 * Locks documents against changes by agents, and unlocks them. Only people do: on the pages, and at the command line. A
 * locked document can be read, copied and exported by all who reach it.
 */
import { markListingChanged } from '../../../storage/changes.ts'
import { deleteDocumentLock, insertDocumentLock, lockedDocuments } from '../../../storage/document-locks.ts'
import { documentRecords } from '../../../storage/documents.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import type { AnyId } from '../model/ids.ts'
import { isSystemDocument, type Space } from '../model/space.ts'

/** A document, and who has locked it; absent after it was unlocked. */
export interface DocumentLock {
  id: string
  title: string
  lockedBy?: string
}

/**
 * Locks or unlocks a document. One that is locked stays locked by whom it was.
 *
 * @throws FORBIDDEN for an agent; NOT_FOUND_ERROR; VALIDATION_ERROR for the inbox or the logbook
 */
export async function setDocumentLock(space: Space, documentId: AnyId, isLocked: boolean): Promise<DocumentLock> {
  if (!space.link.isPerson) {
    throw new ScriptoriumError(
      'FORBIDDEN',
      'Expected a person, found a link of a program; documents are locked and unlocked on their pages, or with scriptorium locks.',
    )
  }
  const { n, ...document } = await space.getDocument(documentId)
  if (isSystemDocument(document)) throw invalid('Expected the ID of a document, found the inbox or the logbook.')
  if (isLocked) await insertDocumentLock(space.tx, { document: n, lockedAt: space.now, lockedBy: space.link.author })
  else await deleteDocumentLock(space.tx, n)
  // The content stays as it was, so that its revision does, too.
  await markListingChanged(space.tx)
  space.forgetDocumentRows()
  const [lock] = await describeLocks(space, [n])
  if (lock === undefined) throw new Error(`Expected document ${n}, found none.`)
  return lock
}

/** All locked documents, oldest first. */
export async function listDocumentLocks(space: Space): Promise<DocumentLock[]> {
  const locked = await lockedDocuments(space.tx)
  return describeLocks(
    space,
    locked.map(({ document }) => document),
  )
}

async function describeLocks(space: Space, documents: readonly number[]): Promise<DocumentLock[]> {
  const records = await documentRecords(space.tx, documents)
  return records.map(({ id, title, lockedBy }) => ({ id: space.spellId(id), title, ...(lockedBy && { lockedBy }) }))
}
