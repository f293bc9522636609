/**
 * A space as one connection sees it, inside one transaction.
 *
 * Reach is applied here and nowhere else: blocks and documents are handed out only within it, and what lies outside
 * is answered like what does not exist, in the same words and after the same look-ups.
 */

import { blockById, blocksByIds } from '../../storage/blocks.ts'
import { type DocumentRecord, documentById, documentByNumber, KEPT } from '../../storage/documents.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { activeParticipants } from '../../storage/participants.ts'
import type { BlockRow, DocumentRow, LinkRow } from '../../storage/schema.ts'
import type { Reach } from '../../storage/selection.ts'
import type { Transaction } from '../../storage/storage.ts'
import { eachInTurn, readInParts } from '../breathe.ts'
import { notFound, ScriptoriumError } from '../errors.ts'
import type { Calendar } from './dates.ts'

/** What a connection reaches. Source: the interface, "Connection kinds". */
export const KINDS = ['full', 'selected', 'daily'] as const
export type Kind = (typeof KINDS)[number]

/** What a connection may do to what it reaches: all, all but delete, or read. */
export const ACCESSES = ['full', 'no-delete', 'read'] as const satisfies readonly LinkRow['access'][]
export type Access = (typeof ACCESSES)[number]

/** Who calls, and what they may reach. */
export interface Link {
  /** Absent for whoever runs the program. */
  id?: string
  kind: Kind
  access: Access
  /** Of a `selected` link: the documents it exposes, as numbers. */
  documents: ReadonlySet<number>
  /** The name that stands as author at what this link writes: that of the participant, or of the link. */
  author: string
  /** What the client calls itself, cleaned: anybody can say anything, so that it stands beside the author alone. */
  client?: string
  /** The number of the participant whose link it is; absent for whoever runs the program. */
  participant?: number
  /** Where files are read and sent over HTTP: what their addresses begin with, and the key of the space. */
  files?: { origin: string; key: string }
  /** Whether that participant signed in, so that nobody else can be behind the link. */
  isSignedIn?: boolean
}

/** Whoever runs the program, where no connection is served: all may be done. */
export const OWN_LINK: Link = { kind: 'full', access: 'full', documents: new Set(), author: 'scriptorium' }

/** What the file says of its space. */
export interface SpaceInfo {
  id: string
  name: string
  timezone: string
  /** Seals cursors; in hex. */
  secret: string
  /** Milliseconds for which the log of writes keeps what was written; without it, for ever. */
  keepsLogFor?: number
  /** Where people edit documents in a browser, when there is such a place. */
  editorUrl?: string
}

/** Blocks that are looked up before other calls get their turn: some milliseconds. */
const BLOCKS_AT_ONCE = 1_000

export class Space implements Calendar {
  readonly tx: Transaction
  readonly info: SpaceInfo
  readonly link: Link
  /** The moment of the call: one for all that it writes. Milliseconds since 1970. */
  readonly now: number
  readonly newId: () => string
  /** The bytes of files. */
  readonly files: FileStore
  /** Blocks that were made so far. */
  blocksMade = 0
  /** IDs of files that this call has brought in, and no block shows yet. */
  readonly givenFiles = new Set<string>()

  constructor(tx: Transaction, info: SpaceInfo, link: Link, files: FileStore, now: number, newId: () => string) {
    this.tx = tx
    this.info = info
    this.link = link
    this.files = files
    this.now = now
    this.newId = newId
  }

  /** The same moment of the space over another link. */
  over(link: Link): Space {
    return new Space(this.tx, this.info, link, this.files, this.now, this.newId)
  }

  get kind(): Kind {
    return this.link.kind
  }

  get timezone(): string {
    return this.info.timezone
  }

  /** @throws NOT_FOUND_ERROR when there is no such block within reach */
  async block(id: string): Promise<BlockRow> {
    const row = await blockById(this.tx, id)
    if (row === undefined || !(await this.reaches(row.document))) throw notFound(noBlock(id))
    return row
  }

  /**
   * The blocks of these IDs in their order, each once.
   *
   * @throws NOT_FOUND_ERROR that names the first without a block within reach
   */
  async blocks(ids: readonly string[]): Promise<BlockRow[]> {
    const found = new Map((await this.reachable(ids)).map((row) => [row.id, row]))
    return [...new Set(ids)].map((id) => {
      const row = found.get(id)
      if (row === undefined) throw notFound(noBlock(id))
      return row
    })
  }

  /** Those of the IDs that are blocks within reach, in no order. */
  async reachable(ids: readonly string[]): Promise<BlockRow[]> {
    return (await this.#found(ids)).within
  }

  /** Whether any of the IDs is that of a block out of reach. */
  async hidesAny(ids: readonly string[]): Promise<boolean> {
    if (this.kind === 'full') return false
    const { all, within } = await this.#found(ids)
    return within.length < all.length
  }

  async #found(ids: readonly string[]): Promise<{ all: BlockRow[]; within: BlockRow[] }> {
    const all = await readInParts([...new Set(ids)], BLOCKS_AT_ONCE, (part) => blocksByIds(this.tx, part))
    const reached = new Map<number, boolean>()
    for await (const { document } of eachInTurn(all)) {
      if (!reached.has(document)) reached.set(document, await this.reaches(document))
    }
    return { all, within: all.filter((row) => reached.get(row.document)) }
  }

  /** @throws NOT_FOUND_ERROR when there is no such document within reach */
  async document(id: string): Promise<DocumentRecord> {
    const found = await documentById(this.tx, id)
    if (found === undefined || isKept(found) || !within(this.link, found)) throw notFound(noDocument(id))
    return found
  }

  /** @throws NOT_FOUND_ERROR that names the first without a document within reach */
  async documents(ids: readonly string[]): Promise<DocumentRecord[]> {
    const found: DocumentRecord[] = []
    for await (const id of eachInTurn(new Set(ids))) found.push(await this.document(id))
    return found
  }

  /** Whether what stands in the document of this number is within reach: one look-up, by its key. */
  async reaches(document: number): Promise<boolean> {
    if (this.kind === 'full') return true
    const row = await documentByNumber(this.tx, document)
    return row !== undefined && within(this.link, row)
  }

  /**
   * The number of the participant whose own things, such as reminders, the connection may see. An ordinary link stands
   * for the one who made it, and only while nobody else takes part, since whoever holds it would else see another's.
   *
   * @throws REMINDERS_UNAVAILABLE
   */
  async ownParticipant(): Promise<number> {
    const active = await activeParticipants(this.tx)
    const { participant, isSignedIn = false } = this.link
    const own = participant === undefined ? active[0] : active.find(({ n }) => n === participant)
    if (own !== undefined && (isSignedIn || active.length <= 1)) return own.n
    throw new ScriptoriumError(
      'REMINDERS_UNAVAILABLE',
      `Expected a connection whose reminders are one person's, found an ordinary link of a space with ${active.length} participants; use a connection that a participant signed in to.`,
    )
  }
}

/** The same reach as {@link Space.reaches} tells, for statements that read many blocks. */
export const reachOf = ({ kind, documents }: Link): Reach =>
  kind === 'full' ? 'all' : kind === 'daily' ? 'daily' : { documents: [...documents] }

function within({ kind, documents }: Link, document: DocumentRow): boolean {
  switch (kind) {
    case 'full':
      return true
    case 'selected':
      return documents.has(document.n) && document.location !== 'trash'
    case 'daily':
      return document.location === 'daily_notes' || isKept(document)
  }
}

/** The task inbox and the logbook are documents that are listed and named by no one. */
export const isKept = ({ location }: Pick<DocumentRow, 'location'>): boolean =>
  (KEPT as readonly string[]).includes(location)

const noBlock = (id: string) =>
  `Expected the ID of a block within reach, found ${id}; read IDs with blocks_get and name one of those.`
const noDocument = (id: string) =>
  `Expected the ID of a document within reach, found ${id}; read IDs with documents_list and name one of those.`
