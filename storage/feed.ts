/** Where the feed of changes begins and ends, and which calls a connection may see something of. */
import { sql } from 'drizzle-orm'
import type { Reach } from './reach.ts'
import { DAILY_LOCATIONS } from './schema.ts'
import { integer, integerValue, listOfValues, quoted, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The numbers of the last call and of the last event, and of the last call that is not kept. */
export interface FeedBounds {
  call: number
  event: number
  /** Of no call up to this one it is known what it changed. */
  forgotten: number
}

// What was deleted from the audit log, which may be kept for less time, cannot be shown either.
const BOUNDS = statement<FeedBounds>(
  () => sql`SELECT call - 1 AS call, coalesce((SELECT max(n) FROM event), 0) AS event,
      CASE WHEN coalesce(logged.first, call) > forgotten THEN coalesce(logged.first, call) - 1 ELSE forgotten END AS forgotten
    FROM call_start, (SELECT min(n) AS first FROM write_log) AS logged`,
)

export async function feedBounds(tx: Transaction): Promise<FeedBounds> {
  return (await tx.get(BOUNDS)) ?? { call: 0, event: 0, forgotten: 0 }
}

/**
 * The numbers of the calls after the number `after`, and up to `last`, that changed something in a document which is
 * within reach, or may have left it by such a call. At most `limit`, in order.
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
