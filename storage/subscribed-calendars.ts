/** Queries on calendars of others that people are subscribed to. */
import { type SQL, sql } from 'drizzle-orm'
import { type SubscribedCalendarRow, subscribedCalendar } from './schema.ts'
import { columnsOf, insertInto, integer, integerValue, param, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Who is subscribed: a participant or the person who uses a link, by number; the operator if both are null. */
export interface CalendarReader {
  participant: number | null
  link: number | null
}

/** A calendar without its content. */
export type CalendarListing = Omit<SubscribedCalendarRow, 'content'>

const OF_READER = (): SQL => sql`coalesce(participant, 0) = coalesce(${integer('participant')}, 0)
  AND coalesce(link, 0) = coalesce(${integer('link')}, 0)`
const LISTING = columnsOf(subscribedCalendar, 'subscribed_calendar', ['content'])

const LIST = statement<CalendarListing>(
  () => sql`SELECT ${LISTING} FROM subscribed_calendar WHERE ${OF_READER()} ORDER BY n`,
)
const CONTENTS = statement<{ n: number; content: string }>(
  () => sql`SELECT n, content FROM subscribed_calendar WHERE ${OF_READER()} ORDER BY n`,
)
const INSERT = insertInto(subscribedCalendar, [
  ...(['participant', 'link', 'url', 'name', 'createdAt', 'checkedAt', 'readAt'] as const),
  ...(['etag', 'lastModified', 'content', 'leftOut'] as const),
])
const DELETE = statement<{ n: number }>(
  () => sql`DELETE FROM subscribed_calendar WHERE n = ${integer('n')} AND ${OF_READER()} RETURNING n`,
)
const RENAME = statement<{ n: number }>(
  () =>
    sql`UPDATE subscribed_calendar SET name = ${param('name')} WHERE n = ${integer('n')} AND ${OF_READER()} RETURNING n`,
)
const CLAIM = statement<CalendarListing>(
  () => sql`UPDATE subscribed_calendar SET checked_at = ${integer('now')}
    WHERE n = ${integer('n')} AND checked_at <= ${integer('before')} RETURNING ${LISTING}`,
)
const READ = updateWhere(subscribedCalendar, [
  ...['readAt', 'failingSince', 'fault', 'etag', 'lastModified', 'content', 'leftOut'],
])
const UNCHANGED = statement(
  () => sql`UPDATE subscribed_calendar SET read_at = ${integer('now')}, failing_since = NULL, fault = NULL
    WHERE n = ${integer('n')}`,
)
const FAILED = statement(
  () => sql`UPDATE subscribed_calendar SET failing_since = coalesce(failing_since, ${integer('now')}), fault = ${param('fault')}
    WHERE n = ${integer('n')}`,
)

/** The calendars of a person, oldest first. */
export function listCalendars(tx: Transaction, reader: CalendarReader): Promise<CalendarListing[]> {
  return tx.all(LIST, reader)
}

/** What is kept of each of them, by number. */
export async function calendarContents(tx: Transaction, reader: CalendarReader): Promise<Map<number, string>> {
  return new Map((await tx.all(CONTENTS, reader)).map(({ n, content }) => [n, content]))
}

export async function insertCalendar(
  tx: Transaction,
  row: Omit<SubscribedCalendarRow, 'n' | 'failingSince' | 'fault'>,
): Promise<void> {
  await tx.run(INSERT, row)
}

/** Returns false if the person is subscribed to no calendar with this number. */
export async function deleteCalendar(tx: Transaction, reader: CalendarReader, n: number): Promise<boolean> {
  return (await tx.all(DELETE, { ...reader, n })).length > 0
}

/** The same. */
export async function renameCalendar(
  tx: Transaction,
  reader: CalendarReader,
  n: number,
  name: string,
): Promise<boolean> {
  return (await tx.all(RENAME, { ...reader, n, name })).length > 0
}

/**
 * Notes that a calendar is being read again, unless it was asked for later than `before`. Of several processes, one
 * gets it.
 */
export async function claimCalendar(
  tx: Transaction,
  n: number,
  times: { now: number; before: number },
): Promise<CalendarListing | undefined> {
  return (await tx.all(CLAIM, { n, ...times }))[0]
}

/** Sets what was read. A calendar that was removed meanwhile stays so. */
export async function updateCalendar(
  tx: Transaction,
  row: Pick<SubscribedCalendarRow, 'n' | 'readAt' | 'etag' | 'lastModified' | 'content' | 'leftOut'>,
): Promise<void> {
  await tx.run(READ, { ...row, failingSince: null, fault: null })
}

export async function markCalendarUnchanged(tx: Transaction, n: number, now: number): Promise<void> {
  await tx.run(UNCHANGED, { n, now })
}

export async function markCalendarFailed(tx: Transaction, n: number, now: number, fault: string): Promise<void> {
  await tx.run(FAILED, { n, now, fault })
}

/** Calendars whose person was removed, or whose link has ended: no one sees them any more. */
const endedAt = (now: number): SQL => sql`
  participant IN (SELECT n FROM participant WHERE removed_at IS NOT NULL)
  OR link IN (SELECT n FROM link WHERE revoked_at IS NOT NULL OR expires_at <= ${integerValue(now)})`

export async function hasEndedCalendars(tx: Transaction, now: number): Promise<boolean> {
  const find = statement(() => sql`SELECT 1 FROM subscribed_calendar WHERE ${endedAt(now)} LIMIT 1`)
  return (await tx.get(find)) !== undefined
}

export async function deleteEndedCalendars(tx: Transaction, now: number): Promise<void> {
  await tx.run(statement(() => sql`DELETE FROM subscribed_calendar WHERE ${endedAt(now)}`))
}
