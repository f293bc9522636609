/** Deletes files that nothing shows any more. */
import type { FileBytes } from '../../storage/bytes/file-bytes.ts'
import { deleteUnreferencedFiles, referencedHashes } from '../../storage/files.ts'
import type { Storage } from '../../storage/storage.ts'

/** Deletes files that no block references, and their bytes. @returns whether there were any files */
export async function deleteUnusedFiles(storage: Storage, files: FileBytes): Promise<boolean> {
  if (!(await files.hasFiles())) return false
  // Delete the rows durably before the bytes: a rollback cannot restore deleted bytes.
  await storage.write(deleteUnreferencedFiles)
  // In one transaction, so that no write can reference the bytes in the meantime.
  await storage.write(async (tx) => files.deleteUnreferenced(await referencedHashes(tx), tx))
  return true
}
