/** Queries on proposals: calls that wait for the approval of a person. */

import { sql } from 'drizzle-orm'
import { insertEvent, PROPOSAL_DECIDED, PROPOSAL_WAITING } from './events.ts'
import { type ProposalFileRow, type ProposalRow, promisedId, proposal, proposalFile } from './schema.ts'
import {
  columnsOf,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  param,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

const INSERTED = [
  ...([
    'id',
    'link',
    'reach',
    'author',
    'client',
    'createdAt',
    'tool',
    'steps',
    'ids',
    'documents',
    'isSpaceWide',
  ] as const),
  ...(['summary', 'diff', 'changes', 'blocks', 'bytes', 'state', 'parts', 'partCount', 'acceptedCount'] as const),
] as const
const INSERT = insertInto(proposal, [...INSERTED], () => sql`RETURNING ${columnsOf(proposal)}`)
const INSERT_PROMISED = insertInto(promisedId)
const INSERT_FILE = insertInto(proposalFile)

/** The reserved IDs and the files of a proposal. */
export interface Reserved {
  /** IDs of the things that it would create. */
  ids: readonly number[]
  files: readonly Omit<ProposalFileRow, 'proposal'>[]
}

export type NewProposal = Pick<ProposalRow, (typeof INSERTED)[number]>

export async function insertProposal(tx: Transaction, row: NewProposal, reserved: Reserved): Promise<ProposalRow> {
  const inserted = (await tx.get(INSERT, row)) as ProposalRow
  await reserve(tx, inserted, reserved)
  return inserted
}

/** Reserves the IDs and files of a proposal, and tells that it waits. */
async function reserve(
  tx: Transaction,
  { n, createdAt }: Pick<ProposalRow, 'n' | 'createdAt'>,
  { ids, files }: Reserved,
): Promise<void> {
  await tx.batch(
    INSERT_PROMISED,
    ids.map((id) => ({ id, proposal: n })),
  )
  await tx.batch(
    INSERT_FILE,
    files.map((file) => ({ ...file, proposal: n })),
  )
  await insertEvent(tx, { kind: PROPOSAL_WAITING, subject: n, at: createdAt })
}

/** What stays as it is when other calls take the place of those that wait. */
const KEPT: ReadonlySet<string> = new Set(['id', 'link', 'author', 'client'])
const REPLACE = updateWhere(
  proposal,
  INSERTED.filter((key) => !KEPT.has(key)),
)

/** Puts other calls in place of those of a waiting proposal, which keeps its ID. @param n  its number */
export async function replaceProposal(tx: Transaction, n: number, row: NewProposal, reserved: Reserved): Promise<void> {
  await tx.run(REPLACE, { ...row, n })
  await tx.run(RELEASE_ALL_IDS, { n })
  await tx.run(RELEASE_FILES, { n })
  await reserve(tx, { n, createdAt: row.createdAt }, reserved)
}

const BY_ID = statement<ProposalRow>(() => sql`${selectFrom(proposal)} WHERE id = ${integer('id')}`)

export function proposalById(tx: Transaction, id: number): Promise<ProposalRow | undefined> {
  return tx.get(BY_ID, { id })
}

const BY_NUMBERS = statement<ProposalRow>(
  (dialect) => sql`${selectFrom(proposal)} WHERE n IN ${listOf(dialect, 'numbers', 'integer')} ORDER BY n`,
)

export function proposalsByNumbers(tx: Transaction, numbers: readonly number[]): Promise<ProposalRow[]> {
  return tx.all(BY_NUMBERS, { numbers: jsonList(numbers) })
}

const BY_IDS = statement<ProposalRow>(
  (dialect) => sql`${selectFrom(proposal)} WHERE id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY n`,
)

/** Returns the proposals that have one of these IDs, oldest first. */
export function proposalsByIds(tx: Transaction, ids: readonly number[]): Promise<ProposalRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

const WAITING = statement<ProposalRow>(
  () => sql`${selectFrom(proposal)} WHERE state = 'waiting' AND coalesce(link, '') = ${param('link')} ORDER BY n`,
)

/**
 * The waiting proposals of a link, oldest first.
 *
 * @param link  its ID; `null` for processes over standard input and output
 */
export function waitingProposals(tx: Transaction, link: string | null): Promise<ProposalRow[]> {
  return tx.all(WAITING, { link: link ?? '' })
}

const FILES = statement<ProposalFileRow>(
  () => sql`${selectFrom(proposalFile)} WHERE proposal = ${integer('proposal')} ORDER BY step`,
)

/** The files that a proposal would add. @param n  its number */
export function filesOfProposal(tx: Transaction, n: number): Promise<ProposalFileRow[]> {
  return tx.all(FILES, { proposal: n })
}

/** Filters for proposals. A proposal must match all of them. */
export interface ProposalFilter {
  state?: ProposalRow['state'] | undefined
  /** Only proposals of one link; `null` for processes over standard input and output. */
  link?: string | null | undefined
  /** Only proposals with smaller numbers. */
  before?: number | undefined
}

/** Columns that may be megabytes long. Lists do without them. */
const LONG = ['steps', 'ids', 'diff', 'parts'] as const
export type ListedProposal = Omit<ProposalRow, (typeof LONG)[number]>

/** The last `limit` proposals that match, newest first. */
export function latestProposals(tx: Transaction, filter: ProposalFilter, limit: number): Promise<ListedProposal[]> {
  const { state, link, before } = filter
  const conditions = [
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(link === undefined ? [] : [sql`coalesce(link, '') = ${link ?? ''}`]),
    ...(before === undefined ? [] : [sql`n < ${integerValue(before)}`]),
  ]
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
  return tx.all(
    statement<ListedProposal>(
      () =>
        sql`SELECT ${columnsOf(proposal, 'proposal', LONG)} FROM proposal WHERE ${where} ORDER BY n DESC LIMIT ${integerValue(limit)}`,
    ),
  )
}

const PROMISING = statement<ProposalRow>(
  (dialect) => sql`${selectFrom(proposal)} WHERE n IN
    (SELECT proposal FROM promised_id WHERE id IN ${listOf(dialect, 'ids', 'integer')}) ORDER BY n`,
)

/** The proposals that would create things with these IDs. */
export function proposalsPromising(tx: Transaction, ids: readonly number[]): Promise<ProposalRow[]> {
  return tx.all(PROMISING, { ids: jsonList(ids) })
}

const RELEASE_IDS = statement(
  (dialect) =>
    sql`DELETE FROM promised_id WHERE proposal = ${integer('n')} AND id IN ${listOf(dialect, 'ids', 'integer')}`,
)

/** Releases IDs that a proposal reserved. They can be given to something else from now on. */
export async function releasePromisedIds(tx: Transaction, n: number, ids: readonly number[]): Promise<void> {
  await tx.run(RELEASE_IDS, { n, ids: jsonList(ids) })
}

const RELEASE_ALL_IDS = statement(() => sql`DELETE FROM promised_id WHERE proposal = ${integer('n')}`)

const RELEASE_FILES = statement(() => sql`DELETE FROM proposal_file WHERE proposal = ${integer('n')}`)
const DECIDE = statement(
  () => sql`UPDATE proposal SET state = ${param('state')}, decided_at = ${integer('at')}, decided_by = ${param('by')},
    note = coalesce(${param('note')}, note), call = ${integer('call')},
    parts = coalesce(${param('parts')}, parts), accepted_count = coalesce(${integer('acceptedCount')}, accepted_count)
    WHERE n = ${integer('n')} AND state = 'waiting'`,
)

/** How a proposal ended: approved, rejected, or ended without a decision. */
export interface Decision {
  state: 'approved' | 'rejected' | 'ended'
  /** Milliseconds since 1970. */
  at: number
  by?: string
  note?: string | undefined
  call?: number
  /** What became of each part, as JSON, and how many of them were accepted. */
  parts?: string
  acceptedCount?: number
}

/** Records a decision, and releases the IDs and files that the proposal reserved. */
export async function decideProposal(tx: Transaction, n: number, decision: Decision): Promise<void> {
  await tx.run(DECIDE, { ...decision, n })
  await tx.run(RELEASE_ALL_IDS, { n })
  await tx.run(RELEASE_FILES, { n })
  await insertEvent(tx, { kind: PROPOSAL_DECIDED, subject: n, at: decision.at })
}

const DECIDE_PARTS = statement(
  () => sql`UPDATE proposal SET parts = ${param('parts')}, accepted_count = ${integer('acceptedCount')},
    steps = ${param('steps')}, ids = ${param('ids')}, documents = ${param('documents')},
    is_space_wide = ${integer('isSpaceWide')}, summary = ${param('summary')}, diff = ${param('diff')},
    changes = ${param('changes')}, bytes = ${integer('bytes')}, note = coalesce(${param('note')}, note)
    WHERE n = ${integer('n')} AND state = 'waiting'`,
)

/** What is left of a proposal once some of its parts are decided. */
export type RemainingProposal = Pick<
  ProposalRow,
  'parts' | 'acceptedCount' | 'steps' | 'ids' | 'documents' | 'isSpaceWide' | 'summary' | 'diff' | 'changes'
> & {
  files: readonly Omit<ProposalFileRow, 'proposal'>[]
  /** A message from the person who decided. */
  note?: string | undefined
}

/** Records the decision on some parts of a proposal, the others of which wait on. Releases the IDs of those decided. @param at  milliseconds since 1970 */
export async function decideParts(
  tx: Transaction,
  n: number,
  { files, at, ...remaining }: RemainingProposal & { at: number },
  released: readonly number[],
): Promise<void> {
  await tx.run(DECIDE_PARTS, { ...remaining, bytes: files.reduce((sum, { size }) => sum + size, 0), n })
  await releasePromisedIds(tx, n, released)
  await tx.run(RELEASE_FILES, { n })
  await tx.batch(
    INSERT_FILE,
    files.map((file) => ({ ...file, proposal: n })),
  )
  // What is left waits: those who look at it see that it is less.
  await insertEvent(tx, { kind: PROPOSAL_WAITING, subject: n, at })
}

const IS_EXPIRED = sql`state = 'waiting' AND (created_at <= ${integer('before')} OR link IN
  (SELECT id FROM link WHERE revoked_at IS NOT NULL OR expires_at <= ${integer('now')}))`
const IS_OLD = sql`state <> 'waiting' AND decided_at <= ${integer('before')}`
const EXPIRED = statement<{ n: number }>(() => sql`SELECT n FROM proposal WHERE ${IS_EXPIRED} ORDER BY n`)
const DELETE_OLD = statement(() => sql`DELETE FROM proposal WHERE ${IS_OLD}`)
const ANY_OVER = statement(() => sql`SELECT 1 FROM proposal WHERE (${IS_EXPIRED}) OR (${IS_OLD}) LIMIT 1`)

/** True if {@link endProposals} would end or delete a proposal. */
export async function hasProposalsToEnd(tx: Transaction, before: number, now: number): Promise<boolean> {
  return (await tx.get(ANY_OVER, { before, now })) !== undefined
}

/**
 * Ends proposals that have waited since `before` or whose link was revoked or has expired. Deletes proposals that were
 * decided by then.
 *
 * @param before  milliseconds since 1970, like `now`
 */
export async function endProposals(tx: Transaction, before: number, now: number): Promise<void> {
  for (const { n } of await tx.all(EXPIRED, { before, now })) await decideProposal(tx, n, { state: 'ended', at: now })
  await tx.run(DELETE_OLD, { before })
}

const DELETE_BEFORE = statement(() => sql`DELETE FROM proposal WHERE created_at < ${integer('before')}`)

/** Deletes all proposals created before a time, in any state. @param before  milliseconds since 1970 */
export async function deleteProposalsBefore(tx: Transaction, before: number): Promise<void> {
  await tx.run(DELETE_BEFORE, { before })
}

const DELETE_OF_DOCUMENTS = statement(
  (
    dialect,
  ) => sql`DELETE FROM proposal WHERE EXISTS (SELECT 1 FROM ${dialect.rows(sql`proposal.documents`, 'integer')} AS one
    WHERE CAST(one.value AS bigint) IN ${listOf(dialect, 'documents', 'integer')})`,
)

/** Deletes proposals that would change one of these documents. @param documents  their numbers */
export async function deleteProposalsOfDocuments(tx: Transaction, documents: readonly number[]): Promise<void> {
  await tx.run(DELETE_OF_DOCUMENTS, { documents: jsonList(documents) })
}

const APPROVED = statement<{ call: number; diff: string }>(
  (dialect) => sql`SELECT call, diff FROM proposal
    WHERE state = 'approved' AND call IN ${listOf(dialect, 'calls', 'integer')} ORDER BY n`,
)

/** The differences of approved proposals, by the IDs of the calls that carried them out. */
export async function approvedDifferences(tx: Transaction, calls: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.all(APPROVED, { calls: jsonList(calls) })
  return new Map(rows.map(({ call, diff }) => [call, diff]))
}
