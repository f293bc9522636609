/** Checks a space in a database, and everything that a start depends on there. */

import type { Bucket } from '../../../storage/bucket/bucket.ts'
import { byteCountsOf, repairByteCounts, wrongByteCounts } from '../../../storage/byte-counts.ts'
import { FileDamaged } from '../../../storage/bytes/checked-files.ts'
import type { FileBytes } from '../../../storage/bytes/file-bytes.ts'
import { bytesOfFiles } from '../../../storage/files.ts'
import { parseAddress } from '../../../storage/postgres/address.ts'
import type { Database } from '../../../storage/postgres/database.ts'
import type { Storage } from '../../../storage/storage.ts'
import { messageOf } from '../../base/errors.ts'
import { openFilesBucket } from '../files-bucket.ts'
import { byteFindings, type Finding, RECOUNTED_BYTES } from './findings.ts'

/** Files to check in a bucket at the same time. */
const VERIFIED_AT_ONCE = 8
const ADVICE = 'Do what it says, then run doctor again.'

/**
 * @param address  of the database, followed by `#` and the name of the space
 * @param filesBucket  the address of the bucket with its files
 */
export async function diagnoseDatabaseSpace(address: string, filesBucket?: string): Promise<Finding[]> {
  const { shown, space: name = '' } = parseAddress(address)
  const findings: Finding[] = [
    { what: 'Node', found: process.versions.node },
    { what: 'Space', found: shown },
  ]
  const warnings: string[] = []
  const { releaseDatabase, useDatabase } = await import('../../../storage/postgres/database.ts')
  const { findSpace } = await import('../../../storage/postgres/spaces.ts')
  try {
    const database = await useDatabase(address, { report: (sentence) => void warnings.push(sentence) })
    try {
      const { rows } = await database.withClient((client) =>
        client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`),
      )
      findings.push({ what: 'PostgreSQL', found: rows[0]?.version ?? 'not known' })
      const found = await findSpace(database, name)
      if (found === undefined) findings.push({ what: 'Content', found: 'none yet; the first start makes the space' })
      findings.push(...(await findFiles(database, found?.space, filesBucket)))
      if (found !== undefined) findings.push(...(await withStorage(database, found.space, findBytes)))
    } finally {
      await releaseDatabase(database)
    }
    for (const found of warnings) findings.push({ what: 'Setting', found, fault: 'damaged', advice: 'Turn it on.' })
  } catch (error) {
    const found = messageOf(error)
    findings.push({ what: 'Database', found, fault: 'damaged', advice: ADVICE })
  }
  return findings
}

/**
 * Reports where files are stored, and which are damaged. Files in a bucket are not read; only their sizes are checked.
 *
 * @param space  its number; undefined if it does not exist yet
 */
async function findFiles(database: Database, space: number | undefined, filesBucket?: string): Promise<Finding[]> {
  const bucket = filesBucket === undefined ? undefined : await findBucket(filesBucket)
  if (bucket instanceof Error) return [{ what: 'Files', found: bucket.message, fault: 'damaged', advice: ADVICE }]
  const place =
    bucket === undefined
      ? 'in the database, up to 1 MiB each'
      : `in ${filesBucket}, which stores, returns and deletes them`
  if (space === undefined) return [{ what: 'Files', found: place }]
  return withStorage(database, space, async (storage) => {
    const { DatabaseFileBytes, hasObjects } = await import('../../../storage/postgres/file-bytes.ts')
    if (bucket === undefined && (await storage.read(hasObjects))) {
      const advice = 'Name the bucket with --files-bucket.'
      return [{ what: 'Files', found: 'in a bucket that is not named', fault: 'damaged', advice }]
    }
    const { BucketFileBytes } = await import('../../../storage/postgres/bucket-file-bytes.ts')
    const bytes = bucket === undefined ? new DatabaseFileBytes(storage) : new BucketFileBytes(storage, bucket)
    const files = await storage.read(bytesOfFiles)
    return [{ what: 'Files', found: `${files.length}, ${place}` }, ...(await findDamagedFiles(bytes, files))]
  })
}

const findBytes = (storage: Storage): Promise<Finding[]> =>
  storage.read(async (tx) =>
    byteFindings((await byteCountsOf(tx, undefined)).space, (await wrongByteCounts(tx)).length),
  )

/** @param space  its number */
async function withStorage<T>(database: Database, space: number, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { openStorage } = await import('../../../storage/postgres/open-storage.ts')
  const storage = openStorage({
    database,
    space,
    words: undefined,
    notifyChanged() {},
    onChange: () => () => {},
    close: async () => {},
  })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/**
 * Repairs what can be repaired without loss in a space of a database: the counts of stored bytes.
 *
 * @returns a line per repair
 */
export async function repairDatabaseSpace(address: string): Promise<string[]> {
  const { releaseDatabase, useDatabase } = await import('../../../storage/postgres/database.ts')
  const { findSpace } = await import('../../../storage/postgres/spaces.ts')
  const database = await useDatabase(address)
  try {
    const found = await findSpace(database, parseAddress(address).space ?? '')
    const count = found && (await withStorage(database, found.space, (storage) => storage.write(repairByteCounts)))
    return count === undefined || count === 0 ? [] : [RECOUNTED_BYTES]
  } finally {
    await releaseDatabase(database)
  }
}

/** Checks that the bucket can store, return and delete an object. @returns an error if it cannot */
async function findBucket(address: string): Promise<Bucket | Error> {
  try {
    return await openFilesBucket(address)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function findDamagedFiles(
  bytes: Pick<FileBytes, 'verifyPresent'>,
  files: Awaited<ReturnType<typeof bytesOfFiles>>,
): Promise<Finding[]> {
  const damages: (string | undefined)[] = []
  const left = files.entries()
  const verify = async () => {
    for (const [index, file] of left) damages[index] = await damageOf(bytes, file)
  }
  await Promise.all(Array.from({ length: VERIFIED_AT_ONCE }, verify))
  return files.flatMap(({ name, hash }, index): Finding[] => {
    const damage = damages[index]
    if (damage === undefined) return []
    const found = `${name} (SHA-256 ${hash}) ${damage === 'missing' ? 'is missing' : 'was changed'}`
    return [{ what: 'File', found, fault: 'damaged', advice: 'Add it again, or restore a backup.' }]
  })
}

async function damageOf(
  bytes: Pick<FileBytes, 'verifyPresent'>,
  file: { hash: string; size: number },
): Promise<FileDamaged['damage'] | undefined> {
  try {
    await bytes.verifyPresent(file)
    return undefined
  } catch (error) {
    if (error instanceof FileDamaged) return error.damage
    throw error
  }
}
