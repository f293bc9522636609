/** Tables of access control: participants, access links, sign-ins, and sessions that ended. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What a client connection reaches. Source: the interface, "Connection kinds". */
export const CONNECTION_KINDS = ['full', 'selected', 'daily'] as const
/**
 * What an access link allows, from most to least: everything, everything but deleting, reading and proposing changes
 * that wait for a person, reading and commenting, or reading.
 */
export const ACCESS_LEVELS = ['full', 'no-delete', 'propose', 'comment', 'read'] as const

/** The participants of a space. Those without `removedAt` are active. */
export const participant = sqliteTable('participant', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  removedAt: integer('removed_at'),
  /** The most that their links allow, and those that they made. */
  access: text({ enum: ACCESS_LEVELS }).notNull().default('full'),
})

/** Password of a participant. */
export const password = sqliteTable('password', {
  participant: integer().primaryKey(),
  hash: text().notNull(),
  changedAt: integer('changed_at').notNull(),
})

/** An access link: its secret grants access within its kind and documents. */
export const link = sqliteTable('link', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  kind: text({ enum: CONNECTION_KINDS }).notNull(),
  access: text({ enum: ACCESS_LEVELS }).notNull(),
  secretHash: text('secret_hash').notNull(),
  isBearer: integer('is_bearer').notNull(),
  participant: integer().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  /** The grant of the consent that created the link, if any. */
  consent: text(),
  /** How often its kind or the set of documents that it reaches has changed; maintained by triggers. */
  reachChanges: integer('reach_changes').notNull().default(0),
  /** 1 if the link may not subscribe to events that are sent to an address. */
  noEvents: integer('no_events').notNull().default(0),
  /** When a person paused it: its calls are refused until somebody resumes it. */
  pausedAt: integer('paused_at'),
  /** 1 if its address is that of a calendar, and opens nothing else. */
  isCalendar: integer('is_calendar').notNull().default(0),
  /** The number of the participant who made it on the pages. NULL if the operator did, and for sign-ins. */
  madeBy: integer('made_by'),
})

/** Documents that a selected link exposes. */
export const linkDocument = sqliteTable(
  'link_document',
  {
    link: integer().notNull(),
    document: integer().notNull(),
    /** The number of the first call after the document was exposed: the link sees no history from before. */
    since: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.link, table.document] })],
)

/** A user of an external issuer. */
export const identity = sqliteTable('identity', {
  n: integer().primaryKey(),
  issuer: text().notNull(),
  subject: text().notNull(),
  participant: integer().notNull(),
  createdAt: integer('created_at').notNull(),
})

/**
 * The access link of an identity that signed in with a program; `client` is '' if the issuer does not name the program.
 */
export const signIn = sqliteTable(
  'sign_in',
  { identity: integer().notNull(), client: text().notNull(), link: integer().notNull() },
  (table) => [primaryKey({ columns: [table.identity, table.client] })],
)

/** Sessions of the pages that ended before they expire. */
export const endedSession = sqliteTable(
  'ended_session',
  {
    /** The ID of a link, or `operator`. */
    link: text().notNull(),
    /** Distinguishes sessions of the same link. Empty for all sessions of the link that started until `startedAt`. */
    nonce: text().notNull(),
    startedAt: integer('started_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.link, table.nonce] })],
)

export type ParticipantRow = typeof participant.$inferSelect
export type PasswordRow = typeof password.$inferSelect
export type AccessLinkRow = typeof link.$inferSelect
export type EndedSessionRow = typeof endedSession.$inferSelect
