/** Events of tasks that are due: each once for a task and a date. */
import { sql } from 'drizzle-orm'
import { TASK_DUE } from './events.ts'
import { integer, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The date as JSON, which the detail of an event is. */
const DETAIL = sql`'"' || block.task_moment || '"'`

/** Open tasks outside the trash that are due in a range of days, and have no event for their date yet. */
const IS_UNRECORDED = sql`block.task_open = 1 AND block.task_moment >= ${param('from')} AND block.task_moment <= ${param('to')}
  AND NOT EXISTS (SELECT 1 FROM document WHERE document.n = block.document AND document.location = 'trash')
  AND NOT EXISTS (SELECT 1 FROM event
    WHERE event.kind = ${param('kind')} AND event.subject = block.n AND event.detail = ${DETAIL})`

const DATES = statement<{ date: string }>(
  () => sql`SELECT DISTINCT block.task_moment AS date FROM block WHERE ${IS_UNRECORDED} ORDER BY 1`,
)

/** The days from `from` to `to`, in order, on which tasks are due that are not recorded as events yet. */
export async function unrecordedDueDates(tx: Transaction, from: string, to: string): Promise<string[]> {
  return (await tx.all(DATES, { kind: TASK_DUE, from, to })).map(({ date }) => date)
}

const RECORD = statement(
  (dialect) => sql`INSERT INTO event (call, at, kind, subject, detail)
    SELECT (SELECT call - 1 FROM call_start), ${integer('at')}, ${param('kind')}, block.n, ${DETAIL}
    FROM block WHERE ${IS_UNRECORDED} ORDER BY block.n
    ${dialect.onConflict('kind', 'subject', 'at')} DO NOTHING`,
)

/** Records an event for each task that is due on a day. @param at  when the day begins, in milliseconds since 1970 */
export async function recordDueTasks(tx: Transaction, date: string, at: number): Promise<void> {
  await tx.run(RECORD, { kind: TASK_DUE, from: date, to: date, at })
}

const NEXT = statement<{ date: string | null }>(
  () =>
    sql`SELECT min(task_moment) AS date FROM block WHERE task_open = 1 AND task_moment > ${param('day')} AND task_moment < '~'`,
)

/** The first day after another on which a task is due. */
export async function nextDueDate(tx: Transaction, day: string): Promise<string | undefined> {
  return (await tx.get(NEXT, { day }))?.date ?? undefined
}
