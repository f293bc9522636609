/** Calls that wait for the approval of a person. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** States of a proposal. Of those that ended, the link ended or no one decided in time. */
export const PROPOSAL_STATES = ['waiting', 'approved', 'rejected', 'ended'] as const

/** Calls that wait for the approval of a person, or waited. */
export const proposal = sqliteTable('proposal', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  /** The ID of the link; absent of a process over standard input and output. */
  link: text(),
  /** What the link reached, as JSON. */
  reach: text().notNull(),
  author: text().notNull(),
  client: text(),
  createdAt: integer('created_at').notNull(),
  tool: text().notNull(),
  /** The calls, and the IDs that they drew, as JSON. */
  steps: text().notNull(),
  ids: text().notNull(),
  /** The numbers of the documents that would change, as JSON, and 1 where documents or folders would come or go. */
  documents: text().notNull(),
  isSpaceWide: integer('is_space_wide').notNull(),
  summary: text().notNull(),
  diff: text().notNull(),
  blocks: integer().notNull(),
  /** Of its files. */
  bytes: integer().notNull(),
  state: text({ enum: PROPOSAL_STATES }).notNull(),
  decidedAt: integer('decided_at'),
  decidedBy: text('decided_by'),
  /** What the person who decided says to the agent. */
  note: text(),
  /** The ID of the call that carried it out. */
  call: integer(),
})

/** IDs that proposals would make: nothing else gets them meanwhile. */
export const promisedId = sqliteTable('promised_id', { id: integer().primaryKey(), proposal: integer().notNull() })

/** Files that proposals would add. */
export const proposalFile = sqliteTable(
  'proposal_file',
  {
    proposal: integer().notNull(),
    /** Which of the calls adds it, from 0. */
    step: integer().notNull(),
    hash: text().notNull(),
    size: integer().notNull(),
    mediaType: text('media_type').notNull(),
  },
  (table) => [primaryKey({ columns: [table.proposal, table.step] })],
)

export type ProposalRow = typeof proposal.$inferSelect
export type ProposalFileRow = typeof proposalFile.$inferSelect
