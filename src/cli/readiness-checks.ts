/** What a server checks to find out whether it can serve: its disk, its database, its bucket, and a single space. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { Bucket } from '../../storage/bucket/bucket.ts'
import type { Database } from '../../storage/postgres/database.ts'
import { getSpaceRow } from '../../storage/space-info.ts'
import { formatBytes } from '../base/byte-sizes.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import type { SharedCheck } from '../http/readiness.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'

/** With less room than this, the next writes are likely to fail. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024

/** Bytes that programs of this user can still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const diskCheck = (folder: string): SharedCheck => ({
  name: 'the disk',
  async check() {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const free = await freeBytes(folder)
    if (free >= LEAST_FREE_BYTES) return
    throw new ScriptoriumError(
      'STORAGE_FULL',
      `Expected at least ${formatBytes(LEAST_FREE_BYTES)} of free disk, found ${formatBytes(free)}; free some.`,
    )
  },
})

export const databaseCheck = (database: Database): SharedCheck => ({
  name: 'the database',
  check: () => database.withClient(async (client) => void (await client.query('SELECT 1'))),
})

/** Asks for an object that does not exist. */
export const bucketCheck = (bucket: Bucket): SharedCheck => ({
  name: 'the bucket',
  async check() {
    const found = await bucket.get('not-there')
    found?.body.destroy()
  },
})

/** @param key  any, since the registry has one space */
export const spaceCheck = (registry: SpaceRegistry, key: string): SharedCheck => ({
  name: 'the space',
  async check() {
    const lease = await registry.acquire(key)
    try {
      await lease?.space.read(OPERATOR_LINK, async ({ tx }) => void (await getSpaceRow(tx)))
    } finally {
      lease?.release()
    }
  },
})
