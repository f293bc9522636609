/**
 * Queries on leases: which items and tasks are held, by whom, and until when.
 *
 * Leases have a clock of their own. It follows a steady clock: that of the machine that is never set, or the clock of
 * the database. If the steady clock is behind what it showed before, as after a restart of the machine, the clock of
 * leases stands still until it is written again, so it never goes back.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type LeaseRow, lease } from './schema.ts'
import {
  columnsOf,
  type Dialect,
  deleteWhere,
  insertInto,
  integer,
  jsonList,
  listOf,
  param,
  rowsOf,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A stored lease. It has ended if `remaining`, in milliseconds, is not positive. */
export interface StoredLease extends LeaseRow {
  remaining: number
}

/** Values that all of these queries need. */
export interface LeaseTime {
  /** What the steady clock of this machine shows, in milliseconds. */
  steady: number
}

/** What has passed since the clock was written. */
const passed = (steady: SQL): SQL =>
  sql`CASE WHEN ${steady} > lease_clock.steady THEN ${steady} - lease_clock.steady ELSE 0 END`
const leaseTime = (dialect: Dialect): SQL =>
  sql`(SELECT lease_clock.at + ${passed(dialect.steadyTime(integer('steady')))} FROM lease_clock)`
const leaseColumns = (dialect: Dialect): SQL =>
  sql`${columnsOf(lease)}, lease.ends_at - ${leaseTime(dialect)} AS remaining`

const OF_BLOCKS = statement<StoredLease>(
  (dialect) => sql`SELECT ${leaseColumns(dialect)} FROM ${rowsOf(dialect, 'blocks', 'integer')} AS one
    ${dialect.thenJoin} lease ON lease.block = one.value ORDER BY lease.fence`,
)

/** The leases of these blocks, ended ones included, in the order in which they were given. */
export async function leasesOf(tx: Transaction, blocks: readonly number[], time: LeaseTime): Promise<StoredLease[]> {
  return blocks.length === 0 ? [] : tx.all(OF_BLOCKS, { blocks: jsonList(blocks), ...time })
}

const OF_CALLER = statement<StoredLease>(
  (dialect) =>
    sql`SELECT ${leaseColumns(dialect)} FROM lease WHERE lease.caller = ${param('caller')} ORDER BY lease.fence`,
)

/** The leases of a caller, on all of its connections. */
export function leasesOfCaller(tx: Transaction, caller: string, time: LeaseTime): Promise<StoredLease[]> {
  return tx.all(OF_CALLER, { caller, ...time })
}

const OF_CALLS = statement<StoredLease>(
  (dialect) => sql`SELECT ${leaseColumns(dialect)} FROM ${rowsOf(dialect, 'calls', 'integer')} AS one
    ${dialect.thenJoin} lease ON lease.call = one.value ORDER BY lease.fence`,
)

/** The leases that these calls gave, by the numbers of the calls. */
export function leasesOfCalls(tx: Transaction, calls: readonly number[], time: LeaseTime): Promise<StoredLease[]> {
  return tx.all(OF_CALLS, { calls: jsonList(calls), ...time })
}

const BESIDE = statement<StoredLease>(
  (dialect) => sql`SELECT ${leaseColumns(dialect)} FROM lease ${dialect.thenJoin} block AS held ON held.n = lease.block
    WHERE held.document IN (SELECT block.document FROM block WHERE block.id IN ${listOf(dialect, 'ids', 'integer')})
    ORDER BY lease.fence`,
)

/** The leases in the documents of the blocks with these IDs. */
export function leasesBeside(tx: Transaction, ids: readonly number[], time: LeaseTime): Promise<StoredLease[]> {
  return tx.all(BESIDE, { ids: jsonList(ids), ...time })
}

const IN_COLLECTION = statement<{ block: number }>(
  (dialect) => sql`SELECT lease.block FROM lease ${dialect.thenJoin} block ON block.n = lease.block
    WHERE block.parent = ${integer('collection')} AND block.document = ${integer('document')}`,
)

/** The numbers of the items of a collection that have a lease, ended ones included. */
export async function leasedItems(
  tx: Transaction,
  { n, document }: { n: number; document: number },
): Promise<Set<number>> {
  return new Set((await tx.all(IN_COLLECTION, { collection: n, document })).map(({ block }) => block))
}

const HAS_ENDED = statement((dialect) => sql`SELECT 1 FROM lease WHERE lease.ends_at <= ${leaseTime(dialect)} LIMIT 1`)
const ENDED = statement<StoredLease>(
  (dialect) => sql`SELECT ${leaseColumns(dialect)} FROM lease WHERE lease.ends_at <= ${leaseTime(dialect)}
    ORDER BY lease.ends_at, lease.block LIMIT ${integer('limit')}`,
)

export async function hasEndedLeases(tx: Transaction, time: LeaseTime): Promise<boolean> {
  return (await tx.get(HAS_ENDED, time)) !== undefined
}

/** At most `limit` leases that have ended, the first one first. */
export function endedLeases(tx: Transaction, limit: number, time: LeaseTime): Promise<StoredLease[]> {
  return tx.all(ENDED, { limit, ...time })
}

const OUTLOOK = statement<{ wait: number | null; isBehind: number }>((dialect) => {
  const steady = dialect.steadyTime(integer('steady'))
  return sql`SELECT min(lease.ends_at) - ${leaseTime(dialect)} AS wait,
    (SELECT count(*) FROM lease_clock WHERE lease_clock.steady > ${steady}) AS "isBehind" FROM lease`
})

/** When the next lease ends. */
export interface LeaseOutlook {
  /** Milliseconds, 0 or less if one has ended; Infinity if there is none. */
  wait: number
  /** True if the steady clock is behind what it showed before, so that the clock of leases stands still. */
  isBehind: boolean
}

export async function leaseOutlook(tx: Transaction, time: LeaseTime): Promise<LeaseOutlook> {
  const { wait = null, isBehind = 0 } = (await tx.get(OUTLOOK, time)) ?? {}
  return { wait: wait ?? Infinity, isBehind: isBehind > 0 && wait !== null }
}

const ADVANCE = statement<{ at: number; fence: number }>((dialect) => {
  const steady = dialect.steadyTime(integer('steady'))
  return sql`INSERT INTO lease_clock (one, at, steady, fence)
    VALUES (1, ${integer('now')}, ${steady}, ${integer('now')} + ${integer('count')})
    ${dialect.onConflict('one')} DO UPDATE SET at = lease_clock.at + ${passed(sql`excluded.steady`)}, steady = excluded.steady,
      fence = CASE WHEN lease_clock.fence > ${integer('now')} THEN lease_clock.fence ELSE ${integer('now')} END
        + ${integer('count')}
    RETURNING lease_clock.at AS at, lease_clock.fence AS fence`
})

/**
 * Moves the clock of leases on, and draws the next `count` fences. A fence is greater than all before it, and at least
 * the time of day in milliseconds: then it is also greater than those that a space gave out after the backup from which
 * it was restored.
 *
 * @param now  the time of day, in milliseconds since 1970
 * @returns the time of leases, and the last of the fences
 */
export async function advanceLeaseClock(
  tx: Transaction,
  values: LeaseTime & { now: number; count: number },
): Promise<{ at: number; fence: number }> {
  const row = await tx.get(ADVANCE, values)
  if (row === undefined) throw new Error('Expected the clock of leases, found none.')
  return row
}

const INSERT = insertInto(lease)
const RENEW = updateWhere(lease, ['endsAt', 'duration'], ['block', 'fence'])
const DELETE = deleteWhere(lease, ['block', 'fence'])

export async function insertLeases(tx: Transaction, rows: readonly LeaseRow[]): Promise<void> {
  if (rows.length > 0) await tx.batch(INSERT, rows)
}

export async function renewLeases(
  tx: Transaction,
  rows: readonly Pick<LeaseRow, 'block' | 'fence' | 'endsAt' | 'duration'>[],
): Promise<void> {
  if (rows.length > 0) await tx.batch(RENEW, rows)
}

export async function deleteLeases(tx: Transaction, rows: readonly Pick<LeaseRow, 'block' | 'fence'>[]): Promise<void> {
  if (rows.length > 0) await tx.batch(DELETE, rows)
}
