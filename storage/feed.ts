/** Queries on the feed of changes: where it begins and ends, and which calls a connection may see parts of. */
import { sql } from 'drizzle-orm'
import type { Reach } from './reach.ts'
import { DAILY_LOCATIONS } from './schema.ts'
import { integer, integerValue, listOfValues, quoted, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The range of the feed: the numbers of the last call, of the last event, and of the last forgotten call. */
export interface FeedBounds {
  call: number
  event: number
  /** The changes of calls up to this number are no longer stored. */
  forgotten: number
}

// Calls that were deleted from the audit log, which may be kept for less time than history, cannot be shown either.
const BOUNDS = statement<FeedBounds>(
  () => sql`SELECT call - 1 AS call, coalesce((SELECT max(n) FROM event), 0) AS event,
      CASE WHEN coalesce(logged.first, call) > forgotten THEN coalesce(logged.first, call) - 1 ELSE forgotten END AS forgotten
    FROM call_start, (SELECT min(n) AS first FROM write_log) AS logged`,
)

export async function feedBounds(tx: Transaction): Promise<FeedBounds> {
  return (await tx.get(BOUNDS)) ?? { call: 0, event: 0, forgotten: 0 }
}

/**
 * The numbers of the calls after `after` and up to `last` that changed something in a document which is within reach,
 * or which the call may have moved out of reach. At most `limit`, in order.
 */
export async function callsWithinReach(
  tx: Transaction,
  reach: Exclude<Reach, 'all'>,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<number[]> {
  const find = statement<{ call: number }>((dialect) => {
    const isNear =
      reach === 'daily'
        ? sql`(place.location IN (${quoted(DAILY_LOCATIONS)}) OR place.daily_note_date IS NOT NULL)`
        : sql`place.n IN ${listOfValues(dialect, reach.documents, 'integer')}`
    return sql`SELECT DISTINCT call_document.call FROM call_document
      ${dialect.thenJoin} document AS place ON place.n = call_document.document
      WHERE call_document.call > ${integer('after')} AND call_document.call <= ${integer('last')} AND ${isNear}
      ORDER BY call_document.call LIMIT ${integerValue(limit)}`
  })
  return (await tx.all(find, { after, last })).map(({ call }) => call)
}
