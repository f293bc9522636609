/** Opens a space in a database by its address. */
import { sql } from 'drizzle-orm'
import { ScriptoriumError } from '../../src/base/errors.ts'
import type { Bucket } from '../bucket/bucket.ts'
import type { SpaceEngine } from '../space-engine.ts'
import { statement } from '../statement.ts'
import type { Storage } from '../storage.ts'
import type { Transaction } from '../transaction.ts'
import { parseAddress } from './address.ts'
import { BucketFileBytes } from './bucket-file-bytes.ts'
import type { Connection } from './connection.ts'
import { type Database, type DatabaseOptions, releaseDatabase, useDatabase } from './database.ts'
import { DatabaseFileBytes, hasObjects } from './file-bytes.ts'
import { openStorage } from './open-storage.ts'
import { DatabaseSignIns } from './sign-ins.ts'
import { type DatabaseSpace, findOrAddSpace, findSpace, validateSpaceName } from './spaces.ts'
import { DatabaseUsage } from './usage.ts'
import type { WordToolsLoader } from './word-index.ts'

export interface OpenEngineOptions extends DatabaseOptions {
  /** True if the space must exist. Otherwise it is created if it does not. */
  mustExist?: boolean
  /** The bucket for the bytes of files; if absent, they are stored in the database. The bucket is not closed. */
  filesBucket?: Bucket
}

/**
 * Opens the space of an address, and creates it if it does not exist.
 *
 * @throws VALIDATION_ERROR for an address without a space, or a database or role that cannot be used; NOT_FOUND_ERROR
 * for a space that must exist and does not
 */
export async function openEngine(
  address: string,
  words: WordToolsLoader,
  options: OpenEngineOptions = {},
): Promise<SpaceEngine> {
  const { space: name, shown } = parseAddress(address)
  if (name === undefined) {
    throw new ScriptoriumError(
      'VALIDATION_ERROR',
      `Expected the name of a space behind a #, as in ${shown.replace('#', '')}#notes, found none.`,
    )
  }
  validateSpaceName(name)
  const database = await useDatabase(address, options)
  try {
    const { space } = options.mustExist ? await findExisting(database, name) : await findOrAddSpace(database, name)
    const { notifications } = database
    const storage = openStorage({
      database,
      space,
      words,
      notifyChanged: () => notifications.notifyChanged(space),
      onChange: (check) => notifications.watch(space, check),
      close: () => releaseDatabase(database),
    })
    await indexUnindexed(storage, options.report)
    if (options.filesBucket === undefined && options.report !== undefined && (await storage.read(hasObjects))) {
      options.report(
        `Expected the bucket that has files of ${shown}, found none named; name it with --files-bucket, since they can neither be read nor deleted without it.`,
      )
    }
    return {
      storage,
      files:
        options.filesBucket === undefined
          ? new DatabaseFileBytes(storage)
          : new BucketFileBytes(storage, options.filesBucket),
      openUsage: () => new DatabaseUsage(database, space),
      openSignIns: () => new DatabaseSignIns(database, space),
    }
  } catch (error) {
    await releaseDatabase(database)
    throw error
  }
}

/** Blocks that one transaction indexes. Other writes of the space wait for it. */
const INDEXED_AT_ONCE = 5_000

/** Indexes the blocks that a migration left unindexed, in steps, each of which is complete if it is interrupted. */
async function indexUnindexed(storage: Storage, report?: (sentence: string) => void): Promise<void> {
  if (!(await storage.read(hasUnindexed))) return
  report?.('The words of the space are being indexed again, since they are searched in another way than before.')
  const indexNext = (tx: Transaction) => (tx as Connection).words.noteUnindexed(INDEXED_AT_ONCE)
  while ((await storage.write(indexNext)) > 0);
}

async function hasUnindexed(tx: Transaction): Promise<boolean> {
  return (await tx.get(HAS_UNINDEXED, {})) !== undefined
}

const HAS_UNINDEXED = statement<{ block: number }>(() => sql`SELECT block FROM unindexed_block LIMIT 1`)

async function findExisting(database: Database, name: string): Promise<DatabaseSpace> {
  const found = await findSpace(database, name)
  if (found !== undefined) return found
  throw new ScriptoriumError(
    'NOT_FOUND_ERROR',
    `Expected a space of the database, found none that is called ${name}; run spaces list to see which exist, or spaces add to make one.`,
  )
}
