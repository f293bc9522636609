/** Moves a document whose file is gone to the trash. */
import { documentById, trashDocuments } from '../../../storage/documents.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import { assertUnlocked } from '../model/document-locks.ts'
import type { Space } from '../model/space.ts'
import type { ImportedEntry } from './import-record.ts'
import { IMPORT_CALL } from './write-document.ts'

/** @returns false if it changed since the import, so that it is kept */
export async function trashImported(space: Space, { id, revision }: ImportedEntry): Promise<boolean> {
  const document = await documentById(space.tx, id)
  if (document === undefined || document.location === 'trash' || document.revision !== revision) return false
  await assertUnlocked(space, [document.n])
  await trashDocuments(space.tx, [document.n], space.now)
  space.forgetDocumentRows()
  await addAuditEntry(space, IMPORT_CALL, [String(id)])
  return true
}
