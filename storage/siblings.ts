/** Positions among the children of one block: integers with gaps. */
import { setImmediate } from 'node:timers/promises'
import type { Transaction } from './sqlite/connection.ts'

/** The children of `parent`, a block of `document`. */
export interface Siblings {
  document: number
  parent: number
}

const FROM_SIBLINGS = 'FROM block WHERE document = CAST(? AS INTEGER) AND parent = CAST(? AS INTEGER)'

const readPosition = (tx: Transaction, sql: string, ...values: number[]): number | undefined =>
  tx.sql<{ position: number | null }>(sql).get(...values)?.position ?? undefined

export async function firstPosition(tx: Transaction, { document, parent }: Siblings): Promise<number | undefined> {
  return readPosition(tx, `SELECT min(position) AS position ${FROM_SIBLINGS}`, document, parent)
}

export async function lastPosition(tx: Transaction, { document, parent }: Siblings): Promise<number | undefined> {
  return readPosition(tx, `SELECT max(position) AS position ${FROM_SIBLINGS}`, document, parent)
}

/** The nearest used position below or above `position`. */
export async function neighborPosition(
  tx: Transaction,
  { document, parent }: Siblings,
  position: number,
  side: 'before' | 'after',
): Promise<number | undefined> {
  return side === 'before'
    ? readPosition(tx, `SELECT max(position) AS position ${FROM_SIBLINGS} AND position < ?`, document, parent, position)
    : readPosition(tx, `SELECT min(position) AS position ${FROM_SIBLINGS} AND position > ?`, document, parent, position)
}

/** Children to renumber before yielding: a few milliseconds of work. */
const CHUNK_SIZE = 1_000

/** Renumbers all children with positions `gap` apart and keeps their order. */
export async function renumberSiblings(tx: Transaction, { document, parent }: Siblings, gap: number): Promise<void> {
  const rows = tx.sql<{ n: number }>(`SELECT n ${FROM_SIBLINGS} ORDER BY position, n`).all(document, parent)
  const set = tx.sql('UPDATE block SET position = ? WHERE n = ?')
  for (const [index, { n }] of rows.entries()) {
    set.run(index * gap, n)
    if (index % CHUNK_SIZE === CHUNK_SIZE - 1) await setImmediate()
  }
}

/** The position of a block among its siblings. */
export async function blockPosition(tx: Transaction, n: number): Promise<number | undefined> {
  return readPosition(tx, 'SELECT position FROM block WHERE n = CAST(? AS INTEGER)', n)
}
