/**
 * Queries on tasks: blocks with list style `task`, found by due date or closing time.
 *
 * Two indexes cover everything that a scope filters by: `block_task` for the whole space and `block_document_task` for
 * some of its documents. The full row of a block is read only if it is part of the result.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Dialect, integerValue, listOfValues, quoted, statement } from './statement.ts'
import { blockHasTags } from './tags.ts'
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
  /** Tags, as they are compared: the text of the task has all of them. */
  tags?: readonly string[] | undefined
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
  { open, from, to, descending = false, assignees, tags = [] }: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
): SQL {
  const conditions = [sql`task_open = ${open ? 1 : 0}`, ...blockHasTags(sql`block.n`, tags)]
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

/** The numbers of the tasks of a document, in no particular order. */
export async function documentTasks(
  tx: Transaction,
  document: number,
  { assignees, tags = [] }: TasksOf,
): Promise<Set<number>> {
  const find = statement<{ n: number }>((dialect) => {
    const isDone = (by: readonly string[]) => sql`${assigneeIn(dialect)} IN ${listOfValues(dialect, by, 'text')}`
    const conditions = [
      sql`document = ${integerValue(document)} AND task_open IS NOT NULL`,
      ...(assignees === undefined ? [] : [isDone(assignees)]),
      ...blockHasTags(sql`block.n`, tags),
    ]
    const index = assignees === undefined ? dialect.indexedBy('block_document_task') : sql``
    return sql`SELECT n FROM block ${index} WHERE ${sql.join(conditions, sql` AND `)}`
  })
  return new Set((await tx.all(find)).map(({ n }) => n))
}
