/**
 * A space as one connection sees it, inside one transaction.
 *
 * Reach is enforced here and nowhere else. Blocks and documents are only returned if they are within reach. Anything
 * outside is answered as if it did not exist: with the same message, after the same lookups.
 */

import { blockById, blocksByIds } from '../../../storage/blocks.ts'
import type { FileBytes, WrittenFile } from '../../../storage/bytes/file-bytes.ts'
import {
  type DocumentRecord,
  documentById,
  documentsByIds,
  documentsByNumbers,
  touchDocuments,
} from '../../../storage/documents.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import type { BlockRow, DocumentRow } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { DOCUMENTS_PER_LINK } from '../../base/limits.ts'
import { readInChunks } from '../../base/scheduling.ts'
import { type AccessLink, type ConnectionKind, isSystemDocument, isWithinReach } from './access-link.ts'
import { AgentActivity } from './agent-activity.ts'
import type { Calendar } from './dates.ts'
import { assertMayChange } from './document-locks.ts'
import { GivenMember, resolveMembers } from './given-members.ts'
import { type AnyId, GivenId, idNumber, spellId, uniqueIds } from './ids.ts'
import { type Chance, IdSource, type NewBlocks } from './new-ids.ts'
import { blockNotFound, documentNotFound } from './not-found.ts'
import type { QuotaCheck } from './quota.ts'
import { readIds } from './read-ids.ts'
import { RowsOfCall } from './seen-rows.ts'
import { SeenByCall, SeenSchemas } from './seen-schemas.ts'
import type { UndoneCall } from './undone-call.ts'

// Most of what asks for a space asks for its link as well.
export {
  ACCESS_LEVELS,
  type AccessLevel,
  type AccessLink,
  CONNECTION_KINDS,
  type ConnectionKind,
  IMPORT_CLIENT,
  isSystemDocument,
  OPERATOR_LINK,
  PAGE_CLIENT,
  reachOf,
} from './access-link.ts'

export interface AddressKey {
  /** The first 23 characters of long IDs. */
  idPrefix: string
  /** Signs addresses of files. In hex. */
  fileKey: string
}

/** Properties of the space, as its file stores them. */
export interface SpaceInfo {
  id: string
  name: string
  timezone: string
  /** The day on which weeks begin on the pages, 1 for Monday. Absent, the language of the reader decides. */
  weekStart?: number | null
  /** The language of dates and numbers on the pages, such as `de`. Absent, that of the reader. */
  dateLanguage?: string | null
  /** Signs what ends with a restore: cursors, sessions of the pages, IDs of messages to webhooks. In hex. */
  secret: string
  /** What its long IDs and addresses of files are made with. Outlasts the secret. */
  addressKey: AddressKey
  /** What they were made with before. They are still accepted. */
  formerAddressKeys: readonly AddressKey[]
  /** How long audit log entries are kept, in milliseconds. Forever if absent. */
  auditLogRetention?: number
  /** How long history is kept, in milliseconds. Forever if absent. */
  historyRetention?: number
  /** The address at which people edit documents in a browser, if there is one. */
  editorUrl?: string
  /** The address of the web pages of the space, the command that serves them, and whether it runs at present. */
  pages?: { url: string; command: string; isServed?: boolean }
  /** A folder on this machine with fonts for whiteboards. */
  fontFolder?: string
}

/** Blocks that are looked up in one step, which takes some milliseconds. */
const BLOCKS_PER_BATCH = 1_000

/** What a transaction does besides the work of the call. */
export interface SpaceTransaction {
  /** True if the transaction will be rolled back. */
  isRolledBack?: boolean
  /** Where the request came from: see base/origin.ts. */
  origin?: string | undefined
  /** Checks the quotas at its end; absent if there are none. */
  quota?: QuotaCheck | undefined
  /** The clock of leases: see {@link Space.leaseTime}. */
  steadyClock?: () => number
  /** The notes of the call: see {@link Space.notes}. */
  notes?: Set<string>
  /** What the call and those before it have seen of schemas. */
  seenSchemas?: SeenByCall
  /** What the call shows and writes, and what those before it have seen. */
  seenRows?: RowsOfCall
  /** What links did lately, as this process knows it. */
  activity?: AgentActivity
  /** See {@link Space.documentsUsed}. */
  documentsUsed?: Set<number>
}

/** Sees what each step of a call does. */
export interface StepObserver {
  before(): Promise<void>
  after(result: { ids: string[]; answer: unknown }): Promise<void>
}

export class Space implements Calendar {
  readonly tx: Transaction
  readonly info: SpaceInfo
  readonly timezone: string
  readonly link: AccessLink
  /** The time of the call, used for everything that it writes. Milliseconds since 1970. */
  readonly now: number
  readonly chance: Chance
  /** The bytes of files. */
  readonly files: FileBytes
  /** The number of blocks created so far. */
  blocksCreated = 0
  /** The number of blocks that the steps of this call have read. */
  blocksRead = 0
  /** The IDs behind references in later steps, such as `$plan`: see steps.ts. */
  readonly references = new Map<string, number>()
  /** The calls that this call undoes; see history/undone-calls.ts. */
  undoneCalls: readonly UndoneCall[] | undefined
  /** The number of this call in the audit log, if it has logged itself. */
  loggedCall: number | undefined
  /** True if this call has changed the name or the time zone of the space. */
  hasChangedSettings = false
  /** Milliseconds until the first of the leases ends that this call gave or renewed. */
  leaseEndsIn = Infinity
  /** Numbers of the repeating tasks that this call has completed. */
  readonly completedTasks = new Set<number>()
  /** Called around each step of this call. */
  aroundStep: StepObserver | undefined
  /** True if the space is shown in a past state. */
  isPast = false
  /** IDs of files that this call has added and that no block references yet. */
  readonly addedFileIds = new Set<number>()

  /** Document rows that this call has read. */
  readonly #documentRows = new Map<number, DocumentRow>()
  readonly #idSource: IdSource
  /** Numbers of the documents that this call has marked as changed. */
  readonly #changedDocuments = new Set<number>()

  readonly isRolledBack: boolean
  readonly origin: string | undefined
  readonly quota: QuotaCheck | undefined
  readonly steadyClock: () => number
  /** Sentences for the caller about what it wrote, each once. */
  readonly notes: Set<string>
  readonly seenSchemas: SeenByCall
  readonly seenRows: RowsOfCall
  readonly activity: AgentActivity
  /** Numbers of documents in which the call has read or written, the last one last. Not more than some. */
  readonly documentsUsed: Set<number>

  constructor(
    tx: Transaction,
    info: SpaceInfo,
    link: AccessLink,
    files: FileBytes,
    now: number,
    chance: Chance,
    {
      isRolledBack = false,
      origin,
      quota,
      steadyClock = () => now,
      notes = new Set(),
      seenSchemas = new SeenByCall(new SeenSchemas()),
      seenRows = new RowsOfCall(),
      activity = new AgentActivity(),
      documentsUsed = new Set(),
    }: SpaceTransaction = {},
  ) {
    this.tx = tx
    this.info = info
    this.timezone = info.timezone
    this.link = link
    this.files = files
    this.now = now
    this.chance = chance
    this.isRolledBack = isRolledBack
    this.origin = origin
    this.quota = quota
    this.steadyClock = steadyClock
    this.notes = notes
    this.seenSchemas = seenSchemas
    this.seenRows = seenRows
    this.activity = activity
    this.documentsUsed = documentsUsed
    this.#idSource = new IdSource(tx, chance)
  }

  /** After this many blocks, a read that is to be complete stops: it will be refused. */
  get mostBlocks(): number {
    return (this.link.blocksLeft ?? Infinity) + 1
  }

  /** The same transaction through another link, with other random IDs if `chance` is given. */
  withLink(link: AccessLink, chance = this.chance): Space {
    return new Space(this.tx, this.info, link, this.files, this.now, chance, this)
  }

  /** The same space at another time, for imported content that was created then. @param now  milliseconds since 1970 */
  atTime(now: number): Space {
    return new Space(this.tx, this.info, this.link, this.files, now, this.chance, this)
  }

  /** Commits the bytes of a file for which this transaction writes a row. */
  async keepFile(written: WrittenFile): Promise<void> {
    if (!this.isRolledBack) await this.files.commit(written, this.tx)
  }

  /** Increments the revisions of documents, once per call, and notifies their watchers when the transaction commits. */
  async markChanged(...documents: readonly number[]): Promise<void> {
    const unmarked = [...new Set(documents)].filter((document) => !this.#changedDocuments.has(document))
    for (const document of documents) this.#noteUsed(document)
    if (unmarked.length === 0) return
    // A document whose row does not exist yet is marked later, once it does.
    for (const { n, lockedBy } of await touchDocuments(this.tx, unmarked, this.now)) {
      if (lockedBy !== null) await assertMayChange(this, n, lockedBy)
      this.#changedDocuments.add(n)
    }
  }

  /** True if this call has changed something in a document. @param document  its number */
  hasChanged(document: number): boolean {
    return this.#changedDocuments.has(document)
  }

  /** What queries on leases need to know the time: what a clock shows that is never set, in milliseconds. */
  get leaseTime(): { steady: number } {
    return { steady: this.steadyClock() }
  }

  get kind(): ConnectionKind {
    return this.link.kind
  }

  /** Returns new IDs in ascending order. None of them was ever used in the space. */
  newIds(count: number): Promise<number[]> {
    return this.#idSource.newIds(count)
  }

  /** Returns numbers and IDs for new blocks: see {@link IdSource.newBlocks}. */
  newBlocks(count: number, ids?: readonly number[], arePlaces?: boolean): Promise<NewBlocks> {
    return this.#idSource.newBlocks(count, ids, arePlaces)
  }

  /** One new ID. */
  async newId(): Promise<number> {
    const [id] = await this.newIds(1)
    if (id === undefined) throw new Error('Expected a new ID, found none.')
    return id
  }

  /** Spells an ID the way this connection writes IDs. */
  spellId(id: number): string {
    return spellId(id, this.link.idSpelling ?? 'short', this.info.addressKey.idPrefix)
  }

  /** Resolves IDs that a caller sent to IDs of this space. @throws VALIDATION_ERROR for members that are not there */
  async resolveIds(ids: readonly GivenId[]): Promise<void> {
    const unresolved = ids.filter((id) => !id.isShort && !(id instanceof GivenMember))
    await resolveMembers(
      this,
      ids.filter((id) => id instanceof GivenMember),
    )
    if (unresolved.length === 0) return
    const numbers = await this.readIds(unresolved.map(String))
    for (const id of unresolved) id.number = numbers.get(String(id))
  }

  /** Resolves an ID in a text. */
  async readId(text: string): Promise<GivenId> {
    const id = new GivenId(text)
    await this.resolveIds([id])
    return id
  }

  /**
   * Resolves texts that are IDs, in any spelling: see {@link GivenId}. Other texts, and IDs of other spaces, are left
   * out. Nothing needs to exist with the ID.
   */
  async readIds(texts: Iterable<string>): Promise<Map<string, number>> {
    return await readIds(this, texts)
  }

  /** @throws NOT_FOUND_ERROR if there is no such block within reach */
  async getBlock(id: AnyId): Promise<BlockRow> {
    const row = await blockById(this.tx, idNumber(id))
    if (row === undefined || !(await this.canReachDocument(row.document))) throw blockNotFound(this.kind, id)
    this.#noteUsed(row.document)
    return row
  }

  /**
   * Returns the blocks with these IDs in the given order, each once.
   *
   * @throws NOT_FOUND_ERROR that names the first ID without a block within reach
   */
  async getBlocks(ids: readonly AnyId[]): Promise<BlockRow[]> {
    const found = new Map((await this.findReachableBlocks(ids.map(idNumber))).map((row) => [row.id, row]))
    return uniqueIds(ids).map((id) => {
      const row = found.get(idNumber(id))
      if (row === undefined) throw blockNotFound(this.kind, id)
      this.#noteUsed(row.document)
      return row
    })
  }

  /** Returns the blocks within reach among the given IDs, in no particular order. */
  async findReachableBlocks(ids: readonly number[]): Promise<BlockRow[]> {
    return (await this.#findBlocks(ids)).within
  }

  /** True if any of the IDs belongs to a block out of reach. */
  async hasBlocksOutOfReach(ids: readonly number[]): Promise<boolean> {
    if (this.kind === 'full') return false
    const { all, within } = await this.#findBlocks(ids)
    return within.length < all.length
  }

  async #findBlocks(ids: readonly number[]): Promise<{ all: BlockRow[]; within: BlockRow[] }> {
    const all = await readInChunks([...new Set(ids)], BLOCKS_PER_BATCH, (part) => blocksByIds(this.tx, part))
    const reached = await this.reachableDocuments(all.map(({ document }) => document))
    return { all, within: all.filter(({ document }) => reached.has(document)) }
  }

  /** @throws NOT_FOUND_ERROR if there is no such document within reach */
  async getDocument(id: AnyId): Promise<DocumentRecord> {
    const found = await documentById(this.tx, idNumber(id))
    if (found === undefined || isSystemDocument(found) || !isWithinReach(this.link, found))
      throw documentNotFound(this.kind, id)
    this.#noteUsed(found.n)
    return found
  }

  /** @throws NOT_FOUND_ERROR that names the first ID without a document within reach */
  async getDocuments(ids: readonly AnyId[]): Promise<DocumentRecord[]> {
    const wanted = uniqueIds(ids)
    const rows = await readInChunks(wanted.map(idNumber), BLOCKS_PER_BATCH, (part) => documentsByIds(this.tx, part))
    const found = new Map(rows.map((row) => [row.id, row]))
    return wanted.map((id) => {
      const document = found.get(idNumber(id))
      if (document === undefined || isSystemDocument(document) || !isWithinReach(this.link, document))
        throw documentNotFound(this.kind, id)
      this.#noteUsed(document.n)
      return document
    })
  }

  #noteUsed(document: number): void {
    if (!this.documentsUsed.delete(document) && this.documentsUsed.size >= DOCUMENTS_PER_LINK) return
    this.documentsUsed.add(document)
  }

  /** True if the content of the document with this number is within reach. Takes one lookup by key. */
  async canReachDocument(document: number): Promise<boolean> {
    return (await this.reachableDocuments([document])).has(document)
  }

  /** Returns those of these documents whose blocks are within reach. */
  async reachableDocuments(documents: readonly number[]): Promise<Set<number>> {
    if (this.kind === 'full' || documents.length === 0) return new Set(documents)
    const rows = await this.documentRows(documents)
    return new Set([...rows.values()].filter((row) => isWithinReach(this.link, row)).map(({ n }) => n))
  }

  /** True if this connection reaches everything that another one did. */
  async reachesAllOf({ kind, documents }: Pick<AccessLink, 'kind' | 'documents'>): Promise<boolean> {
    if (this.kind === 'full') return true
    return kind === this.kind && (await this.reachableDocuments([...documents])).size === documents.size
  }

  /**
   * Returns the rows of these documents by number, as they were when this call first read them. Their locations are
   * current, but their revisions may be outdated. Code that moves documents must call {@link forgetDocumentRows}.
   */
  async documentRows(documents: readonly number[]): Promise<ReadonlyMap<number, DocumentRow>> {
    const wanted = [...new Set(documents)]
    const unread = wanted.filter((n) => !this.#documentRows.has(n))
    if (unread.length > 0) {
      const rows = await readInChunks(unread, BLOCKS_PER_BATCH, (part) => documentsByNumbers(this.tx, part))
      for (const row of rows) this.#documentRows.set(row.n, row)
    }
    // Only the requested ones: rows from earlier reads of this call must not leak into an answer.
    const found = new Map<number, DocumentRow>()
    for (const n of wanted) {
      const row = this.#documentRows.get(n)
      if (row !== undefined) found.set(n, row)
    }
    return found
  }

  /** The row of one document. */
  async documentRow(document: number): Promise<DocumentRow | undefined> {
    return (await this.documentRows([document])).get(document)
  }

  /** Caches the rows of documents that this call has created, so that they need not be read. */
  rememberDocumentRows(rows: readonly DocumentRow[]): void {
    for (const row of rows) this.#documentRows.set(row.n, row)
  }

  forgetDocumentRows(): void {
    this.#documentRows.clear()
  }

  /**
   * The number of the participant whose private things, such as reminders, the connection may see. An ordinary link
   * stands for the participant who made it, but only while there is no other participant, because its holder could
   * otherwise see another person's things.
   *
   * @throws REMINDERS_UNAVAILABLE
   */
  async getOwnParticipant(): Promise<number> {
    const active = await activeParticipants(this.tx)
    const own = this.#ownParticipant(active)
    if (own !== undefined) return own
    throw new ScriptoriumError(
      'REMINDERS_UNAVAILABLE',
      `Expected a connection whose reminders are one person's, found an ordinary link of a space with ${active.length} participants; use a connection that a participant signed in to.`,
    )
  }

  /** The same, or undefined if the connection does not stand for one person. */
  async findOwnParticipant(): Promise<number | undefined> {
    return this.#ownParticipant(await activeParticipants(this.tx))
  }

  #ownParticipant(active: readonly { n: number }[]): number | undefined {
    const { participant, isSignedIn = false } = this.link
    const own = participant === undefined ? active[0] : active.find(({ n }) => n === participant)
    return isSignedIn || active.length <= 1 ? own?.n : undefined
  }
}
