/** Places among the children of one block: integers with gaps between them. */
import { setImmediate } from 'node:timers/promises'
import type { Transaction } from './sqlite/connection.ts'

/** The children of `parent`, a block of `document`. */
export interface Siblings {
  document: number
  parent: number
}

const within = 'FROM block WHERE document = CAST(? AS INTEGER) AND parent = CAST(? AS INTEGER)'

const place = (tx: Transaction, sql: string, ...values: number[]): number | undefined =>
  tx.sql<{ position: number | null }>(sql).get(...values)?.position ?? undefined

export async function firstPosition(tx: Transaction, { document, parent }: Siblings): Promise<number | undefined> {
  return place(tx, `SELECT min(position) AS position ${within}`, document, parent)
}

export async function lastPosition(tx: Transaction, { document, parent }: Siblings): Promise<number | undefined> {
  return place(tx, `SELECT max(position) AS position ${within}`, document, parent)
}

/** The place next to `position`: the nearest taken one below or above it. */
export async function neighbour(
  tx: Transaction,
  { document, parent }: Siblings,
  position: number,
  side: 'before' | 'after',
): Promise<number | undefined> {
  return side === 'before'
    ? place(tx, `SELECT max(position) AS position ${within} AND position < ?`, document, parent, position)
    : place(tx, `SELECT min(position) AS position ${within} AND position > ?`, document, parent, position)
}

/** Children that get new places before other calls get their turn: some milliseconds. */
const AT_ONCE = 1_000

/** Give all children places `gap` apart, in the order they have. */
export async function renumber(tx: Transaction, { document, parent }: Siblings, gap: number): Promise<void> {
  const rows = tx.sql<{ n: number }>(`SELECT n ${within} ORDER BY position, n`).all(document, parent)
  const set = tx.sql('UPDATE block SET position = ? WHERE n = ?')
  for (const [index, { n }] of rows.entries()) {
    set.run(index * gap, n)
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
  }
}

/** The place of one block among its siblings. */
export async function positionOf(tx: Transaction, n: number): Promise<number | undefined> {
  return place(tx, 'SELECT position FROM block WHERE n = CAST(? AS INTEGER)', n)
}
