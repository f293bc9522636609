/** Positions among the children of one block: integers with gaps. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type BlockRow, block } from './schema.ts'
import { integer, param, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** The children of `parent`, a block of `document`. */
export interface Siblings {
  document: number
  parent: number
}

interface Position {
  position: number | null
}

const FROM_SIBLINGS = sql`FROM block WHERE document = ${integer('document')} AND parent = ${integer('parent')}`

const FIRST = statement<Position>(() => sql`SELECT min(position) AS position ${FROM_SIBLINGS}`)
const LAST = statement<Position>(() => sql`SELECT max(position) AS position ${FROM_SIBLINGS}`)
const NEIGHBORS = {
  before: statement<Position>(
    () => sql`SELECT max(position) AS position ${FROM_SIBLINGS} AND position < ${param('position')}`,
  ),
  after: statement<Position>(
    () => sql`SELECT min(position) AS position ${FROM_SIBLINGS} AND position > ${param('position')}`,
  ),
}

export async function firstPosition(tx: Transaction, siblings: Siblings): Promise<number | undefined> {
  return (await tx.get(FIRST, siblings))?.position ?? undefined
}

export async function lastPosition(tx: Transaction, siblings: Siblings): Promise<number | undefined> {
  return (await tx.get(LAST, siblings))?.position ?? undefined
}

/** The nearest used position below or above `position`. */
export async function neighborPosition(
  tx: Transaction,
  siblings: Siblings,
  position: number,
  side: 'before' | 'after',
): Promise<number | undefined> {
  return (await tx.get(NEIGHBORS[side], { ...siblings, position }))?.position ?? undefined
}

const AFTER = statement<{ n: number }>(
  () => sql`SELECT n ${FROM_SIBLINGS} AND position > ${integer('position')} ORDER BY position, n LIMIT 1`,
)

/** The number of the next sibling above a position. */
export async function siblingAfter(tx: Transaction, siblings: Siblings, position: number): Promise<number | undefined> {
  return (await tx.get(AFTER, { ...siblings, position }))?.n
}

const NEXT_BELOW = statement<{ id: number }>(
  () => sql`SELECT id ${FROM_SIBLINGS} AND position < ${integer('position')} ORDER BY position DESC, n DESC LIMIT 1`,
)

/** The ID of the next sibling below a position. */
export async function siblingBefore(
  tx: Transaction,
  siblings: Siblings,
  position: number,
): Promise<number | undefined> {
  return (await tx.get(NEXT_BELOW, { ...siblings, position }))?.id
}

/** What a list is numbered by. The attributes are only those of deep blocks, whose level they hold. */
export type SiblingRow = Pick<BlockRow, 'position' | 'indentation' | 'listStyle' | 'number' | 'attributes'>

const BEFORE = statement<SiblingRow>(
  () => sql`SELECT position, indentation, list_style AS "listStyle", number,
      CASE WHEN indentation = 5 THEN attributes END AS attributes ${FROM_SIBLINGS}
    AND position < ${integer('position')} ORDER BY position DESC, n DESC LIMIT ${integer('limit')}`,
)

/** The siblings below a position, the nearest first. */
export function siblingsBefore(
  tx: Transaction,
  siblings: Siblings,
  position: number,
  limit: number,
): Promise<SiblingRow[]> {
  return tx.all(BEFORE, { ...siblings, position, limit })
}

const NUMBERS = statement<{ n: number }>(() => sql`SELECT n ${FROM_SIBLINGS} ORDER BY position, n`)
const SET_POSITION = updateWhere(block, ['position'])
/** Children to renumber before yielding: a few milliseconds of work. */
const CHUNK_SIZE = 1_000

/** Renumbers all children with positions `gap` apart and keeps their order. */
export async function renumberSiblings(tx: Transaction, siblings: Siblings, gap: number): Promise<void> {
  const rows = await tx.all(NUMBERS, siblings)
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    const chunk = rows.slice(from, from + CHUNK_SIZE)
    await tx.batch(
      SET_POSITION,
      chunk.map(({ n }, index) => ({ n, position: (from + index) * gap })),
    )
    if (from + CHUNK_SIZE < rows.length) await setImmediate()
  }
}

const POSITION = statement<Position>(() => sql`SELECT position FROM block WHERE n = ${integer('n')}`)

/** The position of a block among its siblings. */
export async function blockPosition(tx: Transaction, n: number): Promise<number | undefined> {
  return (await tx.get(POSITION, { n }))?.position ?? undefined
}
