/** Moves a space from a file into a database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { dumpNumbers, dumpTable } from '../../../storage/dump.ts'
import { parseAddress } from '../../../storage/postgres/address.ts'
import { BUCKET_FILE_BYTES } from '../../../storage/postgres/bucket-file-bytes.ts'
import { releaseDatabase, useDatabase } from '../../../storage/postgres/database.ts'
import { DATABASE_FILE_BYTES } from '../../../storage/postgres/file-bytes.ts'
import { loadDump } from '../../../storage/postgres/load-dump.ts'
import { getSpaceRow } from '../../../storage/space-info.ts'
import { copySpace } from '../../../storage/sqlite/copies/space-copy.ts'
import { openEngine } from '../../../storage/sqlite/open-engine.ts'
import { realPath } from '../../../storage/sqlite/real-path.ts'
import { copySignIns, readSignInRows } from '../../../storage/sqlite/sign-in-rows.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { invalid, type ScriptoriumError } from '../../base/errors.ts'
import { indexedText } from '../../space/search/indexed-text.ts'
import { wordTools } from '../../space/search/word-tools.ts'
import { type MovedFile, MovedObjects } from './moved-objects.ts'
import { type MovedSpace, unlessDamaged } from './moved-space.ts'

/**
 * @param from  the file of a space
 * @param to  the address of a space that does not exist yet
 * @param bucket  for its files; without it, they are stored in the database
 */
export async function moveToDatabase(from: string, to: string, bucket?: Bucket): Promise<MovedSpace> {
  // Connects first, so that an unusable database is detected before anything is copied.
  const database = await useDatabase(to)
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-move-'))
  try {
    // If the file has an older version, only its copy is migrated.
    const copy = join(folder, 'space.sqlite')
    const { documents, blocks, files, damagedFiles } = await copyWithSignIns(from, copy)
    const engine = await openEngine(copy, async () => indexedText, { keepsCopy: false })
    const objects = bucket && new MovedObjects(bucket, engine.files)
    try {
      const { space: name = '' } = parseAddress(to)
      await engine.storage.read(async (tx) => {
        const kept = await keptFiles(tx, bucket === undefined ? DATABASE_FILE_BYTES : BUCKET_FILE_BYTES)
        // Before anything is written to the database, so that the transaction does not wait for the bucket.
        const uploaded = await objects?.upload((await getSpaceRow(tx))?.id ?? '', kept)
        const dump = {
          numbers: await dumpNumbers(tx),
          rowsOf: (table: string) => dumpTable(tx, table),
          signIns: readSignInRows(`${copy}.sign-in`),
          async *files() {
            if (uploaded !== undefined) return yield* uploaded
            for (const { hash, size } of kept) {
              const bytes = await unlessDamaged(() => engine.files.readAll(hash, tx, size))
              if (bytes !== undefined) yield { hash, bytes }
            }
          },
        }
        await loadDump(database, name, dump, async () => wordTools)
      })
    } catch (error) {
      await objects?.discard()
      throw error
    } finally {
      await engine.storage.close()
      await engine.files.close()
    }
    return { documents, blocks, files, damagedFiles }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await releaseDatabase(database)
  }
}

async function copyWithSignIns(from: string, copy: string) {
  try {
    const copied = await copySpace(from, copy)
    await copySignIns(`${realPath(from)}.sign-in`, `${copy}.sign-in`)
    return copied
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error
    throw invalid(`Expected a space, found another file in ${from}; name one that Scriptorium made.`)
  }
}

/** The files of a space whose bytes are stored. @throws VALIDATION_ERROR for a file of more than `most` bytes */
async function keptFiles(tx: Transaction, most: number): Promise<MovedFile[]> {
  const kept = new Map<string, MovedFile>()
  for (const table of ['file', 'proposal_file']) {
    for await (const rows of dumpTable(tx, table)) {
      for (const { hash, size, name } of rows) {
        if (Number(size) > most) throw tooLarge(Number(size), String(name ?? 'a file of a proposal'), most)
        kept.set(String(hash), { hash: String(hash), size: Number(size) })
      }
    }
  }
  return [...kept.values()]
}

const tooLarge = (size: number, name: string, most: number): ScriptoriumError =>
  invalid(
    most === DATABASE_FILE_BYTES
      ? `Expected files of at most ${most} bytes, which is what a database keeps of each, found ${size} in ${name}; name a bucket with --files-bucket, or remove it from the space first.`
      : `Expected files of at most ${most} bytes, which is what a bucket takes of each, found ${size} in ${name}; remove it from the space first.`,
  )
