/** What is asked of a selection of items: a page of them in an order, their groups, and calculations over them. */
import type { Transaction } from './connection.ts'
import {
  all,
  bound,
  chosen,
  columnOf,
  type Field,
  joined,
  keysOf,
  type Order,
  raw,
  type Selection,
  type Sql,
  sql,
  within,
} from './selection.ts'

/**
 * The items that come after `last` in this order, at most `limit`, by number, and how many there are beyond those.
 * Items that are alike in all that orders them stand as in the collection.
 *
 * @param last  the number of an item of the collection, whether the selection still has it or not
 */
export async function selectedPage(
  tx: Transaction,
  selection: Selection,
  orders: readonly Order[],
  limit: number,
  last?: number,
): Promise<{ items: number[]; remaining: number }> {
  const { keys, descending } = keysOf(orders, selection.reach)
  const columns = [...keys, raw('block.position AS place')]
  const terms = [
    ...descending.flatMap((down, index) => [
      { key: `(one.k${index} IS NULL)`, than: `(last.k${index} IS NULL)`, down: false },
      { key: `one.k${index}`, than: `last.k${index}`, down },
    ]),
    { key: 'one.place', than: 'last.place', down: false },
    { key: 'one.n', than: 'last.n', down: false },
  ]
  const order = raw(terms.map(({ key, down }) => `${key}${down ? ' DESC' : ''}`).join(', '))
  // The place of `last` is reckoned anew, so that a cursor needs to hold no values, whatever their length.
  const after = terms.map(({ key, than, down }, index) => {
    const before = terms.slice(0, index).map((term) => `${term.key} IS ${term.than}`)
    return `(${[...before, `${key} ${down ? '<' : '>'} ${than}`].join(' AND ')})`
  })
  const from =
    last === undefined
      ? raw('one')
      : sql`one CROSS JOIN (SELECT ${joined([raw('block.n AS n'), ...columns], ', ')} FROM block WHERE block.n = ${bound(last)}) AS last
        WHERE ${raw(after.join(' OR '))}`
  const rows = all<{ n: number; count: number }>(
    tx,
    sql`WITH one AS MATERIALIZED (${chosen(selection, columns)})
      SELECT one.n AS n, count(*) OVER () AS count FROM ${from} ORDER BY ${order} LIMIT ${bound(limit)}`,
  )
  return { items: rows.map(({ n }) => n), remaining: (rows[0]?.count ?? 0) - rows.length }
}

/** A value, as it is stored, and how many items have it; null for those that have none. */
export interface Group {
  value: string | number | null
  count: number
}

/**
 * The items of a selection counted by value, in order; an item with several values counts for each. At most
 * `limit` groups.
 */
export async function selectedGroups(
  tx: Transaction,
  selection: Selection,
  { field, ascending }: Order,
  limit: number,
): Promise<Group[]> {
  const way = raw(ascending ? '' : ' DESC')
  if (field.kind === 'title') {
    const title = raw("nullif(plain(block.text), '') AS value")
    return all(
      tx,
      sql`WITH one AS MATERIALIZED (${chosen(selection, [title])})
        SELECT value, count(*) AS count FROM one GROUP BY value
        ORDER BY value IS NULL, fold(value)${way}, value${way} LIMIT ${bound(limit)}`,
    )
  }
  const column = field.kind === 'flag' ? raw('coalesce(value.number, 0)') : columnOf(field.kind)
  const ranks: Record<typeof field.kind, string> = {
    text: 'fold(grouped.value)',
    date: 'grouped.value',
    number: 'grouped.value',
    flag: 'grouped.value',
    option: '(SELECT option.position FROM option WHERE option.n = grouped.value)',
    target: '(SELECT fold(plain(named.text)) FROM block AS named WHERE named.n = grouped.value)',
  }
  return all(
    tx,
    sql`WITH one AS MATERIALIZED (${chosen(selection)}), grouped AS MATERIALIZED (
        SELECT ${column} AS value, count(*) AS count
        FROM one LEFT JOIN value ON value.item = one.n AND ${within(field, selection.reach)} GROUP BY 1)
      SELECT grouped.value AS value, grouped.count AS count FROM grouped
      ORDER BY grouped.value IS NULL, ${raw(ranks[field.kind])}${way}, grouped.value${way} LIMIT ${bound(limit)}`,
  )
}

/** What can be reckoned of the values of a field over a selection; `items` counts those that have a value. */
export type Figure = 'values' | 'items' | 'unique' | 'checked' | 'sum' | 'average' | 'median' | 'least' | 'greatest'

export interface Figures {
  /** Items of the selection. */
  total: number
  /** In the order asked; null where there is no value to reckon with. */
  figures: (string | number | null)[]
}

/** Several figures over one selection, in one statement that makes the selection once. */
export async function selectedFigures(
  tx: Transaction,
  selection: Selection,
  asked: readonly { field: Field; figure: Figure }[],
): Promise<Figures> {
  const parts = asked.map(({ field, figure }) => {
    return field.kind === 'title' ? titleFigure(figure) : valueFigure(field, figure, selection)
  })
  const columns = parts.map((part, index) => sql`${part} AS ${raw(`f${index}`)}`)
  const [row] = all<Record<string, string | number | null>>(
    tx,
    sql`WITH one AS MATERIALIZED (${chosen(selection, [raw('block.text AS title')])})
      SELECT ${joined([raw('(SELECT count(*) FROM one) AS total'), ...columns], ', ')}`,
  )
  return { total: Number(row?.total ?? 0), figures: asked.map((_, index) => row?.[`f${index}`] ?? null) }
}

function titleFigure(figure: Figure): Sql {
  const what = figure === 'unique' ? 'count(DISTINCT title)' : 'count(*)'
  return raw(`(SELECT ${what} FROM one WHERE title <> '')`)
}

function valueFigure(field: Exclude<Field, { kind: 'title' }>, figure: Figure, { reach }: Selection): Sql {
  const column = columnOf(field.kind)
  const from = sql`FROM one CROSS JOIN value ON value.item = one.n AND ${within(field, reach)}`
  switch (figure) {
    case 'values':
      return sql`(SELECT count(*) ${from})`
    case 'items':
      return sql`(SELECT count(DISTINCT value.item) ${from})`
    case 'unique':
      return sql`(SELECT count(DISTINCT ${column}) ${from})`
    case 'checked':
      return sql`(SELECT count(*) ${from} AND value.number = 1)`
    case 'sum':
      return sql`(SELECT sum(${column}) ${from})`
    case 'average':
      return sql`(SELECT avg(${column}) ${from})`
    case 'least':
      return sql`(SELECT min(${column}) ${from})`
    case 'greatest':
      return sql`(SELECT max(${column}) ${from})`
    case 'median':
      // The middle one, or the mean of the two in the middle.
      return sql`(SELECT avg(number) FROM (
        SELECT number, row_number() OVER (ORDER BY number) AS place, count(*) OVER () AS count
        FROM (SELECT ${column} AS number ${from}))
        WHERE place BETWEEN count / 2.0 AND count / 2.0 + 1)`
  }
}
