/** Queries on reminders. Each belongs to a participant and a block. */

import { type SQL, sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { type ReminderRow, reminder } from './schema.ts'
import {
  columnsOf,
  type Dialect,
  deleteWhere,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  listOfValues,
  rowsOf,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A reminder with fields of its block. */
export interface ReminderRecord extends ReminderRow {
  blockId: number
  /** The number of the block's document. */
  document: number
}

export type ReminderStatus = 'incomplete' | 'completed' | 'upcoming' | 'all'

/** Limits a query to the reminders of one participant on blocks within reach. */
export interface ReminderScope {
  participant: number
  reach: Reach
}

/** The reminders of a participant within reach. */
const selectReminders = (dialect: Dialect, { participant, reach }: ReminderScope): SQL =>
  sql`SELECT ${columnsOf(reminder)}, block.id AS "blockId", block.document FROM reminder
    ${dialect.thenJoin} block ON block.n = reminder.block
    ${dialect.thenJoin} document AS place ON place.n = block.document
    WHERE reminder.participant = ${integerValue(participant)} AND ${documentWithinReach(dialect, reach)}`

/** At most `limit` reminders after a place, oldest first. */
export function listReminders(
  tx: Transaction,
  scope: ReminderScope,
  status: ReminderStatus,
  now: number,
  after: { createdAt: number; n: number } | undefined,
  limit: number,
): Promise<ReminderRecord[]> {
  const start = after ? sql`AND (reminder.created_at, reminder.n) > (${after.createdAt}, ${after.n})` : sql``
  const find = statement<ReminderRecord>(
    (dialect) => sql`${selectReminders(dialect, scope)} AND ${statusCondition(status, now)} ${start}
      ORDER BY reminder.created_at, reminder.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

function statusCondition(status: ReminderStatus, now: number): SQL {
  switch (status) {
    case 'all':
      return sql`true`
    case 'completed':
      return sql`reminder.completed_at IS NOT NULL`
    case 'incomplete':
      return sql`reminder.completed_at IS NULL`
    case 'upcoming':
      return sql`reminder.completed_at IS NULL AND (reminder.remind_at IS NULL OR reminder.remind_at > ${now})`
  }
}

const HAS_DUE = statement(
  () => sql`SELECT 1 FROM reminder WHERE participant = ${integer('participant')} AND completed_at IS NULL
    AND remind_at <= ${integer('now')} LIMIT 1`,
)

/** True if any reminder is due, on whatever block. Every response runs this check, so it must cost next to nothing. */
export async function hasDueReminder(tx: Transaction, participant: number, now: number): Promise<boolean> {
  return (await tx.get(HAS_DUE, { participant, now })) !== undefined
}

/** Due reminders, earliest first, without those on blocks in the trash. */
export function dueReminders(
  tx: Transaction,
  scope: ReminderScope,
  now: number,
  limit: number,
): Promise<ReminderRecord[]> {
  const find = statement<ReminderRecord>(
    (
      dialect,
    ) => sql`${selectReminders(dialect, scope)} AND reminder.completed_at IS NULL AND reminder.remind_at <= ${now}
      AND place.location <> 'trash' ORDER BY reminder.remind_at, reminder.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

/** A participant's reminders with these IDs, within reach, oldest first. */
export function remindersByIds(
  tx: Transaction,
  scope: ReminderScope,
  ids: readonly number[],
): Promise<ReminderRecord[]> {
  const find = statement<ReminderRecord>(
    (dialect) => sql`${selectReminders(dialect, scope)} AND reminder.id IN ${listOfValues(dialect, ids, 'integer')}
      ORDER BY reminder.n`,
  )
  return tx.all(find)
}

const WITH_REMINDER = statement<{ block: number }>(
  (dialect) => sql`SELECT reminder.block FROM ${rowsOf(dialect, 'blocks', 'integer')} AS one
    ${dialect.thenJoin} reminder ON reminder.block = one.value
    WHERE reminder.participant = ${integer('participant')} ORDER BY one.id`,
)

/**
 * Returns those of the given blocks on which a participant has a reminder, in the given order. Blocks are given by
 * number.
 */
export async function blocksWithReminder(
  tx: Transaction,
  participant: number,
  blocks: readonly number[],
): Promise<number[]> {
  return (await tx.all(WITH_REMINDER, { blocks: jsonList(blocks), participant })).map(({ block }) => block)
}

const DELETE_ON_BLOCK = deleteWhere(reminder, ['block', 'participant'])
const INSERT = insertInto(reminder, ['id', 'block', 'participant', 'remindAt', 'completedAt', 'createdAt'])

/** Sets reminders and replaces the participant's existing ones on their blocks. */
export async function replaceReminders(tx: Transaction, rows: readonly Omit<ReminderRow, 'n'>[]): Promise<void> {
  await tx.batch(DELETE_ON_BLOCK, rows)
  await tx.batch(INSERT, rows)
}

const AT = statement<{ n: number }>(
  () => sql`SELECT n FROM reminder WHERE block = ${integer('block')} AND remind_at = ${integer('remindAt')}`,
)

/** The numbers of the reminders on a block, of any participant, that are due at exactly this time. */
export async function remindersAt(tx: Transaction, block: number, remindAt: number): Promise<number[]> {
  return (await tx.all(AT, { block, remindAt })).map(({ n }) => n)
}

const UPDATE = updateWhere(reminder, ['remindAt', 'completedAt'])

export async function updateReminders(
  tx: Transaction,
  rows: readonly Pick<ReminderRow, 'n' | 'remindAt' | 'completedAt'>[],
): Promise<void> {
  await tx.batch(UPDATE, rows)
}

const DELETE = statement((dialect) => sql`DELETE FROM reminder WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

export async function deleteReminders(tx: Transaction, ns: readonly number[]): Promise<void> {
  await tx.run(DELETE, { ns: jsonList(ns) })
}

const OF_BLOCKS = statement<ReminderRow>(
  (dialect) => sql`SELECT ${columnsOf(reminder)} FROM reminder
    WHERE participant = ${integer('participant')} AND block IN ${listOf(dialect, 'blocks', 'integer')} ORDER BY n`,
)

/** The reminders of a participant on these blocks. */
export function remindersOfBlocks(
  tx: Transaction,
  participant: number,
  blocks: readonly number[],
): Promise<ReminderRow[]> {
  return tx.all(OF_BLOCKS, { participant, blocks: jsonList(blocks) })
}
