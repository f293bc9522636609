/** Repairs faults that can be fixed without loss, and touches nothing else. */
import { repairByteCounts } from '../../../storage/byte-counts.ts'
import { FileStore } from '../../../storage/bytes/file-store.ts'
import { referencedHashes } from '../../../storage/files.ts'
import type { Connection } from '../../../storage/sqlite/connection.ts'
import { rebuildIndex } from '../../../storage/sqlite/diagnosis/check-index.ts'
import { SIDE_FILES } from '../../../storage/sqlite/diagnosis/diagnose.ts'
import { checkpointLog, recountDocuments, reindex } from '../../../storage/sqlite/diagnosis/repair-database.ts'
import { openStorage } from '../../../storage/sqlite/open-storage.ts'
import { restrictToOwner } from '../../../storage/sqlite/private-files.ts'
import { formatCount } from '../../base/format-number.ts'
import { type Finding, RECOUNTED_BYTES } from './findings.ts'

/**
 * @param findings  from {@link diagnoseSpace}
 * @returns a line per repair
 */
export async function repairSpace(file: string, findings: readonly Finding[]): Promise<string[]> {
  const has = (...checks: string[]): boolean =>
    findings.some(({ what, fault }) => fault === 'repairable' && checks.includes(what))
  const repairs: string[] = []
  if (has('Access')) {
    for (const name of ['', ...Object.keys(SIDE_FILES)]) restrictToOwner(`${file}${name}`)
    await new FileStore(file).closeToOthers()
    repairs.push('Closed the files of the space to other users.')
  }
  // A file that has lost data, or that belongs to another program or version, is not opened for writing.
  const isDamaged = findings.some(
    ({ what, fault }) => fault === 'damaged' && !['File', 'Adjacent', 'Free'].includes(what),
  )
  if (isDamaged || !findings.some(({ what }) => what === 'Search' || what === 'Integrity')) return repairs
  if (has('Log')) {
    checkpointLog(file)
    repairs.push('Folded the log into the file.')
  }
  if (has('Counts')) {
    recountDocuments(file)
    repairs.push('Recounted the documents of folders and locations.')
  }
  if (!has('Integrity', 'Search', 'File', 'Bytes')) return repairs
  if (has('Integrity')) {
    reindex(file)
    repairs.push('Rebuilt the indexes of the tables.')
  }
  const storage = await openStorage(file, async () => (await import('../../space/search/indexed-text.ts')).indexedText)
  try {
    if (has('Integrity', 'Search')) {
      await storage.write((tx) => rebuildIndex(tx as Connection))
      repairs.push('Rebuilt the word index.')
    }
    if (has('Bytes')) {
      await storage.write(repairByteCounts)
      repairs.push(RECOUNTED_BYTES)
    }
    if (has('File')) {
      // In a transaction, so that no concurrent write can reference the bytes.
      const removed = await storage.write(async (tx) =>
        new FileStore(file).deleteUnreferenced(await referencedHashes(tx)),
      )
      repairs.push(`Removed ${formatCount(removed, 'file')} of no block.`)
    }
  } finally {
    await storage.close()
  }
  return repairs
}
