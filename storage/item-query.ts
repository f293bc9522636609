/** What is asked of items that were chosen: which come first in an order, and what their values are. */

import {
  all,
  among,
  asked,
  boundValue,
  columnOf,
  type Field,
  joinSql,
  keysOf,
  type Order,
  type Reach,
  rawSql,
  sql,
  within,
} from './item-filter-sql.ts'
import type { Transaction } from './sqlite/connection.ts'

/**
 * The first of these items in an order, at most `limit`, by number, and how many there are of them all. Items that are
 * alike in all that orders them stand as in the collection.
 *
 * @param last  the number of an item of the collection: then only those count that come after it
 */
export async function firstItems(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  orders: readonly Order[],
  limit: number,
  last?: number,
): Promise<{ first: number[]; count: number }> {
  const { keys, descending } = keysOf(orders, reach)
  const columns = joinSql([rawSql('block.n AS n'), ...keys, rawSql('block.position AS place')], ', ')
  const terms = [
    ...descending.flatMap((down, index) => [
      { key: `(one.k${index} IS NULL)`, than: `(last.k${index} IS NULL)`, down: false },
      { key: `one.k${index}`, than: `last.k${index}`, down },
    ]),
    { key: 'one.place', than: 'last.place', down: false },
    { key: 'one.n', than: 'last.n', down: false },
  ]
  const order = rawSql(terms.map(({ key, down }) => `${key}${down ? ' DESC' : ''}`).join(', '))
  // The place of `last` is reckoned anew, so that a cursor needs to hold no values, whatever their length.
  const after = terms.map(({ key, than, down }, index) => {
    const before = terms.slice(0, index).map((term) => `${term.key} IS ${term.than}`)
    return `(${[...before, `${key} ${down ? '<' : '>'} ${than}`].join(' AND ')})`
  })
  const from =
    last === undefined
      ? rawSql('one')
      : sql`one CROSS JOIN (SELECT ${columns} FROM block WHERE block.n = ${boundValue(last)}) AS last
        WHERE ${rawSql(after.join(' OR '))}`
  const rows = all<{ n: number; count: number }>(
    tx,
    sql`WITH one AS MATERIALIZED (SELECT ${columns} FROM ${among(items)})
      SELECT one.n AS n, count(*) OVER () AS count FROM ${from} ORDER BY ${order} LIMIT ${boundValue(limit)}`,
  )
  return { first: rows.map(({ n }) => n), count: rows[0]?.count ?? 0 }
}

/** A value, as it is stored; null for none. */
export type Value = string | number | null

/** A value, and how many items have it. */
export interface Group {
  value: Value
  count: number
}

/** Items counted by value, in no order; one with several values counts for each. Titles are as people read them. */
export async function countByValue(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  field: Field,
): Promise<Group[]> {
  if (field.kind === 'title') {
    const title = rawSql("nullif(plain(block.text), '')")
    return all(tx, sql`SELECT ${title} AS value, count(*) AS count FROM ${among(items)} GROUP BY 1`)
  }
  return all(
    tx,
    sql`SELECT ${columnOf(field.kind)} AS value, count(*) AS count
      FROM ${asked(items)} LEFT JOIN value ON value.item = asked.value AND ${within(field, reach)} GROUP BY 1`,
  )
}

/** What values are ordered by. */
const RANKS: Record<Field['kind'], string> = {
  title: 'fold(one.value)',
  text: 'fold(one.value)',
  date: 'one.value',
  number: 'one.value',
  flag: 'one.value',
  option: '(SELECT option.position FROM option WHERE option.n = one.value)',
  target: '(SELECT fold(plain(named.text)) FROM block AS named WHERE named.n = one.value)',
}

/** The first of these values of a field in an order, at most `limit`; none comes last. */
export async function firstValues(
  tx: Transaction,
  values: readonly Value[],
  { field, ascending }: Order,
  limit: number,
): Promise<Value[]> {
  const way = rawSql(ascending ? '' : ' DESC')
  const rows = joinSql(
    values.map((value) => (value === null ? rawSql('(NULL)') : sql`(${boundValue(value)})`)),
    ', ',
  )
  const found = all<{ value: Value }>(
    tx,
    sql`WITH one (value) AS (VALUES ${rows}) SELECT value FROM one
      ORDER BY one.value IS NULL, ${rawSql(RANKS[field.kind])}${way}, one.value${way} LIMIT ${boundValue(limit)}`,
  )
  return found.map(({ value }) => value)
}
