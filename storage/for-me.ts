/**
 * Queries on what waits for a member: its open tasks, comments that name it or concern what it wrote, texts that name
 * it, and what it has read of these.
 */
import { type SQL, sql } from 'drizzle-orm'
import { isSameThread } from './comments.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { member, readMark } from './schema.ts'
import {
  type Dialect,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  listOfValues,
  param,
  statement,
  updateWhere,
} from './statement.ts'
import { assigneeIn } from './tasks.ts'
import type { Transaction } from './transaction.ts'

/** For whom, and how many of each kind at most. */
export interface ForMember {
  reach: Reach
  /** The IDs of the member and of its groups, as digits. */
  members: readonly string[]
  /** The name under which it writes. */
  author: string
  limit: number
}

/** A block that waits for a member: a task, or a text that names it. */
export interface WaitingBlock {
  n: number
  /** The ID of the block. */
  id: number
  /** The number of its document. */
  document: number
  type: string
  text: string
  /** Who wrote it last. */
  author: string
  /** Milliseconds since 1970. */
  at: number
}

const COLUMNS = sql`block.n, block.id, block.document, block.type`
const LAST_AUTHOR = sql`coalesce(block.modified_by, block.created_by)`
const LAST_CHANGE = sql`coalesce(block.modified_at, block.created_at)`

const isListed = (dialect: Dialect, reach: Reach): SQL =>
  sql`place.location <> 'trash' AND ${documentWithinReach(dialect, reach)}`

/** A text that names the member: that of a block, or one of its values. */
export interface NamingText extends WaitingBlock {
  /** 1 for a value. */
  isValue: number
}

/** The first condition is that of an index. */
function mayName(text: SQL, members: readonly string[]): SQL {
  const any = members.map((id) => sql`${text} LIKE ${`%${id}%`}`)
  return sql`${text} LIKE '%person:%' AND (${sql.join(any, sql` OR `)})`
}

/** The open tasks of a member, those that are due first before the others. */
export function tasksForMember(tx: Transaction, { reach, members, limit }: ForMember): Promise<WaitingBlock[]> {
  return tx.all(
    statement<WaitingBlock>(
      (dialect) => sql`SELECT ${COLUMNS}, block.text, ${LAST_AUTHOR} AS author, ${LAST_CHANGE} AS at
        FROM block ${dialect.thenJoin} document AS place ON place.n = block.document
        WHERE ${assigneeIn(dialect)} IN ${listOfValues(dialect, members, 'text')} AND task_open = 1 AND ${isListed(dialect, reach)}
        ORDER BY task_moment, block.n LIMIT ${integerValue(limit)}`,
    ),
  )
}

/** A comment that waits for a member. */
export interface WaitingComment {
  n: number
  id: number
  author: string
  content: string
  at: number
  block: number
  /** The ID of the block. */
  blockId: number
  /** The number of its document. */
  document: number
  /** 1 if the ID of the member is in its text. */
  names: number
  /** 1 if it is on what the member wrote, or in a thread in which the member wrote before. */
  isAnswer: number
  /** 1 if it waits for confirmation. */
  unconfirmed: number | null
}

/** The newest open comments within reach that are looked through. */
const COMMENTS_READ = 10_000

/**
 * The newest open comments of others that may name the member, that are on what it wrote, or that answer it, unless it
 * has commented there since.
 */
export function commentsForMember(tx: Transaction, wanted: ForMember): Promise<WaitingComment[]> {
  const { reach, members, author, limit } = wanted
  return tx.all(
    statement<WaitingComment>((dialect) => {
      const isMineBefore = sql`EXISTS (SELECT 1 FROM comment AS mine
        WHERE mine.block = open.block AND ${isSameThread('mine', 'open')} AND mine.author = ${author} AND mine.n < open.n)`
      return sql`WITH open AS (
          SELECT comment.n, comment.id, comment.author, comment.content, comment.block, block.document, comment.unconfirmed, comment.thread,
            coalesce(comment.modified_at, comment.created_at) AS at, block.id AS "blockId",
            CASE WHEN ${mayName(sql`comment.content`, members)} THEN 1 ELSE 0 END AS names,
            CASE WHEN block.created_by = ${author} OR block.modified_by = ${author} THEN 1 ELSE 0 END AS is_on_mine
          FROM comment ${dialect.thenJoin} block ON block.n = comment.block
            ${dialect.thenJoin} document AS place ON place.n = block.document
          WHERE comment.resolved_at IS NULL AND comment.author <> ${author} AND ${isListed(dialect, reach)}
          ORDER BY comment.n DESC LIMIT ${integerValue(COMMENTS_READ)}
        ), concerning AS (
          SELECT open.*, CASE WHEN is_on_mine = 1 OR ${isMineBefore} THEN 1 ELSE 0 END AS "isAnswer" FROM open
        )
        SELECT * FROM concerning AS one WHERE (names = 1 OR "isAnswer" = 1) AND NOT EXISTS (
          SELECT 1 FROM comment AS mine WHERE mine.block = one.block AND ${isSameThread('mine', 'one')} AND mine.author = ${author}
            AND mine.n > one.n AND mine.created_at >= one.at)
        ORDER BY n DESC LIMIT ${integerValue(limit)}`
    }),
  )
}

/**
 * Blocks and values that may name the member, latest first, unless the member changed the block last, or has commented
 * on it since.
 */
export function textsForMember(tx: Transaction, wanted: ForMember): Promise<NamingText[]> {
  const { reach, members, author, limit } = wanted
  return tx.all(
    statement<NamingText>((dialect) => {
      const { thenJoin } = dialect
      const isOpen = sql`${LAST_AUTHOR} <> ${author} AND ${isListed(dialect, reach)} AND NOT EXISTS (
        SELECT 1 FROM comment AS mine WHERE mine.block = block.n AND mine.author = ${author}
          AND mine.created_at >= ${LAST_CHANGE})`
      const rest = sql`${LAST_AUTHOR} AS author, ${LAST_CHANGE} AS at`
      return sql`SELECT * FROM (SELECT ${COLUMNS}, block.text, 0 AS "isValue", ${rest}
        FROM block_link ${thenJoin} block ON block.n = block_link.block ${thenJoin} document AS place ON place.n = block.document
        WHERE block_link.target IN ${listOfValues(dialect, members.map(Number), 'integer')} AND ${mayName(sql`block.text`, members)}
          AND ${isOpen}
        UNION ALL SELECT ${COLUMNS}, value.text, 1 AS "isValue", ${rest}
        FROM value ${thenJoin} block ON block.n = value.item ${thenJoin} document AS place ON place.n = block.document
        WHERE ${mayName(sql`value.text`, members)} AND ${isOpen}) AS named
        ORDER BY at DESC, n DESC LIMIT ${integerValue(limit)}`
    }),
  )
}

const MARKS = statement<{ subject: number; readAt: number }>(
  () => sql`SELECT subject, read_at AS "readAt" FROM read_mark WHERE member = ${integer('member')} ORDER BY subject`,
)

/** When a member read what, by ID. @param member  by number */
export async function readMarksOf(tx: Transaction, member: number): Promise<Map<number, number>> {
  return new Map((await tx.all(MARKS, { member })).map(({ subject, readAt }) => [subject, readAt]))
}

const DELETE_OTHERS = statement(
  (dialect) => sql`DELETE FROM read_mark WHERE member = ${integer('member')}
    AND subject NOT IN ${listOf(dialect, 'subjects', 'integer')}`,
)
const DELETE_SOME = statement(
  (dialect) => sql`DELETE FROM read_mark WHERE member = ${integer('member')}
    AND subject IN ${listOf(dialect, 'subjects', 'integer')}`,
)
const INSERT = insertInto(readMark)

/** Marks things as read or unread, and forgets marks of what no longer waits. */
export interface MarkedAsRead {
  /** The number of the member. */
  member: number
  /** The IDs of all that waits for it. */
  waiting: readonly number[]
  /** Those to mark. */
  subjects: readonly number[]
  /** Milliseconds since 1970; absent to mark as unread. */
  readAt?: number | undefined
}

export async function writeReadMarks(tx: Transaction, marked: MarkedAsRead): Promise<void> {
  const { member, waiting, subjects, readAt } = marked
  await tx.run(DELETE_OTHERS, { member, subjects: jsonList(waiting) })
  await tx.run(DELETE_SOME, { member, subjects: jsonList(subjects) })
  if (readAt === undefined) return
  await tx.batch(
    INSERT,
    subjects.map((subject) => ({ member, subject, readAt })),
  )
}

const WANTED_LINES = sql`FROM member JOIN participant AS person ON person.n = member.participant
  WHERE member.daily_line IS NOT NULL AND person.removed_at IS NULL`
const ANY_LINE = statement(() => sql`SELECT 1 ${WANTED_LINES} LIMIT 1`)
const ANY_DUE_LINE = statement(() => sql`SELECT 1 ${WANTED_LINES} AND member.daily_line < ${param('today')} LIMIT 1`)
const DUE_LINES = statement<{ n: number; id: number; name: string }>(
  () => sql`SELECT member.n, member.id, person.name ${WANTED_LINES} AND member.daily_line < ${param('today')}
    ORDER BY member.n LIMIT ${integer('limit')}`,
)

/** True if somebody wants a daily line. */
export const wantsDailyLines = async (tx: Transaction): Promise<boolean> => (await tx.get(ANY_LINE)) !== undefined

/** True if somebody who wants a daily line has none of this day. @param today  such as `2026-11-20` */
export const hasDueDailyLines = async (tx: Transaction, today: string): Promise<boolean> =>
  (await tx.get(ANY_DUE_LINE, { today })) !== undefined

/** At most `limit` people who want a daily line and have none of this day. */
export function dueDailyLines(
  tx: Transaction,
  today: string,
  limit: number,
): Promise<{ n: number; id: number; name: string }[]> {
  return tx.all(DUE_LINES, { today, limit })
}

const DAILY_LINE = statement<{ dailyLine: string | null }>(
  () => sql`SELECT daily_line AS "dailyLine" FROM member WHERE n = ${integer('n')}`,
)

/** True if a member wants a daily line. @param n  its number */
export const wantsDailyLine = async (tx: Transaction, n: number): Promise<boolean> =>
  ((await tx.get(DAILY_LINE, { n }))?.dailyLine ?? null) !== null

const SET_DAILY_LINE = updateWhere(member, ['dailyLine'])

/** @param dailyLine  the day of its last line; `''` before the first one, null for none */
export async function setDailyLine(tx: Transaction, n: number, dailyLine: string | null): Promise<void> {
  await tx.run(SET_DAILY_LINE, { n, dailyLine })
}
