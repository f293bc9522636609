/** Opens the file of a space, making the space when the file is new, and runs work in it. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { deleteAuditRowsBefore, hasAuditRowsBefore } from '../../storage/audit-log.ts'
import { FileStore } from '../../storage/bytes/file-store.ts'
import { documentById } from '../../storage/documents.ts'
import { deleteUnreferencedFiles, referencedHashes } from '../../storage/files.ts'
import { lastCall } from '../../storage/history.ts'
import { historySize } from '../../storage/history-retention.ts'
import { activeParticipants, insertParticipant } from '../../storage/participants.ts'
import { getSpaceRow, insertSpace } from '../../storage/space-info.ts'
import { moveFromBesideSymlink } from '../../storage/sqlite/beside-symlink.ts'
import type { OpenFileOptions } from '../../storage/sqlite/open-database.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import type { Storage } from '../../storage/storage.ts'
import { deleteStoredResponsesBefore, hasStoredResponsesBefore } from '../../storage/stored-responses.ts'
import type { Transaction } from '../../storage/transaction.ts'
import { invalid } from '../base/errors.ts'
import { HISTORY_SECONDS, IDEMPOTENCY_KEY_SECONDS } from '../base/limits.ts'
import { ChangeWatcher, type SpaceChanges } from './change-watcher.ts'
import { drawCallId, drawIds, idPrefix, newUuid } from './model/ids.ts'
import { validateName } from './model/names.ts'
import { pruneHistory } from './model/prune-history.ts'
import {
  type AccessLink,
  type Chance,
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
}

export class OpenSpace {
  readonly info: SpaceInfo
  readonly files: FileStore
  /** Its path without links, or `:memory:`: whatever belongs to the space lies beside it. */
  readonly file: string
  /** Whether this opening made the space: of all that open a new file at the same time, one did. */
  readonly isNew: boolean
  readonly #storage: Storage
  readonly #clock: () => number
  readonly #chance: Chance
  readonly #closing = new AbortController()

  constructor(
    { file, isNew }: { file: string; isNew: boolean },
    storage: Storage,
    files: FileStore,
    info: SpaceInfo,
    clock: () => number,
    chance: Chance,
  ) {
    this.file = file
    this.isNew = isNew
    this.info = info
    this.files = files
    this.#storage = storage
    this.#clock = clock
    this.#chance = chance
  }

  /** Run `work` on one snapshot of the space. */
  read<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    return this.#storage.read((tx) => work(this.#createSpace(tx, link)))
  }

  /** Run `work` in one transaction: all that it writes is on the disk when this resolves, or nothing is. */
  write<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    return this.#storage.write((tx) => work(this.#createSpace(tx, link)))
  }

  /** Run `work` in a transaction that may write, and undo all that it wrote. */
  async writeAndRollBack<T>(link: AccessLink, work: (space: Space) => Promise<T>): Promise<T> {
    const done = new RolledBack<T>()
    try {
      await this.write(link, async (space) => {
        done.result = { value: await work(space) }
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
  deleteUnusedFiles(): Promise<void> {
    return deleteUnusedFiles(this.#storage, this.files)
  }

  /** Watch for changes, by whichever process. */
  watch(notify: (changes: SpaceChanges) => Promise<void>): ChangeWatcher {
    return new ChangeWatcher((work) => this.read(OPERATOR_LINK, work), notify)
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
    await this.#storage.close()
    await this.files.close()
  }

  #createSpace(tx: Transaction, link: AccessLink): Space {
    return new Space(tx, this.info, link, this.files, this.#clock(), this.#chance)
  }
}

/**
 * @param path  of its file, through links or not, or `:memory:`
 * @throws UnusableFile for a file that cannot be served; VALIDATION_ERROR for a time zone that does not exist
 */
export async function openSpace(path: string, options: OpenSpaceOptions = {}): Promise<OpenSpace> {
  const { clock = Date.now } = options
  const chance: Chance = {
    newUuid: options.newUuid ?? newUuid,
    drawIds: options.drawIds ?? drawIds,
    drawCallId: options.drawCallId ?? drawCallId,
  }
  if (options.timezone !== undefined) await normalizeTimezoneLazily(options.timezone)
  const file = realPath(path)
  const storage = await openStorage(file, async () => (await import('./search/indexed-text.ts')).indexedText, options)
  try {
    const found = await storage.read(getSpaceRow)
    const { row, isNew } =
      found === undefined ? await createSpace(storage, options, clock, chance.newUuid) : { row: found, isNew: false }
    const { id, name, timezone, secret } = row
    const info: SpaceInfo = { id, name, timezone, secret, idPrefix: idPrefix(secret) }
    if (options.editorUrl !== undefined) info.editorUrl = options.editorUrl
    if (options.fontFolder !== undefined) info.fontFolder = options.fontFolder
    if (options.auditLogRetention !== undefined) info.auditLogRetention = options.auditLogRetention
    info.historyRetention = options.historyRetention ?? HISTORY_SECONDS * 1000
    await pruneOldRecords(storage, clock(), info)
    if (file !== path) await moveFromBesideSymlink(resolve(path), file, options.report)
    const files = new FileStore(file)
    await files.closeToOthers()
    await deleteUnusedFiles(storage, files)
    return new OpenSpace({ file, isNew }, storage, files, info, clock, chance)
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Writes that are forgotten in one transaction, and transactions at most: the rest follows with later writes. */
const PRUNED_PER_BATCH = 1_000
const PRUNE_BATCHES_ON_OPEN = 20

/** Forget writes and kept answers that are too old, which a space without writes would otherwise never drop. */
async function pruneOldRecords(storage: Storage, now: number, info: SpaceInfo): Promise<void> {
  const { auditLogRetention, historyRetention = Infinity } = info
  const { oldest } = await storage.read(historySize)
  if (oldest !== null && oldest <= now - historyRetention) await storage.write((tx) => pruneHistory({ tx, now, info }))
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

/** Forget files that no block shows, and remove their bytes. */
async function deleteUnusedFiles(storage: Storage, files: FileStore): Promise<void> {
  if (!(await files.hasFiles())) return
  // Rows are gone from the disk before their bytes are, since what is removed comes back with no transaction.
  await storage.write(deleteUnreferencedFiles)
  // In one transaction, so that no write references bytes meanwhile.
  await storage.write(async (tx) => files.deleteUnreferenced(await referencedHashes(tx)))
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
