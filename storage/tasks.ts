/**
 * Queries on tasks: blocks with list style `task`, found by due date or closing time.
 *
 * Two indexes cover everything that a scope filters by: `block_task` for the whole space and `block_document_task` for
 * some of its documents. A block is read only if it is part of the answer.
 */
import type { Transaction } from './sqlite/connection.ts'

/** The place of a task in the order of its scope: its moment, then its number. */
export interface TaskPlace {
  n: number
  open: boolean
  /** Due date of an open task (`~` if it has none), or the time at which it was closed. */
  moment: string
}

/** A range of open or closed tasks, bounded by moment (both ends inclusive). */
export interface TaskRange {
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
  const { source, values } = rangeSql(range, locations, after)
  const order = range.descending ? 'ORDER BY task_moment DESC, block.n DESC' : 'ORDER BY task_moment, block.n'
  const find = tx.sql<Omit<TaskPlace, 'open'>>(`SELECT block.n, task_moment AS moment ${source} ${order} LIMIT ?`)
  return find.all(...values, limit).map((place) => ({ ...place, open: range.open }))
}

/** Counts them, up to `most`. */
export async function countTasksInRange(
  tx: Transaction,
  range: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
  max: number,
): Promise<number> {
  const { source, values } = rangeSql(range, locations, after)
  const count = tx.sql<{ count: number }>(`SELECT count(*) AS count FROM (SELECT 1 ${source} LIMIT ?)`)
  return count.get(...values, max)?.count ?? 0
}

function rangeSql(
  { open, from, to, descending = false }: TaskRange,
  locations: TaskLocations,
  after: Pick<TaskPlace, 'moment' | 'n'> | undefined,
): { source: string; values: (string | number)[] } {
  const conditions = ['task_open = ?']
  const values: (string | number)[] = [open ? 1 : 0]
  const addCondition = (condition: string, ...of: (string | number)[]) => {
    conditions.push(condition)
    values.push(...of)
  }
  if (from !== undefined) addCondition('task_moment >= ?', from)
  if (to !== undefined) addCondition('task_moment <= ?', to)
  if (after !== undefined)
    addCondition(`(task_moment, block.n) ${descending ? '<' : '>'} (?, ?)`, after.moment, after.n)
  if ('except' in locations) {
    addCondition(`block.document NOT IN (SELECT n FROM document WHERE location IN (${quotedList(locations.except)}))`)
    return { source: `FROM block INDEXED BY block_task WHERE ${conditions.join(' AND ')}`, values }
  }
  // From documents to their tasks, so that tasks of other documents are never read.
  return {
    source: `FROM document CROSS JOIN block INDEXED BY block_document_task ON block.document = document.n
      WHERE document.location IN (${quotedList(locations.only)}) AND ${conditions.join(' AND ')}`,
    values,
  }
}

// Constants, never user input.
const quotedList = (locations: readonly string[]): string => locations.map((one) => `'${one}'`).join(', ')

/** All tasks of the space: open ones by due date, then closed ones by closing time. */
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

/** The numbers of the tasks of a document, in no particular order. */
export async function documentTasks(tx: Transaction, document: number): Promise<Set<number>> {
  const find = tx.sql<{ n: number }>(
    'SELECT n FROM block INDEXED BY block_document_task WHERE document = CAST(? AS INTEGER) AND task_open IS NOT NULL',
  )
  return new Set(find.all(document).map(({ n }) => n))
}
