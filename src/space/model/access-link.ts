/** Who makes a call, and what of a space it may reach. */
import type { Reach } from '../../../storage/reach.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS, type DocumentRow, SYSTEM_DOCUMENTS } from '../../../storage/schema.ts'
import type { IdSpelling } from './ids.ts'
import type { SeenSchema } from './seen-schemas.ts'

export { ACCESS_LEVELS, CONNECTION_KINDS }
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

export type AccessLevel = (typeof ACCESS_LEVELS)[number]

/** The caller, and what it may reach. */
export interface AccessLink {
  /** Absent for the operator. */
  id?: string
  kind: ConnectionKind
  access: AccessLevel
  /** For `selected` links: the numbers of the documents that the link exposes. */
  documents: ReadonlySet<number>
  /** The author of everything that this link writes: the name of the participant, or of the link. */
  author: string
  /** The client's own name, sanitized. Clients can claim any name, so it is only shown next to the author. */
  client?: string
  /** The number of the participant who owns the link. Absent for the operator. */
  participant?: number
  /** For files over HTTP: the start of their addresses, and the key of the space in them. */
  files?: { origin: string; key: string }
  /** How IDs are written for this link. Short if absent. */
  idSpelling?: IdSpelling
  /** True for REST calls, whose answers include what clients of other services expect. */
  overRest?: boolean
  /** True for REST calls and pages, to which the history names what calls changed. */
  namesChanges?: boolean
  /** How many blocks a read may return. One that finds more is refused, so it stops at the first one too many. */
  blocksLeft?: number
  /** The process, session or sign-in that makes the call. Absent for single calls. */
  connection?: string
  /** True if the connection is a process or a session, so that all of its calls are one client's. */
  hasSession?: true
  /** True if no one sees what is read, so that it does not count as read by the connection. */
  isUnseen?: true
  /**
   * The number of the first call whose history the link may see, either per exposed document or for all documents.
   * Absent if it may see the whole history.
   */
  historyFrom?: ReadonlyMap<number, number> | number
  /** How many times its set of documents, or its kind, has changed. Absent if they never change. */
  reachChanges?: number
  /** When it ends, in milliseconds since 1970. Absent if it does not. */
  expiresAt?: number
  /** When a person paused it, in milliseconds since 1970. Nothing of a paused link is read or written. */
  pausedAt?: number
  /**
   * True for people on the pages and at the command line: their calls are not those of an agent, and change what is locked
   * against changes by agents.
   */
  isPerson?: true
  /** True if the participant signed in, so that no one else can be using the link. */
  isSignedIn?: boolean
  /**
   * True for people who open the pages with a link that only comments, and are no participants. They comment under a
   * name of their own, and are no member. Until they have given their name, they only read.
   */
  isGuest?: true
  /** For calls that were proposed: what the connection had seen of schemas when it proposed them, by collection. */
  seenSchemas?: ReadonlyMap<number, SeenSchema>
}

/** The client name of people who use the pages. */
export const PAGE_CLIENT = 'page'

/** The client of calls that import on the command line. */
export const IMPORT_CLIENT = 'scriptorium import'

/** The link of the operator, who runs the program and may do everything. */
export const OPERATOR_LINK: AccessLink = {
  kind: 'full',
  access: 'full',
  documents: new Set(),
  author: 'scriptorium',
  isPerson: true,
}

/** The same reach as {@link isWithinReach} says, in a form for statements that read many blocks. */
export const reachOf = ({ kind, documents }: AccessLink): Reach =>
  kind === 'full' ? 'all' : kind === 'daily' ? 'daily' : { documents: [...documents] }

export function isWithinReach({ kind, documents }: AccessLink, document: DocumentRow): boolean {
  switch (kind) {
    case 'full':
      return true
    case 'selected':
      return documents.has(document.n) && document.location !== 'trash'
    case 'daily':
      return document.location === 'daily_notes' || isSystemDocument(document)
  }
}

/** True for the task inbox and the logbook, which no caller can list or name as documents. */
export const isSystemDocument = ({ location }: Pick<DocumentRow, 'location'>): boolean =>
  (SYSTEM_DOCUMENTS as readonly string[]).includes(location)
