/** Opens the file of a space, creates the space if the file is new, and runs work in it. */
import os from 'node:os'
import type { Bucket } from '../../storage/bucket/bucket.ts'
import { byteCountsByLink, type StoredBytes } from '../../storage/byte-counts.ts'
import type { FileBytes } from '../../storage/bytes/file-bytes.ts'
import { assertWritableTime } from '../../storage/clock-fault.ts'
import { lastCall } from '../../storage/history.ts'
import { isDatabaseAddress, parseAddress } from '../../storage/postgres/address.ts'
import type { SignIns } from '../../storage/sign-ins.ts'
import type { SpaceEngine } from '../../storage/space-engine.ts'
import { getSpaceRow } from '../../storage/space-info.ts'
import type { OpenFileOptions } from '../../storage/sqlite/open-database.ts'
import { openEngine as openFileEngine } from '../../storage/sqlite/open-engine.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import type { Storage, WriteOptions } from '../../storage/storage.ts'
import type { Transaction } from '../../storage/transaction.ts'
import type { Usage } from '../../storage/usage.ts'
import { tryAndLog } from '../base/background.ts'
import { linkPaused } from '../base/errors.ts'
import { HISTORY_SECONDS } from '../base/limits.ts'
import { currentOrigin } from '../base/origin.ts'
import { ChangeWatcher, type Listening, type Notify } from './change-watcher.ts'
import { watchClock } from './clock-watch.ts'
import { DueEvents } from './due-events.ts'
import { ExpirySchedule } from './expiry-schedule.ts'
import { FailedSignIns } from './failed-sign-ins.ts'
import { FileSweeper } from './file-sweeper.ts'
import { LeaseExpiry } from './lease-expiry.ts'
import { migrateInWorker } from './migrate-in-worker.ts'
import { AgentActivity } from './model/agent-activity.ts'
import { generateCallId, generateIds, newUuid } from './model/ids.ts'
import type { Chance } from './model/new-ids.ts'
import { pruneHistory } from './model/prune-history.ts'
import { QuotaCheck, type Quotas, type Room, roomFor } from './model/quota.ts'
import { RowsOfCall, SeenRows } from './model/seen-rows.ts'
import { SeenByCall, SeenSchemas } from './model/seen-schemas.ts'
import {
  type AccessLink,
  type ConnectionKind,
  OPERATOR_LINK,
  Space,
  type SpaceInfo,
  type SpaceTransaction,
} from './model/space.ts'
import { pruneOldRecords } from './prune-old-records.ts'
import { createSpace, findSpace, normalizeTimezoneLazily, reportIgnored } from './space-identity.ts'
import { unstoredLink } from './unstored-link.ts'
import { deleteUnusedFiles } from './unused-files.ts'

/** Settings for a new space, and dependencies that tests can replace. */
export interface OpenSpaceOptions extends OpenFileOptions {
  name?: string
  /** IANA name. Defaults to the time zone of the system. */
  timezone?: string
  editorUrl?: string
  /** The address of the pages of the space, and the command that serves them there. */
  pages?: SpaceInfo['pages']
  /** Folder of additional fonts, for characters on whiteboards that the bundled fonts lack. */
  fontFolder?: string
  /** How long the audit log keeps its entries, in milliseconds. Without it, entries are kept forever. */
  auditLogRetention?: number
  /** How long history is kept, in milliseconds. Defaults to {@link HISTORY_SECONDS}. */
  historyRetention?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /**
   * Milliseconds since any moment, on a clock that is never set and that all processes of this machine share. Leases of
   * claims end by it; those of a space in a database by the clock of the database.
   */
  steadyClock?: () => number
  newUuid?: () => string
  generateIds?: (count: number) => number[]
  generateCallId?: () => number
  /** How many bytes may be stored. Without it, there is no limit. */
  quotas?: Quotas
  /** Database spaces only: the maximum number of connections to the database, shared by all spaces of the process. */
  poolSize?: number
  /** Database spaces only: fail if the space does not exist. Without it, a missing space is created. */
  mustExist?: boolean
  /**
   * Database spaces only: the bucket for the bytes of files. Without it, they are stored in the database. Closing the
   * space does not close the bucket.
   */
  filesBucket?: Bucket
  /** Database spaces only: milliseconds between sweeps of the bucket. The first sweep happens on opening. */
  sweepInterval?: number
  /** Files only: ends the migration of a large file, which opening then fails with. */
  signal?: AbortSignal
}

export class OpenSpace {
  readonly info: SpaceInfo
  readonly files: FileBytes
  /**
   * The path with symbolic links resolved; other files of the space lie in the same folder. Otherwise `:memory:`, or
   * the address in a database.
   */
  readonly file: string
  /**
   * True if this call created the space. If several processes open a new file at once, this is true for one of them.
   */
  readonly isNew: boolean
  /** How many bytes may be stored; absent if there is no limit. */
  readonly quotas: Quotas | undefined
  readonly #engine: SpaceEngine
  readonly #storage: Storage
  readonly #clock: () => number
  readonly #steadyClock: () => number
  readonly #seenSchemas = new SeenSchemas()
  readonly #seenRows = new SeenRows()
  /** What links did lately, over this process. */
  readonly activity = new AgentActivity()
  /** Sign-ins that failed, on their way into the log. */
  readonly failedSignIns = new FailedSignIns((work) => this.write(OPERATOR_LINK, work))
  readonly #chance: Chance
  readonly #closing = new AbortController()
  readonly #watcher: ChangeWatcher
  readonly #sweeper: FileSweeper
  readonly #leaseExpiry: LeaseExpiry
  readonly #expirySchedule: ExpirySchedule
  /** Links whose running writes are not committed any more, and since when: see {@link OpenSpace.interruptLink}. */
  readonly #interrupted = new Map<string, number>()
  /** The time at which the name and the time zone were read; undefined if they have to be read again. */
  #settingsReadAt: number | undefined

  constructor(
    { file, isNew }: { file: string; isNew: boolean },
    engine: SpaceEngine,
    info: SpaceInfo,
    clock: () => number,
    chance: Chance,
    {
      sweepInterval,
      report,
      quotas,
      steadyClock = uptime,
    }: Pick<OpenSpaceOptions, 'sweepInterval' | 'report' | 'quotas' | 'steadyClock'> = {},
  ) {
    this.file = file
    this.quotas = quotas
    this.isNew = isNew
    this.info = info
    this.files = engine.files
    this.#engine = engine
    this.#storage = engine.storage
    this.#clock = report === undefined ? clock : watchClock(clock, report)
    this.#steadyClock = steadyClock
    this.#settingsReadAt = this.#clock()
    this.#chance = chance
    this.#watcher = new ChangeWatcher(
      (work) => this.read(OPERATOR_LINK, work),
      engine.storage.onChange,
      new DueEvents((work) => this.write(OPERATOR_LINK, work)),
    )
    this.#leaseExpiry = new LeaseExpiry(
      (work) => this.read(OPERATOR_LINK, work),
      (work) => this.write(OPERATOR_LINK, work),
      report,
    )
    this.#expirySchedule = new ExpirySchedule(engine.storage, info, this.#clock, report)
    this.#sweeper = new FileSweeper(engine.storage, engine.files, sweepInterval, report)
  }

  /** Tracks how much of its rate limits the space has used. @param report  receives one sentence for the log */
  openUsage(report?: (sentence: string) => void): Usage {
    return this.#engine.openUsage(report)
  }

  /** Opens the sign-in data of the issuer. @throws VALIDATION_ERROR if its file belongs to another program */
  openSignIns(): SignIns {
    return this.#engine.openSignIns()
  }

  /** Runs `work` on one snapshot of the space. */
  read<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    return this.#storage.read(async (tx) => {
      const space = await this.#openView(tx, link)
      const result = await work(space)
      space.seenSchemas.store()
      if (space.seenRows.hasShown && !link.isUnseen) space.seenRows.keepReads(link, await lastCall(tx))
      return result
    })
  }

  /**
   * Runs `work` in one transaction. Once this resolves, all its changes are on disk; if it rejects, none are.
   *
   * @throws CLOCK_WRONG if the clock shows a time that cannot be stored; LINK_PAUSED
   */
  async write<T>(link: AccessLink, work: (space: Space) => Promise<T>, options?: WriteOptions): Promise<T> {
    let hasChangedSettings = false
    let leaseEndsIn = Infinity
    let view: Space | undefined
    const origin = currentOrigin()
    const result = await this.#storage.write(async (tx) => {
      const space = await this.#openView(tx, link, { origin })
      assertWritableTime(space.now)
      const result = await work(space)
      const interruptedAt = this.#interrupted.get(link.id ?? '')
      if (interruptedAt !== undefined) throw linkPaused(interruptedAt)
      hasChangedSettings = space.hasChangedSettings
      leaseEndsIn = space.leaseEndsIn
      view = space
      // Undo keeps what it undoes, so that nothing else bounds it in a full space.
      if (await space.quota?.isExceeded(tx)) await pruneHistory(space)
      return result
    }, options)
    if (hasChangedSettings) this.#settingsReadAt = undefined
    this.#leaseExpiry.expect(leaseEndsIn)
    view?.seenSchemas.store()
    view?.seenRows.keepWrites(link)
    return result
  }

  /**
   * Refuses what a link is writing in this process at the moment, before its COMMIT. A link is paused by a write, which
   * would otherwise wait for that.
   *
   * @returns ends this
   */
  interruptLink(id: string): () => void {
    this.#interrupted.set(id, this.#clock())
    return () => void this.#interrupted.delete(id)
  }

  /** Runs `work` in a transaction that may write, then rolls the transaction back. */
  async writeAndRollBack<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    const done = new RolledBack<T>()
    try {
      await this.#storage.write(async (tx) => {
        done.result = { value: await work(await this.#openView(tx, link, { isRolledBack: true })) }
        throw done
      })
    } catch (error) {
      if (error !== done) throw error
    }
    if (done.result === undefined) throw new Error('Expected the work of a transaction to end before it.')
    return done.result.value
  }

  /**
   * Creates a link with the reach of the given kind.
   *
   * @param documents  IDs of the documents that a `selected` link exposes
   * @param author  name recorded on everything the link writes. Defaults to the first active participant, which is the
   *   creator of the space while they are one.
   * @throws VALIDATION_ERROR if a document does not exist, if `selected` has no documents, or if another kind has some
   */
  createAccessLink(
    kind: ConnectionKind,
    documents: readonly string[],
    author?: string,
    access: AccessLink['access'] = 'full',
  ): Promise<AccessLink> {
    return this.#storage.read((tx) =>
      unstoredLink(this.#createSpace(tx, OPERATOR_LINK), { kind, documents, author, access }),
    )
  }

  /** The bytes that are stored: of the whole space, and by the ID of the link that wrote them. */
  storedBytes(): Promise<StoredBytes> {
    return this.#storage.read(byteCountsByLink)
  }

  /** The room that a link has for further bytes; undefined if there is no quota. */
  async roomFor(link: AccessLink): Promise<Room | undefined> {
    const { quotas } = this
    return quotas && this.#storage.read((tx) => roomFor(tx, quotas, link.id))
  }

  /** Deletes files that no block references, and their bytes. */
  deleteUnusedFiles(): Promise<void> {
    return this.#sweeper.deleteUnused()
  }

  /** Deletes leftovers from a bucket, without waiting for it. */
  sweepInBackground(): void {
    this.#sweeper.sweepInBackground()
  }

  /**
   * Subscribes to changes made by any process.
   *
   * @param options.includesFeed  whether the listener follows the feed, and so also needs reminders as they come due
   */
  watch(notify: Notify, options: { includesFeed?: boolean } = {}): Listening {
    const noticed: Notify = (...changes) => {
      this.#leaseExpiry.expectOthers()
      return notify(...changes)
    }
    return this.#watcher.listen(noticed, options)
  }

  /** Ends the leases whose time is over. Happens by itself as long as the space is open. */
  endLeases(): Promise<void> {
    return this.#leaseExpiry.endDue()
  }

  /** Reports whether the opened file is still at its path. */
  isPresent(): boolean {
    return this.#storage.isPresent()
  }

  /** Aborted as soon as the space starts to close. No results are delivered after that. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#sweeper.stop()
    this.#leaseExpiry.stop()
    this.#expirySchedule.stop()
    await tryAndLog('log failed sign-ins', () => this.failedSignIns.flush())
    await this.#storage.close()
    await this.files.close()
  }

  /**
   * Reads the settings again from time to time, since any process may change them.
   *
   * @throws LINK_PAUSED
   */
  async #openView(tx: Transaction, link: AccessLink, transaction: SpaceTransaction = {}): Promise<Space> {
    if (link.pausedAt !== undefined) throw linkPaused(link.pausedAt)
    const now = this.#clock()
    // A clock that was set back counts as well.
    if (this.#settingsReadAt === undefined || Math.abs(now - this.#settingsReadAt) >= SETTINGS_MS) {
      const row = await getSpaceRow(tx)
      if (row !== undefined) {
        const { name, timezone, weekStart, dateLanguage } = row
        Object.assign(this.info, { name, timezone, weekStart, dateLanguage })
      }
      this.#settingsReadAt = now
    }
    return this.#createSpace(tx, link, transaction)
  }

  #createSpace(tx: Transaction, link: AccessLink, transaction: SpaceTransaction = {}): Space {
    const quota = this.quotas && new QuotaCheck(this.quotas)
    const seen = { seenSchemas: new SeenByCall(this.#seenSchemas), seenRows: new RowsOfCall(this.#seenRows) }
    const shared = { steadyClock: this.#steadyClock, activity: this.activity, ...seen }
    return new Space(tx, this.info, link, this.files, this.#clock(), this.#chance, { quota, ...shared, ...transaction })
  }
}

/**
 * Opens a space in a file, or in a PostgreSQL database. Creates it if it does not exist.
 *
 * @param place  path of the file, possibly through symbolic links; or `:memory:`; or the address of a database,
 *   followed by `#` and the name of the space
 * @throws UnusableFile if the file cannot be served; VALIDATION_ERROR if an address, database, role or time zone cannot
 *   be used; NOT_FOUND_ERROR if a space in a database must exist and does not
 */
export async function openSpace(place: string, options: OpenSpaceOptions = {}): Promise<OpenSpace> {
  if (isDatabaseAddress(place)) return openDatabaseSpace(place, options)
  if (options.timezone !== undefined) await normalizeTimezoneLazily(options.timezone)
  const words = async () => (await import('./search/indexed-text.ts')).indexedText
  const file = realPath(place)
  await migrateInWorker(file, options)
  const { onMigration: _, ...others } = options
  return openOnEngine(file, await openFileEngine(place, words, others), options)
}

/** @param address  address of the database, followed by `#` and the name of the space */
export async function openDatabaseSpace(address: string, options: OpenSpaceOptions = {}): Promise<OpenSpace> {
  if (options.timezone !== undefined) await normalizeTimezoneLazily(options.timezone)
  const { openEngine } = await import('../../storage/postgres/open-engine.ts')
  const words = async () => (await import('./search/word-tools.ts')).wordTools
  const { shown, space: name = '' } = parseAddress(address)
  return openOnEngine(shown, await openEngine(address, words, options), options, name)
}

/** @param defaultName  of a new space */
async function openOnEngine(
  file: string,
  engine: SpaceEngine,
  options: OpenSpaceOptions,
  defaultName = 'My space',
): Promise<OpenSpace> {
  const { clock = Date.now } = options
  const { storage, files } = engine
  const chance: Chance = {
    newUuid: options.newUuid ?? newUuid,
    generateIds: options.generateIds ?? generateIds,
    generateCallId: options.generateCallId ?? generateCallId,
  }
  try {
    const found = await storage.read(findSpace)
    const { stored, isNew } =
      found === undefined
        ? await createSpace(storage, { defaultName, ...options }, clock, chance.newUuid)
        : { stored: found, isNew: false }
    if (!isNew) await reportIgnored(stored.row, options)
    const { id, name, timezone, weekStart, dateLanguage, secret } = stored.row
    const [addressKey, ...formerAddressKeys] = stored.keys
    const info: SpaceInfo = {
      ...{ id, name, timezone, weekStart, dateLanguage, secret, addressKey, formerAddressKeys },
    }
    if (options.editorUrl !== undefined) info.editorUrl = options.editorUrl
    if (options.pages !== undefined) info.pages = options.pages
    if (options.fontFolder !== undefined) info.fontFolder = options.fontFolder
    if (options.auditLogRetention !== undefined) info.auditLogRetention = options.auditLogRetention
    info.historyRetention = options.historyRetention ?? HISTORY_SECONDS * 1000
    await pruneOldRecords(storage, clock(), info, options.report)
    const hasFiles = await deleteUnusedFiles(storage, files)
    const space = new OpenSpace({ file, isNew }, engine, info, clock, chance, options)
    if (hasFiles) space.sweepInBackground()
    return space
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Milliseconds since the machine started. */
const uptime = (): number => Math.floor(os.uptime() * 1_000)

/** Milliseconds after which the settings are read again. */
const SETTINGS_MS = 1_000

/** Thrown to roll a transaction back. */
class RolledBack<T> extends Error {
  result: { value: T } | undefined
}
