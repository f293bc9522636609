/**
 * Queries on tasks: blocks with list style `task`, found by due date or closing time.
 *
 * Two indexes cover everything that a scope filters by: `block_task` for the whole space and `block_document_task` for
 * some of its documents. The full row of a block is read only if it is part of the result.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Dialect, integer, integerValue, jsonList, listOf, listOfValues, quoted, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The place of a task in the order of its scope: its moment, then its number. */
export interface TaskPlace {
  n: number
  open: boolean
  /** Due date of an open task (`~` if it has none), or the time at which it was closed. */
  moment: string
}

/** Whose tasks. */
export interface TasksOf {
  /** The digits of the IDs of those who do them; of anyone if absent. */
  assignees?: readonly string[] | undefined
}

/** A range of open or closed tasks, bounded by moment (both ends inclusive). */
export interface TaskRange extends TasksOf {
  open: boolean
  from?: string
  to?: string
  /** Latest first. */
  descending?: boolean
}

/** Only these locations, or all except these. */
export type TaskLocations = { only: readonly string[] } | { except: readonly string[] }

/** At most `limit` tasks of a range after a place, in order. */
export async function tasksInRange(
  tx: Transaction,
  range: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
  limit: number,
): Promise<TaskPlace[]> {
  const order = range.descending ? sql`task_moment DESC, block.n DESC` : sql`task_moment, block.n`
  const find = statement<Omit<TaskPlace, 'open'>>(
    (dialect) => sql`SELECT block.n, task_moment AS moment ${rangeSource(dialect, range, locations, after)}
      ORDER BY ${order} LIMIT ${integerValue(limit)}`,
  )
  return (await tx.all(find)).map((place) => ({ ...place, open: range.open }))
}

/** Counts the tasks of a range after a place, up to `max`. */
export async function countTasksInRange(
  tx: Transaction,
  range: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
  max: number,
): Promise<number> {
  const count = statement<{ count: number }>(
    (dialect) => sql`SELECT count(*) AS count FROM (
      SELECT 1 ${rangeSource(dialect, range, locations, after)} LIMIT ${integerValue(max)}) AS counted`,
  )
  return (await tx.get(count))?.count ?? 0
}

/** The assignee of a task, as the index `block_assignee` has it. */
export const assigneeIn = (dialect: Dialect): SQL =>
  dialect.jsonField(dialect.jsonField(sql`block.attributes`, 'taskInfo'), 'assignee')

/** The FROM and WHERE clauses of a range. */
function rangeSource(
  dialect: Dialect,
  { open, from, to, descending = false, assignees }: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
): SQL {
  const conditions = [sql`task_open = ${open ? 1 : 0}`]
  if (assignees !== undefined) {
    conditions.push(sql`${assigneeIn(dialect)} IN ${listOfValues(dialect, assignees, 'text')}`)
  }
  if (from !== undefined) conditions.push(sql`task_moment >= ${from}`)
  if (to !== undefined) conditions.push(sql`task_moment <= ${to}`)
  if (after !== undefined) {
    conditions.push(sql`(task_moment, block.n) ${sql.raw(descending ? '<' : '>')} (${after.moment}, ${after.n})`)
  }
  if ('except' in locations) {
    if (locations.except.length > 0) {
      conditions.push(
        sql`block.document NOT IN (SELECT n FROM document WHERE location IN (${quoted(locations.except)}))`,
      )
    }
    return sql`FROM block ${dialect.indexedBy('block_task')} WHERE ${sql.join(conditions, sql` AND `)}`
  }
  // From documents to their tasks, so that tasks of other documents are never read.
  return sql`FROM document ${dialect.thenJoin} block ${dialect.indexedBy('block_document_task')}
      ON block.document = document.n
    WHERE document.location IN (${quoted(locations.only)}) AND ${sql.join(conditions, sql` AND `)}`
}

/** All tasks of the space: open ones by due date, then closed ones by closing time. */
export async function allTasks(
  tx: Transaction,
  of: TasksOf,
  after: Pick<TaskPlace, 'open' | 'moment' | 'n'> | undefined,
  limit: number,
): Promise<TaskPlace[]> {
  const rows: TaskPlace[] = []
  for (const open of [true, false]) {
    const isPast = after !== undefined && !after.open && open
    if (isPast || rows.length >= limit) continue
    const start = after !== undefined && after.open === open ? after : undefined
    rows.push(...(await tasksInRange(tx, { ...of, open }, { except: [] }, start, limit - rows.length)))
  }
  return rows
}

const OF_DOCUMENT = statement<{ n: number }>(
  (dialect) => sql`SELECT n FROM block ${dialect.indexedBy('block_document_task')}
    WHERE document = ${integer('document')} AND task_open IS NOT NULL`,
)

const OF_DOCUMENT_AND_MEMBER = statement<{ n: number }>(
  (dialect) => sql`SELECT n FROM block WHERE ${assigneeIn(dialect)} IN ${listOf(dialect, 'assignees', 'text')}
    AND document = ${integer('document')} AND task_open IS NOT NULL`,
)

/** The numbers of the tasks of a document, in no particular order. */
export async function documentTasks(tx: Transaction, document: number, { assignees }: TasksOf): Promise<Set<number>> {
  const rows =
    assignees === undefined
      ? await tx.all(OF_DOCUMENT, { document })
      : await tx.all(OF_DOCUMENT_AND_MEMBER, { document, assignees: jsonList(assignees) })
  return new Set(rows.map(({ n }) => n))
}
