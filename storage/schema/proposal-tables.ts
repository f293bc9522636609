/** Tables of proposals: calls that wait for the approval of a person. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** States of a proposal. `ended` means that its link ended, or that no one decided in time. */
export const PROPOSAL_STATES = ['waiting', 'approved', 'rejected', 'ended'] as const

/** Calls that wait or waited for the approval of a person. */
export const proposal = sqliteTable('proposal', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  /** The ID of the link; absent for a process over standard input and output. */
  link: text(),
  /** The reach of the link, as JSON. */
  reach: text().notNull(),
  author: text().notNull(),
  client: text(),
  createdAt: integer('created_at').notNull(),
  tool: text().notNull(),
  /** The calls, and the IDs that were drawn for them, as JSON. */
  steps: text().notNull(),
  ids: text().notNull(),
  /**
   * The numbers of the documents that would change, as JSON; and 1 if documents or folders would be added or removed.
   */
  documents: text().notNull(),
  isSpaceWide: integer('is_space_wide').notNull(),
  summary: text().notNull(),
  diff: text().notNull(),
  blocks: integer().notNull(),
  /** The size of its files. */
  bytes: integer().notNull(),
  state: text({ enum: PROPOSAL_STATES }).notNull(),
  decidedAt: integer('decided_at'),
  decidedBy: text('decided_by'),
  /** The note of the person who decided, for the agent. */
  note: text(),
  /** The ID of the call that carried it out. */
  call: integer(),
  /** A hash of every column that would change; absent for proposals of earlier versions. */
  changes: text(),
  /** The parts that are decided one by one, as JSON; absent for proposals of earlier versions. */
  parts: text(),
  /** How many parts there are, and how many of them were accepted. */
  partCount: integer('part_count').notNull(),
  acceptedCount: integer('accepted_count').notNull(),
})

/** IDs reserved for what proposals would create. Nothing else gets them in the meantime. */
export const promisedId = sqliteTable('promised_id', { id: integer().primaryKey(), proposal: integer().notNull() })

/** Files that proposals would add. */
export const proposalFile = sqliteTable(
  'proposal_file',
  {
    proposal: integer().notNull(),
    /** The index of the call that adds it, from 0. */
    step: integer().notNull(),
    hash: text().notNull(),
    size: integer().notNull(),
    mediaType: text('media_type').notNull(),
  },
  (table) => [primaryKey({ columns: [table.proposal, table.step] })],
)

export type ProposalRow = typeof proposal.$inferSelect
export type ProposalFileRow = typeof proposalFile.$inferSelect
