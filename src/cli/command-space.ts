/** Locates the space of a command, and opens it with the command's options. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { isDatabaseAddress, parseAddress } from '../../storage/postgres/address.ts'
import { invalid, messageOf } from '../base/errors.ts'
import type { Opening } from '../call/opening-space.ts'
import { RateLimiter } from '../call/rate-limiter.ts'
import type { ServedSpace } from '../call/space-registry.ts'
import { type OpenSpace, openSpace } from '../space/open-space.ts'
import { CREATING_COMMANDS, SERVER_COMMANDS } from './command-sets.ts'
import { openFilesBucket } from './files-bucket.ts'
import { DEFAULT_PAGE_PORT } from './flags/server-flags.ts'
import type { Options } from './options.ts'
import { log } from './printing.ts'

/** Opens a space with its rate limiter. */
export async function openServedSpace(
  place: string,
  options: Options,
  mustExist = false,
  progress?: Opening,
): Promise<ServedSpace> {
  const space = await openSpaceWithOptions(place, options, mustExist, progress)
  const usage = space.openUsage(log)
  try {
    const signIns = options.oauth ? space.openSignIns() : undefined
    return {
      space,
      rateLimiter: new RateLimiter(usage, { requests: options.limitRequests, blocks: options.limitBlocks }, Date.now),
      ...(signIns && { signIns }),
      async close() {
        signIns?.close()
        usage.close()
        await space.close()
      },
    }
  } catch (error) {
    usage.close()
    await space.close()
    throw error
  }
}

/**
 * @param mustExist  for a space in a database: true to not create it
 * @param progress  receives how far it is, if the space is migrated first
 */
export async function openSpaceWithOptions(
  place: string,
  options: Options,
  mustExist = false,
  progress?: Opening,
): Promise<OpenSpace> {
  const { command, name, timezone, editorUrl, fonts, noCopy, keepLog, keepHistory, databasePool, filesBucket, quotas } =
    options
  // Only servers delete old entries of the log and old history, as their flags say; commands leave them alone.
  const isServer = SERVER_COMMANDS.includes(command)
  return openSpace(place, {
    keepsCopy: !noCopy,
    report: log,
    historyRetention: isServer ? keepHistory : Infinity,
    mustExist,
    ...(progress && { onMigration: progress.onMigration, signal: progress.signal }),
    ...(name !== undefined && command !== 'links add' && command !== 'import' && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(editorUrl !== undefined && { editorUrl }),
    ...(place !== ':memory:' && { pages: pagesOf(place, options) }),
    ...(fonts !== undefined && { fontFolder: fonts }),
    ...(isServer && keepLog < Infinity && { auditLogRetention: keepLog }),
    ...(quotas !== undefined && Object.keys(quotas).length > 0 && { quotas }),
    ...(databasePool !== undefined && { poolSize: databasePool }),
    ...(filesBucket !== undefined && { filesBucket: await openFilesBucket(filesBucket) }),
  })
}

/**
 * The address at which `scriptorium open` serves the pages of a space, whether or not it is running. Agents see it, so
 * it contains no password.
 */
function pagesOf(place: string, { space }: Options): { url: string; command: string } {
  const shown = isDatabaseAddress(place) ? parseAddress(place).shown : space === undefined ? '' : resolve(space)
  const flag = shown === '' ? '' : ` --space ${/[\s#?&]/.test(shown) ? JSON.stringify(shown) : shown}`
  return { url: `http://127.0.0.1:${DEFAULT_PAGE_PORT}`, command: `scriptorium open${flag}` }
}

/** Adds the welcome document to a new space, unless the space ends with this process. */
export async function welcome(space: OpenSpace, { noWelcome }: Options): Promise<void> {
  if (noWelcome || !space.isNew || space.file === ':memory:') return
  try {
    const { addWelcomeDocument } = await import('./welcome.ts')
    await addWelcomeDocument(space)
  } catch (error) {
    // The space is usable without it.
    log(`The welcome document was not written: ${messageOf(error)}`)
  }
}

export const spaceFile = ({ space }: Options): string => space ?? defaultSpaceFile()

export const defaultSpaceFile = (): string => join(envPaths('Scriptorium', { suffix: '' }).data, 'space.sqlite')

/** The file of a space that must exist. @throws VALIDATION_ERROR if it does not */
export function existingSpaceFile(options: Options): string {
  const file = spaceFile(options)
  if (existsSync(file)) return file
  throw invalid(`Expected the file of a space, found none at ${file}; name one with --space.`)
}

/** Opens a space that must exist. @throws VALIDATION_ERROR or NOT_FOUND_ERROR if it does not */
export function openExistingSpace(options: Options): Promise<OpenSpace> {
  const place = spaceFile(options)
  return openSpaceWithOptions(isDatabaseAddress(place) ? place : existingSpaceFile(options), options, true)
}

/** Opens the space of a command. Only commands that create spaces do so, since a wrong path is more often a typing error. */
export async function openCommandSpace(options: Options): Promise<OpenSpace> {
  if (!CREATING_COMMANDS.includes(options.command)) return openExistingSpace(options)
  const space = await openSpaceWithOptions(spaceFile(options), options)
  await welcome(space, options)
  return space
}

/** The file of a command that only supports files. @throws VALIDATION_ERROR for a database, with advice */
export function fileOnly(options: Options, instead: string): string {
  const place = spaceFile(options)
  if (!isDatabaseAddress(place)) return place
  throw invalid(
    `Expected the file of a space with ${options.command}, found the database ${parseAddress(place).shown}; ${instead}.`,
  )
}
