/** Limits how long history is kept, and how much of it. */
import { sql } from 'drizzle-orm'
import { eraseContentOf, eraseContentOfDocuments, eraseContentUpTo } from './log-chain.ts'
import {
  forgetSourceTextsOfCalls,
  forgetSourceTextsOfDocuments,
  forgetSourceTextsOfListedCalls,
} from './source-texts.ts'
import { integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const SIZE = statement<{ bytes: number; calls: number; oldest: number | null }>(
  () => sql`SELECT coalesce(sum(change_bytes), 0) AS bytes, count(*) AS calls, min(at) AS oldest
    FROM write_log WHERE has_changes = 1`,
)

export interface HistorySize {
  bytes: number
  /** The number of calls that can be undone. */
  calls: number
  /** The time of the oldest of them, in milliseconds since 1970; null if there are none. */
  oldest: number | null
}

export async function historySize(tx: Transaction): Promise<HistorySize> {
  return (await tx.get(SIZE)) ?? { bytes: 0, calls: 0, oldest: null }
}

const LAST_OLD = statement<{ n: number | null }>(
  () => sql`SELECT max(n) AS n FROM (
      SELECT n, at FROM write_log WHERE has_changes = 1 ORDER BY n LIMIT ${integer('limit')}) AS first
    WHERE at <= ${integer('before')}`,
)
const DELETE_CHANGES = statement(() => sql`DELETE FROM change WHERE call <= ${integer('last')}`)
const DELETE_DOCUMENTS = statement(() => sql`DELETE FROM call_document WHERE call <= ${integer('last')}`)
const DELETE_EVENTS = statement(
  () => sql`DELETE FROM event WHERE call < ${integer('last')} AND n < (SELECT max(n) FROM event)`,
)
const NOTE_FORGOTTEN = statement(
  () => sql`UPDATE call_start SET forgotten = ${integer('last')} WHERE forgotten < ${integer('last')}`,
)
const MARK_CALLS = statement(
  () => sql`UPDATE write_log SET has_changes = 0, change_bytes = 0 WHERE has_changes = 1 AND n <= ${integer('last')}`,
)

/**
 * Deletes the changes of the oldest calls that were made up to `before`, in milliseconds since 1970: of at most `limit`
 * calls.
 *
 * @returns false if no call is that old
 */
export async function forgetChangesBefore(tx: Transaction, before: number, limit: number): Promise<boolean> {
  const last = (await tx.get(LAST_OLD, { before, limit }))?.n ?? undefined
  if (last === undefined) return false
  await forgetSourceTextsOfCalls(tx, last)
  await eraseContentUpTo(tx, last)
  await tx.run(DELETE_CHANGES, { last })
  await tx.run(DELETE_DOCUMENTS, { last })
  await tx.run(MARK_CALLS, { last })
  // The last event always stays, since the number of the next one follows it.
  await tx.run(DELETE_EVENTS, { last })
  await tx.run(NOTE_FORGOTTEN, { last })
  return true
}

const LARGEST_LINK = statement<{ link: string | null }>(
  () =>
    sql`SELECT link FROM write_log WHERE has_changes = 1 GROUP BY link ORDER BY sum(change_bytes) DESC, link LIMIT 1`,
)
const OLDEST_OF_LINK = statement<{ n: number }>(
  () => sql`SELECT n FROM (
      SELECT n, sum(change_bytes) OVER (ORDER BY n) - change_bytes AS bytes_before FROM (
        SELECT n, change_bytes FROM write_log WHERE has_changes = 1 AND change_bytes > 0
          AND coalesce(link, '') = coalesce(${sql.placeholder('link')}, '')
        ORDER BY n LIMIT ${integer('limit')}) AS oldest) AS summed
    WHERE bytes_before < ${integer('bytes')} ORDER BY n`,
)
const EMPTY_CHANGES = statement(
  (dialect) => sql`UPDATE change SET before = NULL WHERE call IN ${listOf(dialect, 'calls', 'integer')}`,
)
const MARK_EMPTY = statement(
  (dialect) =>
    sql`UPDATE write_log SET has_changes = 0, change_bytes = 0 WHERE n IN ${listOf(dialect, 'calls', 'integer')}`,
)

/**
 * Erases old values from the changes of one link's oldest calls. Chooses the link whose changes take the most space,
 * and the fewest of its calls that add up to `bytes`, at most `limit`.
 *
 * The entries stay without their old values. So it is still known that something changed, and undo does not revert an
 * earlier change by mistake.
 */
export async function forgetLargestHistory(tx: Transaction, bytes: number, limit: number): Promise<void> {
  const largest = await tx.get(LARGEST_LINK)
  if (largest === undefined) return
  const oldest = await tx.all(OLDEST_OF_LINK, { link: largest.link, bytes, limit })
  const calls = jsonList(oldest.map(({ n }) => n))
  await forgetSourceTextsOfListedCalls(tx, calls)
  await eraseContentOf(tx, calls)
  await tx.run(EMPTY_CHANGES, { calls })
  await tx.run(MARK_EMPTY, { calls })
}

/** Deletes changes of rows whose number is that of a block that no longer exists. */
const DELETE_GONE = statement(
  (dialect) => sql`DELETE FROM change WHERE document IN ${listOf(dialect, 'documents', 'integer')}
    AND tbl IN ('block', 'document', 'collection', 'value', 'board_state', 'block_file')
    AND NOT EXISTS (SELECT 1 FROM block WHERE block.n = change.row)`,
)
const DELETE_PLACES = statement(
  (dialect) => sql`DELETE FROM call_document WHERE document IN ${listOf(dialect, 'documents', 'integer')}
    AND NOT EXISTS (SELECT 1 FROM document WHERE document.n = call_document.document)`,
)
const EMPTY_DOCUMENTS = statement(
  (dialect) => sql`UPDATE change SET before = NULL WHERE document IN ${listOf(dialect, 'documents', 'integer')}`,
)
/** Marks the calls that changed nothing outside of these documents. */
const MARK_FORGOTTEN = statement(
  (dialect) => sql`UPDATE write_log SET has_changes = 0, change_bytes = 0
    WHERE has_changes = 1
      AND n IN (SELECT call FROM call_document WHERE document IN ${listOf(dialect, 'documents', 'integer')})
      AND NOT EXISTS (SELECT 1 FROM change WHERE change.call = write_log.n
        AND (change.document IS NULL OR change.document NOT IN ${listOf(dialect, 'documents', 'integer')}))`,
)

/** Erases the history of these documents. For rows that still exist, it stays known that they changed. */
export async function forgetDocuments(tx: Transaction, documents: readonly number[]): Promise<void> {
  const values = { documents: jsonList(documents) }
  await forgetSourceTextsOfDocuments(tx, values.documents)
  await eraseContentOfDocuments(tx, values.documents)
  await tx.run(MARK_FORGOTTEN, values)
  await tx.run(DELETE_GONE, values)
  await tx.run(DELETE_PLACES, values)
  await tx.run(EMPTY_DOCUMENTS, values)
}
