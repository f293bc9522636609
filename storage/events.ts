/** Events of the feed that are not calls, such as a reminder that came due. Each is recorded once. */
import { sql } from 'drizzle-orm'
import { type EventRow, event } from './schema.ts'
import { integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Event kind: a reminder came due. Its subject is the reminder. */
export const REMINDER_DUE = 'reminder.due'
/** Event kind: a task is due. Its subject is the block, its detail the date. */
export const TASK_DUE = 'task.due'
/** Event kind: an import ended. Its subject is a number that was drawn for it, its detail has the source. */
export const IMPORT_ENDED = 'import.ended'
/** Event kind: a lease ended without its holder having released it. Its subject is the fence. */
export const LEASE_ENDED = 'lease.ended'
/** Event kinds: a proposal waits for approval, and a proposal was decided. Their subject is the proposal. */
export const PROPOSAL_WAITING = 'proposal.waiting'
export const PROPOSAL_DECIDED = 'proposal.decided'

const INSERT = statement(
  (dialect) => sql`INSERT INTO event (call, at, kind, subject, detail)
    SELECT call - 1, ${integer('at')}, ${param('kind')}, ${integer('subject')}, ${param('detail')} FROM call_start WHERE true
    ${dialect.onConflict('kind', 'subject', 'at')} DO NOTHING`,
)

/** Records an event after the calls so far. No effect if it was already recorded. */
export async function insertEvent(
  tx: Transaction,
  row: Pick<EventRow, 'at' | 'kind' | 'subject'> & Partial<Pick<EventRow, 'detail'>>,
): Promise<void> {
  await tx.run(INSERT, row)
}

const OF_IMPORT = statement<{ document: number }>(
  () => sql`SELECT DISTINCT call_document.document FROM call_document WHERE call_document.call > ${integer('after')}
    AND call_document.call <= ${integer('last')}
    AND EXISTS (SELECT 1 FROM imported
      WHERE imported.source = ${integer('source')} AND imported.document = call_document.document)
    ORDER BY call_document.document`,
)

/** The documents of a source that calls after `after` and up to `last` changed, by number. */
export async function documentsOfImport(
  tx: Transaction,
  source: number,
  after: number,
  last: number,
): Promise<number[]> {
  return (await tx.all(OF_IMPORT, { source, after, last })).map(({ document }) => document)
}

const IS_UNRECORDED_DUE = sql`reminder.completed_at IS NULL
  AND reminder.remind_at > ${integer('since')} AND reminder.remind_at <= ${integer('now')}
  AND NOT EXISTS (SELECT 1 FROM event
    WHERE event.kind = ${param('kind')} AND event.subject = reminder.n AND event.at = reminder.remind_at)`

const HAS_DUE = statement(
  (dialect) => sql`SELECT 1 FROM participant AS person
    ${dialect.thenJoin} reminder ON reminder.participant = person.n WHERE ${IS_UNRECORDED_DUE} LIMIT 1`,
)
const RECORD_DUE = statement(
  (dialect) => sql`INSERT INTO event (call, at, kind, subject)
    SELECT (SELECT call - 1 FROM call_start), reminder.remind_at, ${param('kind')}, reminder.n
    FROM participant AS person ${dialect.thenJoin} reminder ON reminder.participant = person.n
    WHERE ${IS_UNRECORDED_DUE} ORDER BY reminder.remind_at, reminder.n
    ${dialect.onConflict('kind', 'subject', 'at')} DO NOTHING`,
)

/**
 * True if a reminder came due after `since` and until `now`, both in milliseconds since 1970, and is not recorded as an
 * event yet.
 */
export async function hasUnrecordedReminders(tx: Transaction, since: number, now: number): Promise<boolean> {
  return (await tx.get(HAS_DUE, { kind: REMINDER_DUE, since, now })) !== undefined
}

/** Records an event for each of these reminders, earliest first. */
export async function recordDueReminders(tx: Transaction, since: number, now: number): Promise<void> {
  await tx.run(RECORD_DUE, { kind: REMINDER_DUE, since, now })
}

const NEXT_DUE = statement<{ at: number | null }>(
  () => sql`SELECT min((SELECT reminder.remind_at FROM reminder
      WHERE reminder.participant = person.n AND reminder.completed_at IS NULL AND reminder.remind_at > ${integer('now')}
      ORDER BY reminder.remind_at LIMIT 1)) AS at FROM participant AS person`,
)

/** When the next reminder is due, in milliseconds since 1970; Infinity if there is none. */
export async function nextReminderTime(tx: Transaction, now: number): Promise<number> {
  return (await tx.get(NEXT_DUE, { now }))?.at ?? Infinity
}

const AFTER = statement<EventRow>(
  () => sql`${selectFrom(event)} WHERE n > ${integer('after')} ORDER BY n LIMIT ${integer('limit')}`,
)

/** At most `limit` events after the number `after`, in the order in which they were recorded. */
export function eventsAfter(tx: Transaction, after: number, limit: number): Promise<EventRow[]> {
  return tx.all(AFTER, { after, limit })
}

// A fence is at least the time at which it was given out.
const LAPSED = statement<EventRow>(
  () => sql`${selectFrom(event)} WHERE kind = ${param('kind')} AND subject > ${integer('since')} AND at > ${integer('since')}
    ORDER BY n DESC LIMIT ${integer('limit')}`,
)

/** The newest ends of leases after a time, in milliseconds since 1970, that were also given after it. */
export function leaseEndsSince(tx: Transaction, since: number, limit: number): Promise<EventRow[]> {
  return tx.all(LAPSED, { kind: LEASE_ENDED, since, limit })
}
