/** The spaces that a server serves: that of a file, or those of a folder or a database. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDatabaseAddress, spaceAddress } from '../../storage/postgres/address.ts'
import { readSpaceId } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { noticeSources } from '../../tools/index.ts'
import { invalid } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Opening } from '../call/opening-space.ts'
import { registryOf, type ServedSpace, SharedSpace, type SpaceRegistry } from '../call/space-registry.ts'
import { DatabaseSpaceRegistry } from '../http/database-registry.ts'
import { FolderSpaceRegistry } from '../http/folder-registry.ts'
import type { SharedCheck } from '../http/readiness.ts'
import { keysOfSpacesWithWebhooks } from './access/webhook-spaces.ts'
import { type LimitAddresses, limitInDatabase, limitInProcess } from './address-limits.ts'
import type { Options } from './options.ts'
import { databaseCheck, diskCheck, spaceCheck } from './readiness-checks.ts'

/** Opens the space of a file or an address. @param mustExist  for a space in a database: true to not create it */
export type OpenPlace = (place: string, progress: Opening, mustExist?: boolean) => Promise<ServedSpace>

/** A server with one space serves it under any key. */
const ONLY_SPACE = 'only'

/** The served spaces, wherever they are stored. */
export interface ServedSpaces {
  registry: SpaceRegistry
  /** The keys of spaces with webhooks. */
  keysWithWebhooks(): readonly string[] | Promise<readonly string[]>
  limitAddresses: LimitAddresses
  /** What all of them stand on. */
  shared: readonly SharedCheck[]
  /** How many of them cannot be read; absent for a server of one space. */
  countBroken?(): Promise<number>
  /** The folder of their files; absent for those of a database. */
  folder?: string
  /** How many calls wait for a connection to the database. */
  waitingForConnections?(): number
  opened: Promise<void>
  close(): Promise<void>
}

export async function openSpaces(
  options: Options,
  open: OpenPlace,
  place: string,
  logger: Logger,
): Promise<ServedSpaces> {
  const { spaces: folder, database } = options
  if (database !== undefined) return openSpacesOfDatabase(database, options, open, logger)
  if (folder !== undefined) return openSpacesOfFolder(folder, open, logger)
  const sharedSpace = new SharedSpace((progress) => open(place, progress), noticeSources)
  await untilOpenOrMigrating(sharedSpace)
  const registry = registryOf(sharedSpace)
  let isClosing = false
  const opened = sharedSpace.opening.then(
    () => {},
    (error: unknown) => {
      if (!isClosing) throw error
    },
  )
  // It is awaited once the server listens.
  opened.catch(() => {})
  const shared = isDatabaseAddress(place) ? await limitInDatabase(place) : undefined
  const placeChecks = shared
    ? [databaseCheck(shared.database)]
    : place === ':memory:'
      ? []
      : [diskCheck(dirname(place))]
  return {
    registry,
    keysWithWebhooks: () => [ONLY_SPACE],
    limitAddresses: shared?.limitAddresses ?? limitInProcess,
    shared: [...placeChecks, spaceCheck(registry, ONLY_SPACE)],
    ...(shared ? { waitingForConnections: () => shared.database.waitingCount } : { folder: dirname(place) }),
    opened,
    async close() {
      isClosing = true
      await registry.close()
      await shared?.close()
    },
  }
}

/** The server listens while a large space is migrated. @throws what opening the space throws before that */
async function untilOpenOrMigrating(sharedSpace: SharedSpace): Promise<void> {
  try {
    const lease = await sharedSpace.lease()
    lease.release()
  } catch (error) {
    if (!sharedSpace.isMigrating) throw error
  }
}

function openSpacesOfFolder(folder: string, open: OpenPlace, { warn }: Logger): ServedSpaces {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalid(`Expected a folder of spaces as --spaces, found ${folder}; make it, or name another.`)
  }
  const registry = new FolderSpaceRegistry({ folder, openFile: open, idOf: readSpaceId, noticeSources, report: warn })
  return {
    registry,
    keysWithWebhooks: () => keysOfSpacesWithWebhooks(folder),
    limitAddresses: limitInProcess,
    shared: [diskCheck(folder)],
    countBroken: () => registry.countBroken(),
    folder,
    opened: Promise.resolve(),
    close: () => registry.close(),
  }
}

/** The database connection is kept open, so that opening a space only reads it. */
async function openSpacesOfDatabase(
  address: string,
  { databasePool }: Options,
  open: OpenPlace,
  { warn }: Logger,
): Promise<ServedSpaces> {
  const { useDatabase, releaseDatabase } = await import('../../storage/postgres/database.ts')
  const { keysOfSpacesWithWebhooks, spaceNameOfKey } = await import('../../storage/postgres/spaces.ts')
  const pool = databasePool !== undefined && { poolSize: databasePool }
  const database = await useDatabase(address, { report: warn, ...pool })
  const shared = await limitInDatabase(address)
  const registry = new DatabaseSpaceRegistry({
    nameOf: (key) => spaceNameOfKey(database, key),
    openSpace: (name, progress) => open(spaceAddress(address, name), progress, true),
    noticeSources,
    report: warn,
  })
  return {
    registry,
    keysWithWebhooks: () => keysOfSpacesWithWebhooks(database),
    limitAddresses: shared.limitAddresses,
    shared: [databaseCheck(database)],
    countBroken: () => registry.countBroken(),
    waitingForConnections: () => database.waitingCount,
    opened: Promise.resolve(),
    async close() {
      await registry.close()
      await shared.close()
      await releaseDatabase(database)
    },
  }
}
