/** Opens the file of a space, making the space when the file is new, and runs work in it. */
import { randomBytes } from 'node:crypto'
import { deleteAuditRowsBefore, hasAuditRowsBefore } from '../../storage/audit-log.ts'
import type { Bucket } from '../../storage/bucket/bucket.ts'
import type { FileBytes } from '../../storage/bytes/file-bytes.ts'
import { documentById } from '../../storage/documents.ts'
import { deleteUnreferencedFiles, referencedHashes } from '../../storage/files.ts'
import { lastCall } from '../../storage/history.ts'
import { historySize } from '../../storage/history-retention.ts'
import { activeParticipants, insertParticipant } from '../../storage/participants.ts'
import { isDatabaseAddress, parseAddress } from '../../storage/postgres/address.ts'
import { endProposals, hasProposalsToEnd } from '../../storage/proposals.ts'
import type { SignIns } from '../../storage/sign-ins.ts'
import type { SpaceEngine } from '../../storage/space-engine.ts'
import { getSpaceRow, insertSpace } from '../../storage/space-info.ts'
import type { OpenFileOptions } from '../../storage/sqlite/open-database.ts'
import { openEngine as openFileEngine } from '../../storage/sqlite/open-engine.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import type { Storage, WriteOptions } from '../../storage/storage.ts'
import { deleteStoredResponsesBefore, hasStoredResponsesBefore } from '../../storage/stored-responses.ts'
import type { Transaction } from '../../storage/transaction.ts'
import type { Usage } from '../../storage/usage.ts'
import { invalid } from '../base/errors.ts'
import { HISTORY_SECONDS, IDEMPOTENCY_KEY_SECONDS, PROPOSAL_SECONDS } from '../base/limits.ts'
import { ChangeWatcher, type Listening, type Notify } from './change-watcher.ts'
import { DueReminders } from './due-reminders.ts'
import { drawCallId, drawIds, idPrefix, newUuid } from './model/ids.ts'
import { validateName } from './model/names.ts'
import type { Chance } from './model/new-ids.ts'
import { pruneHistory } from './model/prune-history.ts'
import {
  type AccessLink,
  type ConnectionKind,
  isSystemDocument,
  OPERATOR_LINK,
  Space,
  type SpaceInfo,
} from './model/space.ts'

/** What a new space gets, and what comes from outside so that tests can choose it. */
export interface OpenSpaceOptions extends OpenFileOptions {
  name?: string
  /** IANA name; the system's when absent. */
  timezone?: string
  editorUrl?: string
  /** Where people find the pages of the space, and the command that serves them there. */
  pages?: SpaceInfo['pages']
  /** With fonts for characters on whiteboards that the bundled ones lack. */
  fontFolder?: string
  /** Milliseconds for which the log of writes keeps what was written; without it, for ever. */
  auditLogRetention?: number
  /** Milliseconds for which history is kept; without it {@link HISTORY_SECONDS}. */
  historyRetention?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  newUuid?: () => string
  drawIds?: (count: number) => number[]
  drawCallId?: () => number
  /** Of a space in a database: connections to it at most, for all spaces of the process. */
  poolSize?: number
  /** Of a space in a database: whether there must be the space already; it is made where there is none otherwise. */
  mustExist?: boolean
  /** Of a space in a database: where the bytes of files go; into the database when absent. It stays open when the space is closed. */
  filesBucket?: Bucket
  /** Of a space in a database: milliseconds from one sweep of the bucket to the next; the first is on opening. */
  sweepInterval?: number
}

export class OpenSpace {
  readonly info: SpaceInfo
  readonly files: FileBytes
  /** Its path without links, beside which lies whatever belongs to the space; `:memory:`, or its address in a database. */
  readonly file: string
  /** Whether this opening made the space: of all that open a new file at the same time, one did. */
  readonly isNew: boolean
  readonly #engine: SpaceEngine
  readonly #storage: Storage
  readonly #clock: () => number
  readonly #chance: Chance
  readonly #closing = new AbortController()
  readonly #watcher: ChangeWatcher
  readonly #sweepTimer: NodeJS.Timeout
  readonly #report: ((sentence: string) => void) | undefined
  #isSweeping = false

  constructor(
    { file, isNew }: { file: string; isNew: boolean },
    engine: SpaceEngine,
    info: SpaceInfo,
    clock: () => number,
    chance: Chance,
    { sweepInterval = SWEEP_INTERVAL_MS, report }: Pick<OpenSpaceOptions, 'sweepInterval' | 'report'> = {},
  ) {
    this.file = file
    this.isNew = isNew
    this.info = info
    this.files = engine.files
    this.#engine = engine
    this.#storage = engine.storage
    this.#clock = clock
    this.#chance = chance
    this.#watcher = new ChangeWatcher(
      (work) => this.read(OPERATOR_LINK, work),
      engine.storage.onChange,
      new DueReminders((work) => this.write(OPERATOR_LINK, work)),
    )
    this.#report = report
    this.#sweepTimer = setInterval(() => void this.sweepInBackground(), sweepInterval).unref()
  }

  /** How much of its rate limits the space has used. @param report  receives one sentence for the log */
  openUsage(report?: (sentence: string) => void): Usage {
    return this.#engine.openUsage(report)
  }

  /** What an issuer of the space keeps. @throws VALIDATION_ERROR for a file of another program in its place */
  openSignIns(): SignIns {
    return this.#engine.openSignIns()
  }

  /** Run `work` on one snapshot of the space. */
  read<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    return this.#storage.read((tx) => work(this.#createSpace(tx, link)))
  }

  /** Run `work` in one transaction: all that it writes is on the disk when this resolves, or nothing is. */
  write<T>(link: AccessLink, work: (space: Space) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#storage.write((tx) => work(this.#createSpace(tx, link)), options)
  }

  /** Run `work` in a transaction that may write, and undo all that it wrote. */
  async writeAndRollBack<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    const done = new RolledBack<T>()
    try {
      await this.#storage.write(async (tx) => {
        done.result = { value: await work(this.#createSpace(tx, link, true)) }
        throw done
      })
    } catch (error) {
      if (error !== done) throw error
    }
    if (done.result === undefined) throw new Error('Expected the work of a transaction to end before it.')
    return done.result.value
  }

  /**
   * A link that reaches what its kind says.
   *
   * @param documents  IDs that a `selected` link exposes
   * @param author  stands at what it writes; when absent, the name of the first participant: the one who created the
   *   space, while they take part
   * @throws VALIDATION_ERROR for documents that do not exist, or that the kind has no use for
   */
  async createAccessLink(
    kind: ConnectionKind,
    documents: readonly string[],
    author?: string,
    access: AccessLink['access'] = 'full',
  ): Promise<AccessLink> {
    if (kind !== 'selected' && documents.length > 0) {
      throw invalid(`Expected documents on a selected connection alone, found them on a ${kind} one; leave them out.`)
    }
    if (kind === 'selected' && documents.length === 0) {
      throw invalid('Expected the IDs of the documents that the selected connection exposes, found none.')
    }
    return this.#storage.read(async (tx) => {
      const found = new Set<number>()
      const ids = await this.#createSpace(tx, OPERATOR_LINK).readIds(documents)
      for (const id of documents) {
        const document = await documentById(tx, ids.get(id) ?? 0)
        if (document === undefined || isSystemDocument(document))
          throw invalid(`Expected IDs of documents in this space, found ${id}, which is none.`)
        found.add(document.n)
      }
      const [first] = author === undefined ? await activeParticipants(tx) : []
      const link = { kind, access, documents: found, author: author ?? first?.name ?? OWNER_NAME }
      // From when on the documents are exposed is not known, so that no history is from before now.
      return kind === 'selected' ? { ...link, historyFrom: (await lastCall(tx)) + 1 } : link
    })
  }

  /** Forget files that no block shows, and remove their bytes. */
  async deleteUnusedFiles(): Promise<void> {
    await deleteUnusedFiles(this.#storage, this.files)
    while ((await this.files.sweep()) > 0);
  }

  /** Deletes what is left in a bucket. Nothing waits for it: a space opens and closes without its bucket. */
  async sweepInBackground(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      while (!this.#closing.signal.aborted && (await this.files.sweep()) > 0);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#report?.(error instanceof Error ? error.message : String(error))
    } finally {
      this.#isSweeping = false
    }
  }

  /**
   * Hear of changes, by whichever process.
   *
   * @param options.hearsFeed  for who follows the feed: of reminders that come due as well
   */
  watch(notify: Notify, options: { hearsFeed?: boolean } = {}): Listening {
    return this.#watcher.listen(notify, options)
  }

  /** Whether the file that was opened still lies at its path. */
  isPresent(): boolean {
    return this.#storage.isPresent()
  }

  /** Aborted when the space is being closed: nothing more comes of it. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#sweepTimer)
    await this.#storage.close()
    await this.files.close()
  }

  #createSpace(tx: Transaction, link: AccessLink, isRolledBack = false): Space {
    return new Space(tx, this.info, link, this.files, this.#clock(), this.#chance, isRolledBack)
  }
}

/**
 * Opens the space of a file, or of an address in a database of PostgreSQL, made where there is none.
 *
 * @param place  path of the file, through links or not; `:memory:`; or the address of a database, and behind a `#` the
 *   name of the space
 * @throws UnusableFile for a file that cannot be served; VALIDATION_ERROR for an address, a database, a role or a time
 *   zone that cannot be used; NOT_FOUND_ERROR for a space in a database that must exist and does not
 */
export async function openSpace(place: string, options: OpenSpaceOptions = {}): Promise<OpenSpace> {
  if (isDatabaseAddress(place)) return openDatabaseSpace(place, options)
  if (options.timezone !== undefined) await normalizeTimezoneLazily(options.timezone)
  const words = async () => (await import('./search/indexed-text.ts')).indexedText
  return openOnEngine(realPath(place), await openFileEngine(place, words, options), options)
}

/** @param address  of the database, and behind a `#` the name of the space */
export async function openDatabaseSpace(address: string, options: OpenSpaceOptions = {}): Promise<OpenSpace> {
  if (options.timezone !== undefined) await normalizeTimezoneLazily(options.timezone)
  const { openEngine } = await import('../../storage/postgres/open-engine.ts')
  const words = async () => (await import('./search/word-tools.ts')).wordTools
  const { shown, space: name = '' } = parseAddress(address)
  return openOnEngine(shown, await openEngine(address, words, options), { name, ...options })
}

async function openOnEngine(file: string, engine: SpaceEngine, options: OpenSpaceOptions): Promise<OpenSpace> {
  const { clock = Date.now } = options
  const { storage, files } = engine
  const chance: Chance = {
    newUuid: options.newUuid ?? newUuid,
    drawIds: options.drawIds ?? drawIds,
    drawCallId: options.drawCallId ?? drawCallId,
  }
  try {
    const found = await storage.read(getSpaceRow)
    const { row, isNew } =
      found === undefined ? await createSpace(storage, options, clock, chance.newUuid) : { row: found, isNew: false }
    const { id, name, timezone, secret } = row
    const info: SpaceInfo = { id, name, timezone, secret, idPrefix: idPrefix(secret) }
    if (options.editorUrl !== undefined) info.editorUrl = options.editorUrl
    if (options.pages !== undefined) info.pages = options.pages
    if (options.fontFolder !== undefined) info.fontFolder = options.fontFolder
    if (options.auditLogRetention !== undefined) info.auditLogRetention = options.auditLogRetention
    info.historyRetention = options.historyRetention ?? HISTORY_SECONDS * 1000
    await pruneOldRecords(storage, clock(), info)
    const hasFiles = await deleteUnusedFiles(storage, files)
    const space = new OpenSpace({ file, isNew }, engine, info, clock, chance, options)
    if (hasFiles) void space.sweepInBackground()
    return space
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What failed uploads leave in a bucket is due after a day. */
const SWEEP_INTERVAL_MS = 12 * 60 * 60_000

/** Writes that are forgotten in one transaction, and transactions at most: the rest follows with later writes. */
const PRUNED_PER_BATCH = 1_000
const PRUNE_BATCHES_ON_OPEN = 20

/** Forget writes and kept answers that are too old, which a space without writes would otherwise never drop. */
async function pruneOldRecords(storage: Storage, now: number, info: SpaceInfo): Promise<void> {
  const { auditLogRetention, historyRetention = Infinity } = info
  const { oldest } = await storage.read(historySize)
  if (oldest !== null && oldest <= now - historyRetention) await storage.write((tx) => pruneHistory({ tx, now, info }))
  const proposalsSince = now - PROPOSAL_SECONDS * 1000
  if (await storage.read((tx) => hasProposalsToEnd(tx, proposalsSince, now))) {
    await storage.write((tx) => endProposals(tx, proposalsSince, now))
  }
  const answersSince = now - IDEMPOTENCY_KEY_SECONDS * 1000
  if (await storage.read((tx) => hasStoredResponsesBefore(tx, answersSince))) {
    await storage.write((tx) => deleteStoredResponsesBefore(tx, answersSince))
  }
  if (auditLogRetention === undefined) return
  const before = now - auditLogRetention
  if (!(await storage.read((tx) => hasAuditRowsBefore(tx, before)))) return
  for (let step = 0; step < PRUNE_BATCHES_ON_OPEN; step++) {
    if ((await storage.write((tx) => deleteAuditRowsBefore(tx, before, PRUNED_PER_BATCH))) === 0) return
  }
}

/** Forget files that no block shows, and remove their bytes. @returns whether there were any files */
async function deleteUnusedFiles(storage: Storage, files: FileBytes): Promise<boolean> {
  if (!(await files.hasFiles())) return false
  // Rows are gone from the disk before their bytes are, since what is removed comes back with no transaction.
  await storage.write(deleteUnreferencedFiles)
  // In one transaction, so that no write references bytes meanwhile.
  await storage.write(async (tx) => files.deleteUnreferenced(await referencedHashes(tx), tx))
  return true
}

/** Thrown to end a transaction whose changes are not to stay. */
class RolledBack<T> extends Error {
  result: { value: T } | undefined
}

const OWNER_NAME = 'Owner'

/** The calendar is loaded, and the system asked for its time zone, where a space is made: each takes its time. */
async function createSpace(storage: Storage, options: OpenSpaceOptions, clock: () => number, newUuid: () => string) {
  const name = validateName(options.name ?? 'My space', 'the space')
  const timezone = await normalizeTimezoneLazily(options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  return storage.write(async (tx) => {
    // Looked up again, since another process may have made the space in the meantime.
    const found = await getSpaceRow(tx)
    if (found !== undefined) return { row: found, isNew: false }
    const row = { id: newUuid(), name, timezone, secret: randomBytes(32).toString('hex'), createdAt: clock() }
    await insertSpace(tx, row)
    // The creator of a space is a participant, under the space's own ID.
    await insertParticipant(tx, { id: row.id, name: OWNER_NAME, createdAt: row.createdAt })
    return { row, isNew: true }
  })
}

const normalizeTimezoneLazily = async (timezone: string): Promise<string> =>
  (await import('./model/dates.ts')).normalizeTimezone(timezone)
