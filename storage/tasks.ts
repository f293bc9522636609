/**
 * Tasks: blocks whose list style is `task`, found by when they are due or were closed.
 *
 * Two indexes hold all that a scope asks of a task, `block_task` for the whole space and `block_document_task` for
 * some documents of it: a block is read only when it is answered with.
 */
import type { Transaction } from './sqlite/connection.ts'

/** Where a task stands in the order of its scope: its moment, then its number. */
export interface TaskPlace {
  n: number
  open: boolean
  /** The day on which an open task is due (`~` without one), or the time at which it was closed. */
  moment: string
}

/** Which tasks: open ones with a moment from one to another (both inclusive), or those that were closed. */
export interface TaskRange {
  open: boolean
  from?: string
  to?: string
  /** Last first. */
  descending?: boolean
}

/** Only documents of these locations, or all but those of these. */
export type TaskLocations = { only: readonly string[] } | { except: readonly string[] }

/** The tasks of a range in its order, those after a place, at most `limit`. */
export async function tasksInRange(
  tx: Transaction,
  range: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
  limit: number,
): Promise<TaskPlace[]> {
  const { source, values } = rangeSql(range, locations, after)
  const order = range.descending ? 'ORDER BY task_moment DESC, block.n DESC' : 'ORDER BY task_moment, block.n'
  const find = tx.sql<Omit<TaskPlace, 'open'>>(`SELECT block.n, task_moment AS moment ${source} ${order} LIMIT ?`)
  return find.all(...values, limit).map((place) => ({ ...place, open: range.open }))
}

/** How many of them there are, counted up to `most`. */
export async function countTasksInRange(
  tx: Transaction,
  range: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
  most: number,
): Promise<number> {
  const { source, values } = rangeSql(range, locations, after)
  const count = tx.sql<{ count: number }>(`SELECT count(*) AS count FROM (SELECT 1 ${source} LIMIT ?)`)
  return count.get(...values, most)?.count ?? 0
}

function rangeSql(
  { open, from, to, descending = false }: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
): { source: string; values: (string | number)[] } {
  const conditions = ['task_open = ?']
  const values: (string | number)[] = [open ? 1 : 0]
  const add = (condition: string, ...of: (string | number)[]) => {
    conditions.push(condition)
    values.push(...of)
  }
  if (from !== undefined) add('task_moment >= ?', from)
  if (to !== undefined) add('task_moment <= ?', to)
  if (after !== undefined) add(`(task_moment, block.n) ${descending ? '<' : '>'} (?, ?)`, after.moment, after.n)
  if ('except' in locations) {
    add(`block.document NOT IN (SELECT n FROM document WHERE location IN (${places(locations.except)}))`)
    return { source: `FROM block INDEXED BY block_task WHERE ${conditions.join(' AND ')}`, values }
  }
  // From the documents to their tasks: those of all others are passed over without being looked at.
  return {
    source: `FROM document CROSS JOIN block INDEXED BY block_document_task ON block.document = document.n
      WHERE document.location IN (${places(locations.only)}) AND ${conditions.join(' AND ')}`,
    values,
  }
}

// Names of ours, never a caller's.
const places = (locations: readonly string[]): string => locations.map((one) => `'${one}'`).join(', ')

/** All tasks of the space: the open ones by when they are due, then the closed ones by when they were closed. */
export async function allTasks(
  tx: Transaction,
  after: Pick<TaskPlace, 'open' | 'moment' | 'n'> | undefined,
  limit: number,
): Promise<TaskPlace[]> {
  const rows: TaskPlace[] = []
  for (const open of [true, false]) {
    const isPast = after !== undefined && !after.open && open
    if (isPast || rows.length >= limit) continue
    const start = after !== undefined && after.open === open ? after : undefined
    rows.push(...(await tasksInRange(tx, { open }, { except: [] }, start, limit - rows.length)))
  }
  return rows
}

/** The numbers of the tasks of a document, in no order. */
export async function documentTasks(tx: Transaction, document: number): Promise<Set<number>> {
  const find = tx.sql<{ n: number }>(
    'SELECT n FROM block INDEXED BY block_document_task WHERE document = CAST(? AS INTEGER) AND task_open IS NOT NULL',
  )
  return new Set(find.all(document).map(({ n }) => n))
}
