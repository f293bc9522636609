/** Queries on completions of repeating tasks, which leave a copy in the logbook and move the task to its next date. */
import { sql } from 'drizzle-orm'
import { integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A call that may have completed a task, with what the task was before, as JSON. */
export interface PossibleCompletion {
  call: number
  at: number
  author: string
  client: string | null
  before: string
}

/** Calls that are looked at. */
const CALLS_READ = 20

const COMPLETIONS = statement<PossibleCompletion>(
  (dialect) => sql`SELECT change.call, caller.at, caller.author, caller.client, change.before FROM change
    ${dialect.thenJoin} write_log AS caller ON caller.n = change.call
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

const COPY = statement(
  (dialect) => sql`SELECT 1 FROM change
    ${dialect.thenJoin} block AS copy ON copy.n BETWEEN change.row AND coalesce(change.last, change.row)
    WHERE change.call = ${integer('call')} AND change.tbl = 'block' AND change.kind = 'insert'
      AND copy.document = ${integer('logbook')} AND copy.text IN ${listOf(dialect, 'texts', 'text')} LIMIT 1`,
)

/** True if a call added a block with one of these texts to the logbook, which is still there. */
export async function addedToLogbook(
  tx: Transaction,
  { texts, ...values }: { call: number; logbook: number; texts: readonly string[] },
): Promise<boolean> {
  return (await tx.get(COPY, { ...values, texts: jsonList(texts) })) !== undefined
}
