/** Queries on reminders. Each belongs to a participant and a block. */

import { and, eq } from 'drizzle-orm'
import { boundValue, documentWithinReach, type Reach, rawSql, type Sql, sql } from './item-filter-sql.ts'
import { type ReminderRow, reminder } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

/** A reminder with fields of its block. */
export interface ReminderRecord extends ReminderRow {
  blockId: string
  /** The number of the block's document. */
  document: number
}

export type ReminderStatus = 'incomplete' | 'completed' | 'upcoming' | 'all'

/** Whose reminders, and on which blocks. */
export interface ReminderScope {
  participant: number
  reach: Reach
}

const COLUMNS = `reminder.n, reminder.id, reminder.block, reminder.participant, reminder.remind_at AS remindAt,
  reminder.completed_at AS completedAt, reminder.created_at AS createdAt, block.id AS blockId, block.document`
const FROM_REMINDERS =
  'FROM reminder CROSS JOIN block ON block.n = reminder.block CROSS JOIN document AS place ON place.n = block.document'

// Cached as prepared statements: only the values differ between calls, not the text.
const reminders = (tx: Transaction, { source, values }: Sql): ReminderRecord[] =>
  tx.sql<ReminderRecord>(source).all(...values)

/** At most `limit` reminders after a place, oldest first. */
export async function listReminders(
  tx: Transaction,
  { participant, reach }: ReminderScope,
  status: ReminderStatus,
  now: number,
  after: { createdAt: number; id: string } | undefined,
  limit: number,
): Promise<ReminderRecord[]> {
  const start = after
    ? sql`AND (reminder.created_at, reminder.id) > (${boundValue(after.createdAt)}, ${boundValue(after.id)})`
    : rawSql('')
  return reminders(
    tx,
    sql`SELECT ${rawSql(COLUMNS)} ${rawSql(FROM_REMINDERS)} WHERE reminder.participant = ${boundValue(participant)}
      AND ${documentWithinReach(reach)} AND ${statusSql(status, now)} ${start}
      ORDER BY reminder.created_at, reminder.id LIMIT ${boundValue(limit)}`,
  )
}

function statusSql(status: ReminderStatus, now: number): Sql {
  switch (status) {
    case 'all':
      return rawSql('true')
    case 'completed':
      return rawSql('reminder.completed_at IS NOT NULL')
    case 'incomplete':
      return rawSql('reminder.completed_at IS NULL')
    case 'upcoming':
      return sql`reminder.completed_at IS NULL AND (reminder.remind_at IS NULL OR reminder.remind_at > ${boundValue(now)})`
  }
}

/** True if any reminder is due, whatever block it is on. Checked with every answer, so it must cost next to nothing. */
export async function hasDueReminder(tx: Transaction, participant: number, now: number): Promise<boolean> {
  const find = tx.sql(
    'SELECT 1 FROM reminder WHERE participant = ? AND completed_at IS NULL AND remind_at <= ? LIMIT 1',
  )
  return find.get(participant, now) !== undefined
}

/** Due reminders, earliest first, without those on blocks in the trash. */
export async function dueReminders(
  tx: Transaction,
  { participant, reach }: ReminderScope,
  now: number,
  limit: number,
): Promise<ReminderRecord[]> {
  return reminders(
    tx,
    sql`SELECT ${rawSql(COLUMNS)} ${rawSql(FROM_REMINDERS)} WHERE reminder.participant = ${boundValue(participant)}
      AND reminder.completed_at IS NULL AND reminder.remind_at <= ${boundValue(now)}
      AND place.location <> 'trash' AND ${documentWithinReach(reach)} ORDER BY reminder.remind_at, reminder.n LIMIT ${boundValue(limit)}`,
  )
}

/** A participant's reminder by its ID, within reach. */
export async function reminderById(
  tx: Transaction,
  { participant, reach }: ReminderScope,
  id: string,
): Promise<ReminderRecord | undefined> {
  const [record] = reminders(
    tx,
    sql`SELECT ${rawSql(COLUMNS)} ${rawSql(FROM_REMINDERS)} WHERE reminder.id = ${boundValue(id)}
      AND reminder.participant = ${boundValue(participant)} AND ${documentWithinReach(reach)}`,
  )
  return record
}

/** The numbers of those of the blocks on which a participant has a reminder, in no particular order. */
export async function blocksWithReminder(
  tx: Transaction,
  participant: number,
  blocks: readonly number[],
): Promise<number[]> {
  const find = tx.sql<number>(
    `SELECT reminder.block FROM json_each(?) AS one CROSS JOIN reminder ON reminder.block = one.value
     WHERE reminder.participant = CAST(? AS INTEGER)`,
  )
  return find.pluck().all(JSON.stringify(blocks), participant)
}

/** Sets a reminder and replaces the participant's existing one on the block, if any. */
export async function replaceReminder(tx: Transaction, row: Omit<ReminderRow, 'n'>): Promise<ReminderRow> {
  tx.orm
    .delete(reminder)
    .where(and(eq(reminder.block, row.block), eq(reminder.participant, row.participant)))
    .run()
  return tx.orm.insert(reminder).values(row).returning().get()
}

export async function updateReminder(
  tx: Transaction,
  { n, remindAt, completedAt }: Pick<ReminderRow, 'n' | 'remindAt' | 'completedAt'>,
): Promise<void> {
  tx.orm.update(reminder).set({ remindAt, completedAt }).where(eq(reminder.n, n)).run()
}

export async function deleteReminder(tx: Transaction, n: number): Promise<void> {
  tx.orm.delete(reminder).where(eq(reminder.n, n)).run()
}
