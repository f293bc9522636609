/** Queries on completions of repeating tasks, which leave a copy in the logbook and move the task to its next date. */
import { type SQL, sql } from 'drizzle-orm'
import { integer, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A call that may have completed a task, with what the task was before, as JSON. */
export interface PossibleCompletion {
  call: number
  at: number
  author: string
  client: string | null
  before: string
  /** What the task was before its text changed for the first time after that call, as JSON; null if it did not. */
  beforeNextText: string | null
}

/** Calls that are looked at. */
const CALLS_READ = 20

const COMPLETIONS = statement<PossibleCompletion>(
  (dialect) => sql`SELECT change.call, caller.at, caller.author, caller.client, change.before,
      (SELECT later.before FROM change AS later WHERE later.tbl = 'block' AND later.row = change.row
        AND later.n > change.n AND later.before LIKE '%"text":%' ORDER BY later.n LIMIT 1) AS "beforeNextText"
    FROM change ${dialect.thenJoin} write_log AS caller ON caller.n = change.call
    WHERE change.tbl = 'block' AND change.row = ${integer('task')} AND change.kind = 'update'
      AND change.before IS NOT NULL AND change.call > ${integer('after')} AND caller.at >= ${integer('since')}
      AND EXISTS (SELECT 1 FROM call_document WHERE call_document.call = change.call
        AND call_document.document = ${integer('logbook')})
    ORDER BY change.n DESC LIMIT ${sql.raw(String(CALLS_READ))}`,
)

/**
 * The last calls that changed a task and wrote into the logbook, newest first.
 *
 * @param task  the number of its block
 * @param logbook  the number of the document
 * @param after  only calls after this one
 * @param since  only calls from this time on, in milliseconds since 1970
 */
export function possibleCompletions(
  tx: Transaction,
  values: { task: number; logbook: number; after: number; since: number },
): Promise<PossibleCompletion[]> {
  return tx.all(COMPLETIONS, values)
}

const COPY = statement(() => {
  const made = sql`FROM change AS made
    WHERE made.call = ${integer('call')} AND made.tbl = 'block' AND made.kind = 'insert'`
  const isMade = (n: SQL) => sql`${n} BETWEEN made.row AND coalesce(made.last, made.row)`
  return sql`SELECT 1 ${made} AND (
    EXISTS (SELECT 1 FROM block AS copy WHERE ${isMade(sql`copy.n`)}
      AND copy.document = ${integer('logbook')} AND copy.text = ${param('text')})
    OR EXISTS (SELECT 1 FROM change AS later WHERE later.tbl = 'block' AND ${isMade(sql`later.row`)}
      AND later.call > made.call AND later.document = ${integer('logbook')})) LIMIT 1`
})

/** True if a call added a block with this text to the logbook, or one that was changed or removed there since. */
export async function addedToLogbook(
  tx: Transaction,
  values: { call: number; logbook: number; text: string },
): Promise<boolean> {
  return (await tx.get(COPY, values)) !== undefined
}
