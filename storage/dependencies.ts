/** Queries on relations that say which items an item depends on: the values of a property that lead to other items. */
import { sql } from 'drizzle-orm'
import { integer, jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** An item, and one that it depends on, by number. */
export interface Dependency {
  item: number
  target: number
}

const REACHED = statement<{ n: number }>(
  (dialect) => sql`WITH RECURSIVE reached (n) AS (
      SELECT asked.value FROM ${rowsOf(dialect, 'items', 'integer')} AS asked
      UNION SELECT value.target FROM reached ${dialect.thenJoin} value ON value.item = reached.n
        AND value.property = ${integer('property')}
    ) SELECT n FROM reached LIMIT ${integer('limit')}`,
)

/** These items and what they depend on, directly or not: at most `limit` of them, these items first. */
export async function reachedItems(
  tx: Transaction,
  items: readonly number[],
  property: number,
  limit: number,
): Promise<number[]> {
  return (await tx.all(REACHED, { items: jsonList(items), property, limit })).map(({ n }) => n)
}

const OF_ITEMS = statement<Dependency>(
  (dialect) => sql`SELECT value.item, value.target FROM ${rowsOf(dialect, 'items', 'integer')} AS one
      ${dialect.thenJoin} value ON value.item = one.value
    WHERE value.property = ${integer('property')} ORDER BY one.id, value.ordinal`,
)

/** What these items depend on directly, in the order of the items and of their values. */
export function dependenciesOf(tx: Transaction, items: readonly number[], property: number): Promise<Dependency[]> {
  return tx.all(OF_ITEMS, { items: jsonList(items), property })
}

const DEPENDENT = statement<{ item: number }>(
  () => sql`SELECT DISTINCT item FROM value WHERE property = ${integer('property')} AND item > ${integer('after')}
    ORDER BY item LIMIT ${integer('limit')}`,
)

/** The items that depend on others, in batches: at most `limit` above the number `after`. */
export async function dependentItems(
  tx: Transaction,
  property: number,
  after: number,
  limit: number,
): Promise<number[]> {
  return (await tx.all(DEPENDENT, { property, after, limit })).map(({ item }) => item)
}
