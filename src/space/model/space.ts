/**
 * A space as one connection sees it, inside one transaction.
 *
 * Reach is applied here and nowhere else: blocks and documents are handed out only within it, and what lies outside
 * is answered like what does not exist, in the same words and after the same look-ups.
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
import type { Reach } from '../../../storage/reach.ts'
import {
  ACCESS_LEVELS,
  type BlockRow,
  CONNECTION_KINDS,
  type DocumentRow,
  SYSTEM_DOCUMENTS,
} from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { notFound, ScriptoriumError } from '../../base/errors.ts'
import { readInChunks } from '../../base/scheduling.ts'
import type { Calendar } from './dates.ts'
import { type AnyId, GivenId, type IdSpelling, idNumber, spellId, uniqueIds } from './ids.ts'
import { type Chance, IdSource, type NewBlocks } from './new-ids.ts'
import { readIds } from './read-ids.ts'

export { ACCESS_LEVELS, CONNECTION_KINDS }
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

export type AccessLevel = (typeof ACCESS_LEVELS)[number]

/** Who calls, and what they may reach. */
export interface AccessLink {
  /** Absent for the operator. */
  id?: string
  kind: ConnectionKind
  access: AccessLevel
  /** Of a `selected` link: the documents it exposes, as numbers. */
  documents: ReadonlySet<number>
  /** The name that stands as author at what this link writes: that of the participant, or of the link. */
  author: string
  /** What the client calls itself, cleaned: anybody can say anything, so that it stands beside the author alone. */
  client?: string
  /** The number of the participant whose link it is; absent for the operator. */
  participant?: number
  /** Where files are read and sent over HTTP: what their addresses begin with, and the key of the space. */
  files?: { origin: string; key: string }
  /** How IDs are written for it: short when absent. */
  idSpelling?: IdSpelling
  /** Whether it is asked over REST, where answers say what clients of other services look for. */
  overRest?: boolean
  /** The process, session or sign-in that it calls through; absent for single calls. */
  connection?: string
  /**
   * The number of the first call whose history it may see: for each exposed document, or for all; absent where it may
   * see all.
   */
  historyFrom?: ReadonlyMap<number, number> | number
  /** How often it came to reach other documents, or another kind of them; absent where it never does. */
  reachChanges?: number
  /** Whether that participant signed in, so that no one else can be behind the link. */
  isSignedIn?: boolean
}

/** The operator, who runs the program: everything is allowed. */
export const OPERATOR_LINK: AccessLink = { kind: 'full', access: 'full', documents: new Set(), author: 'scriptorium' }

/** What the file says of its space. */
export interface SpaceInfo {
  id: string
  name: string
  timezone: string
  /** Seals cursors; in hex. */
  secret: string
  /** What its long IDs begin with: see `idPrefix`. */
  idPrefix: string
  /** Milliseconds for which the log of writes keeps what was written; without it, for ever. */
  auditLogRetention?: number
  /** Milliseconds for which history is kept; without it, for ever. */
  historyRetention?: number
  /** Where people edit documents in a browser, when there is such a place. */
  editorUrl?: string
  /** Where people find the pages of the space, and the command that serves them there. */
  pages?: { url: string; command: string }
  /** Of the machine, with fonts for whiteboards. */
  fontFolder?: string
}

/** Blocks that are looked up before other calls get their turn: some milliseconds. */
const BLOCKS_PER_BATCH = 1_000

export class Space implements Calendar {
  readonly tx: Transaction
  readonly info: SpaceInfo
  readonly link: AccessLink
  /** The moment of the call: one for all that it writes. Milliseconds since 1970. */
  readonly now: number
  readonly chance: Chance
  /** The bytes of files. */
  readonly files: FileBytes
  /** Blocks that were made so far. */
  blocksCreated = 0
  /** Blocks that the steps of this call have read. */
  blocksRead = 0
  /** IDs that references of later steps stand for, such as `$plan`: see steps.ts. */
  readonly references = new Map<string, number>()
  /** The numbers of the calls that this one takes back; see history/undo-calls.ts. */
  undoneCalls: readonly number[] | undefined
  /** The number of this call in the audit log, where it has logged itself. */
  loggedCall: number | undefined
  /** Whether the space is shown as it was at an earlier moment. */
  isPast = false
  /** IDs of files that this call has added and no block references yet. */
  readonly addedFileIds = new Set<number>()

  /** Rows of documents that this call has read. */
  readonly #documentRows = new Map<number, DocumentRow>()
  readonly #idSource: IdSource
  /** Numbers of documents that this call has marked as changed. */
  readonly #changedDocuments = new Set<number>()

  /** Whether all that is written is rolled back in the end. */
  readonly isRolledBack: boolean

  constructor(
    tx: Transaction,
    info: SpaceInfo,
    link: AccessLink,
    files: FileBytes,
    now: number,
    chance: Chance,
    isRolledBack = false,
  ) {
    this.tx = tx
    this.info = info
    this.link = link
    this.files = files
    this.now = now
    this.chance = chance
    this.isRolledBack = isRolledBack
    this.#idSource = new IdSource(tx, chance)
  }

  /** The same moment of the space over another link, with IDs of its own where they are given. */
  withLink(link: AccessLink, chance = this.chance): Space {
    return new Space(this.tx, this.info, link, this.files, this.now, chance, this.isRolledBack)
  }

  /** The same space as at another time, for what was made then and comes in now. @param now  milliseconds since 1970 */
  atTime(now: number): Space {
    return new Space(this.tx, this.info, this.link, this.files, now, this.chance, this.isRolledBack)
  }

  /** Keeps the bytes of a file for which this transaction writes a row. */
  async keepFile(written: WrittenFile): Promise<void> {
    if (!this.isRolledBack) await this.files.commit(written, this.tx)
  }

  /** Moves the revisions of documents, once per call, and notifies their watchers when the transaction commits. */
  async markChanged(...documents: readonly number[]): Promise<void> {
    const unmarked = [...new Set(documents)].filter((document) => !this.#changedDocuments.has(document))
    if (unmarked.length === 0) return
    // A document whose row is not there yet is marked once it is.
    for (const n of await touchDocuments(this.tx, unmarked, this.now)) this.#changedDocuments.add(n)
  }

  get kind(): ConnectionKind {
    return this.link.kind
  }

  get timezone(): string {
    return this.info.timezone
  }

  /** New IDs, ascending: none was ever given to anything in the space. */
  newIds(count: number): Promise<number[]> {
    return this.#idSource.newIds(count)
  }

  /** What new blocks get: see {@link IdSource.newBlocks}. */
  newBlocks(count: number, ids?: readonly number[]): Promise<NewBlocks> {
    return this.#idSource.newBlocks(count, ids)
  }

  /** One new ID. */
  async newId(): Promise<number> {
    const [id] = await this.newIds(1)
    if (id === undefined) throw new Error('Expected a new ID, found none.')
    return id
  }

  /** An ID as this connection is shown it. */
  spellId(id: number): string {
    return spellId(id, this.link.idSpelling ?? 'short', this.info.idPrefix)
  }

  /** Finds out which IDs of this space those are that a caller sent. */
  async resolveIds(ids: readonly GivenId[]): Promise<void> {
    const unresolved = ids.filter((id) => !id.isShort)
    if (unresolved.length === 0) return
    const numbers = await this.readIds(unresolved.map(String))
    for (const id of unresolved) id.number = numbers.get(String(id))
  }

  /** An ID that stands in a text, resolved. */
  async readId(text: string): Promise<GivenId> {
    const id = new GivenId(text)
    await this.resolveIds([id])
    return id
  }

  /**
   * The IDs that texts say, in any spelling: see {@link GivenId}. Texts that are no ID, and IDs of other spaces, are left
   * out. There need not be anything with the ID.
   */
  async readIds(texts: Iterable<string>): Promise<Map<string, number>> {
    return await readIds(this, texts)
  }

  /** @throws NOT_FOUND_ERROR when there is no such block within reach */
  async getBlock(id: AnyId): Promise<BlockRow> {
    const row = await blockById(this.tx, idNumber(id))
    if (row === undefined || !(await this.canReachDocument(row.document))) throw notFound(blockNotFoundMessage(id))
    return row
  }

  /**
   * The blocks of these IDs in their order, each once.
   *
   * @throws NOT_FOUND_ERROR that names the first without a block within reach
   */
  async getBlocks(ids: readonly AnyId[]): Promise<BlockRow[]> {
    const found = new Map((await this.findReachableBlocks(ids.map(idNumber))).map((row) => [row.id, row]))
    return uniqueIds(ids).map((id) => {
      const row = found.get(idNumber(id))
      if (row === undefined) throw notFound(blockNotFoundMessage(id))
      return row
    })
  }

  /** Those of the IDs that are blocks within reach, in no order. */
  async findReachableBlocks(ids: readonly number[]): Promise<BlockRow[]> {
    return (await this.#findBlocks(ids)).within
  }

  /** Whether any of the IDs is that of a block out of reach. */
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

  /** @throws NOT_FOUND_ERROR when there is no such document within reach */
  async getDocument(id: AnyId): Promise<DocumentRecord> {
    const found = await documentById(this.tx, idNumber(id))
    if (found === undefined || isSystemDocument(found) || !isWithinReach(this.link, found))
      throw notFound(documentNotFoundMessage(id))
    return found
  }

  /** @throws NOT_FOUND_ERROR that names the first without a document within reach */
  async getDocuments(ids: readonly AnyId[]): Promise<DocumentRecord[]> {
    const wanted = uniqueIds(ids)
    const rows = await readInChunks(wanted.map(idNumber), BLOCKS_PER_BATCH, (part) => documentsByIds(this.tx, part))
    const found = new Map(rows.map((row) => [row.id, row]))
    return wanted.map((id) => {
      const document = found.get(idNumber(id))
      if (document === undefined || isSystemDocument(document) || !isWithinReach(this.link, document))
        throw notFound(documentNotFoundMessage(id))
      return document
    })
  }

  /** Whether what stands in the document of this number is within reach: one look-up, by its key. */
  async canReachDocument(document: number): Promise<boolean> {
    return (await this.reachableDocuments([document])).has(document)
  }

  /** Those of these documents whose blocks are within reach. */
  async reachableDocuments(documents: readonly number[]): Promise<Set<number>> {
    if (this.kind === 'full' || documents.length === 0) return new Set(documents)
    const rows = await this.documentRows(documents)
    return new Set([...rows.values()].filter((row) => isWithinReach(this.link, row)).map(({ n }) => n))
  }

  /** Whether this connection reaches all that another one did. */
  async reachesAllOf({ kind, documents }: Pick<AccessLink, 'kind' | 'documents'>): Promise<boolean> {
    if (this.kind === 'full') return true
    return kind === this.kind && (await this.reachableDocuments([...documents])).size === documents.size
  }

  /**
   * The rows of these documents by number, as they were when this call first read them: where they are and since when,
   * whatever their revision is now. Code that moves documents calls {@link forgetDocumentRows}.
   */
  async documentRows(documents: readonly number[]): Promise<ReadonlyMap<number, DocumentRow>> {
    const wanted = [...new Set(documents)]
    const unread = wanted.filter((n) => !this.#documentRows.has(n))
    if (unread.length > 0) {
      const rows = await readInChunks(unread, BLOCKS_PER_BATCH, (part) => documentsByNumbers(this.tx, part))
      for (const row of rows) this.#documentRows.set(row.n, row)
    }
    // None but those: what this call looked at before must not become part of an answer.
    const found = new Map<number, DocumentRow>()
    for (const n of wanted) {
      const row = this.#documentRows.get(n)
      if (row !== undefined) found.set(n, row)
    }
    return found
  }

  /** The row of one of them. */
  async documentRow(document: number): Promise<DocumentRow | undefined> {
    return (await this.documentRows([document])).get(document)
  }

  /** Documents that this call has made: their rows need not be read. */
  rememberDocumentRows(rows: readonly DocumentRow[]): void {
    for (const row of rows) this.#documentRows.set(row.n, row)
  }

  forgetDocumentRows(): void {
    this.#documentRows.clear()
  }

  /**
   * The number of the participant whose own things, such as reminders, the connection may see. An ordinary link stands
   * for the one who made it, and only while there is no other participant, since its holder would otherwise see another's.
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

  /** The same, or undefined where it is not one person's. */
  async findOwnParticipant(): Promise<number | undefined> {
    return this.#ownParticipant(await activeParticipants(this.tx))
  }

  #ownParticipant(active: readonly { n: number }[]): number | undefined {
    const { participant, isSignedIn = false } = this.link
    const own = participant === undefined ? active[0] : active.find(({ n }) => n === participant)
    return isSignedIn || active.length <= 1 ? own?.n : undefined
  }
}

/** The same reach as {@link Space.canReachDocument} tells, for statements that read many blocks. */
export const reachOf = ({ kind, documents }: AccessLink): Reach =>
  kind === 'full' ? 'all' : kind === 'daily' ? 'daily' : { documents: [...documents] }

function isWithinReach({ kind, documents }: AccessLink, document: DocumentRow): boolean {
  switch (kind) {
    case 'full':
      return true
    case 'selected':
      return documents.has(document.n) && document.location !== 'trash'
    case 'daily':
      return document.location === 'daily_notes' || isSystemDocument(document)
  }
}

/** The task inbox and the logbook are documents that are listed and named by no one. */
export const isSystemDocument = ({ location }: Pick<DocumentRow, 'location'>): boolean =>
  (SYSTEM_DOCUMENTS as readonly string[]).includes(location)

const blockNotFoundMessage = (id: AnyId) =>
  `Expected the ID of a block within reach, found ${id}; read IDs with blocks_get and name one of those.`
const documentNotFoundMessage = (id: AnyId) =>
  `Expected the ID of a document within reach, found ${id}; read IDs with documents_list and name one of those.`
