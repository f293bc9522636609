/** Queries on selected items: their order and their values. */

import {
  boundValue,
  type Field,
  itemBlocksSql,
  itemNumbersSql,
  joinSql,
  queryAll,
  type Reach,
  rawSql,
  type SortOrder,
  sortKeys,
  sql,
  valueColumn,
  valuesWithinReach,
} from './item-filter-sql.ts'
import type { Transaction } from './sqlite/connection.ts'

/**
 * The numbers of the first items in an order, at most `limit`, and the count of all. Ties keep the order of the
 * collection.
 *
 * @param last  number of an item of the collection; only items after it count
 */
export async function firstItems(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  orders: readonly SortOrder[],
  limit: number,
  last?: number,
): Promise<{ first: number[]; count: number }> {
  const { keys, descending } = sortKeys(orders, reach)
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
  // The sort keys of `last` are computed again, so that a cursor holds no values, whatever their length.
  const isAfter = terms.map(({ key, than, down }, index) => {
    const before = terms.slice(0, index).map((term) => `${term.key} IS ${term.than}`)
    return `(${[...before, `${key} ${down ? '<' : '>'} ${than}`].join(' AND ')})`
  })
  const from =
    last === undefined
      ? rawSql('one')
      : sql`one CROSS JOIN (SELECT ${columns} FROM block WHERE block.n = ${boundValue(last)}) AS last
        WHERE ${rawSql(isAfter.join(' OR '))}`
  const rows = queryAll<{ n: number; count: number }>(
    tx,
    sql`WITH one AS MATERIALIZED (SELECT ${columns} FROM ${itemBlocksSql(items)})
      SELECT one.n AS n, count(*) OVER () AS count FROM ${from} ORDER BY ${order} LIMIT ${boundValue(limit)}`,
  )
  return { first: rows.map(({ n }) => n), count: rows[0]?.count ?? 0 }
}

/** A stored value; null if there is none. */
export type StoredValue = string | number | null

/** A value and the number of items that have it. */
export interface ValueCount {
  value: StoredValue
  count: number
}

/**
 * Counts items by value, in no particular order. An item with several values counts for each. Titles are without
 * Markdown marks.
 */
export async function countByValue(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  field: Field,
): Promise<ValueCount[]> {
  if (field.kind === 'title') {
    const title = rawSql("nullif(plain(block.text), '')")
    return queryAll(tx, sql`SELECT ${title} AS value, count(*) AS count FROM ${itemBlocksSql(items)} GROUP BY 1`)
  }
  return queryAll(
    tx,
    sql`SELECT ${valueColumn(field.kind)} AS value, count(*) AS count
      FROM ${itemNumbersSql(items)} LEFT JOIN value ON value.item = asked.value AND ${valuesWithinReach(field, reach)} GROUP BY 1`,
  )
}

/** Sort key of each kind of value. */
const SORT_EXPRESSIONS: Record<Field['kind'], string> = {
  title: 'fold(one.value)',
  text: 'fold(one.value)',
  date: 'one.value',
  number: 'one.value',
  flag: 'one.value',
  option: '(SELECT option.position FROM option WHERE option.n = one.value)',
  target: '(SELECT fold(plain(named.text)) FROM block AS named WHERE named.n = one.value)',
}

/** The first values of a field in an order, at most `limit`. No value (null) comes last. */
export async function firstValues(
  tx: Transaction,
  values: readonly StoredValue[],
  { field, ascending }: SortOrder,
  limit: number,
): Promise<StoredValue[]> {
  const direction = rawSql(ascending ? '' : ' DESC')
  const rows = joinSql(
    values.map((value) => (value === null ? rawSql('(NULL)') : sql`(${boundValue(value)})`)),
    ', ',
  )
  const sorted = queryAll<{ value: StoredValue }>(
    tx,
    sql`WITH one (value) AS (VALUES ${rows}) SELECT value FROM one
      ORDER BY one.value IS NULL, ${rawSql(SORT_EXPRESSIONS[field.kind])}${direction}, one.value${direction} LIMIT ${boundValue(limit)}`,
  )
  return sorted.map(({ value }) => value)
}
