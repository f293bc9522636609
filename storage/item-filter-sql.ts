/**
 * Selections: the items of a collection that fulfil conditions. Each statement is built of the parts that were asked
 * for, and is one go however much it looks at: so the items are found first, and then asked some at a time.
 *
 * Texts are compared as people read them: `fold` (letter case and accents do not matter) and `plain` (a title without
 * its marks) are functions that {@link defineText} gives to SQLite.
 */

import { DAILY_LOCATIONS } from './documents.ts'
import type { Transaction } from './sqlite/connection.ts'

/** What a connection sees of blocks: all, those in daily notes and among the tasks that stand in no document, or those in some documents. */
export type Reach = 'all' | 'daily' | { documents: readonly number[] }

/** What stands in a column, and where: `flag` is a number that is 0 where there is none. */
export type Field =
  | { kind: 'title' }
  | { kind: 'text' | 'number' | 'flag' | 'date' | 'option' | 'target'; property: number }
type Kind = Field['kind']
type ValueField = Exclude<Field, { kind: 'title' }>

/** What must hold of an item's values, or with `not` must not. Of several values one is enough. */
export type Condition = { field: Field; not?: boolean } & (
  | { test: 'present' }
  /** @prop text  folded */
  | { test: 'contains'; text: string }
  | { test: 'compares'; operator: '=' | '<' | '<=' | '>' | '>='; value: string | number }
  /** Options or blocks, by number: one of them, all of them, or they and no other. */
  | { test: 'anyOf' | 'allOf' | 'exactly'; numbers: readonly number[] }
)

/** Items without a value come last in either direction. */
export interface Order {
  field: Field
  ascending: boolean
  /** Whether what reads alike but is not the same stands apart, so that equal values are neighbours. */
  exact?: boolean
}

export interface Selection {
  collection: { n: number; document: number }
  reach: Reach
  conditions: readonly Condition[]
}

/** A piece of SQL and the values of its parameters, in their order. */
export interface Sql {
  source: string
  values: readonly (string | number)[]
}

/** SQL of pieces: `` sql`a = ${piece} AND b = ${bound(5)}` ``. */
export function sql(texts: TemplateStringsArray, ...pieces: readonly Sql[]): Sql {
  const source = texts.reduce((whole, text, index) => `${whole}${pieces[index - 1]?.source ?? ''}${text}`)
  return { source, values: pieces.flatMap(({ values }) => values) }
}
export const boundValue = (value: string | number): Sql => ({ source: '?', values: [value] })
export const rawSql = (source: string): Sql => ({ source, values: [] })
export const joinSql = (pieces: readonly Sql[], separator: string): Sql => ({
  source: pieces.map(({ source }) => source).join(separator),
  values: pieces.flatMap(({ values }) => values),
})
const list = (numbers: readonly number[]): Sql =>
  sql`(SELECT value FROM json_each(${boundValue(JSON.stringify(numbers))}))`

/** Run a statement of pieces. Not kept prepared: there are as many as there are questions. */
export function all<Row>(tx: Transaction, { source, values }: Sql): Row[] {
  return tx.sqlite.prepare<unknown[], Row>(source).all(...values)
}

/** Teach this connection to compare texts; each function once. */
export function defineText(tx: Transaction, functions: Record<'fold' | 'plain', (text: string) => string>): void {
  for (const [name, work] of Object.entries(functions)) {
    tx.prepared(work, () => {
      const ofText = (text: unknown) => (typeof text === 'string' ? work(text) : text)
      return tx.sqlite.function(name, { deterministic: true, directOnly: true }, ofText)
    })
  }
}

/**
 * The numbers of the items that a selection can have: those that a condition's index finds, when there is such a one,
 * else all of the collection. Whether they fulfil the other conditions is for {@link fulfilling} to say.
 */
export async function candidates(tx: Transaction, selection: Selection): Promise<number[]> {
  const { collection, reach, conditions } = selection
  const leading = conditions.find(isIndexed)
  const found =
    leading === undefined
      ? sql`SELECT n FROM block WHERE document = ${boundValue(collection.document)} AND parent = ${boundValue(collection.n)}
          AND type = 'collectionItem'`
      : foundByIndex(leading, reach)
  return numbers(tx, found)
}

/** Those of some candidates that fulfil all conditions. */
export async function fulfilling(
  tx: Transaction,
  { collection, reach, conditions }: Selection,
  items: readonly number[],
): Promise<number[]> {
  if (conditions.length === 0) return [...items]
  const leading = conditions.find(isIndexed)
  const tests = conditions
    .filter((condition) => condition !== leading)
    .map((condition) => {
      const test = testOf(condition, reach)
      return condition.not ? sql` AND NOT (${test})` : sql` AND (${test})`
    })
  return numbers(
    tx,
    sql`SELECT block.n FROM ${among(items)} WHERE block.document = ${boundValue(collection.document)}
      AND block.parent = ${boundValue(collection.n)} AND block.type = 'collectionItem'${joinSql(tests, '')}`,
  )
}

/** Numbers of items as rows, and the rows of `block` for them. CROSS JOIN keeps the numbers as the outer loop. */
export const asked = (items: readonly number[]): Sql => sql`json_each(${boundValue(JSON.stringify(items))}) AS asked`
export const among = (items: readonly number[]): Sql => sql`${asked(items)} CROSS JOIN block ON block.n = asked.value`

const numbers = (tx: Transaction, { source, values }: Sql): number[] =>
  tx.sqlite
    .prepare<unknown[], number>(source)
    .pluck()
    .all(...values)

type Indexed = Condition & { field: ValueField } & ({ test: 'anyOf' } | { test: 'compares' })

const isIndexed = (condition: Condition): condition is Indexed =>
  !condition.not &&
  condition.field.kind !== 'title' &&
  (condition.test === 'anyOf' || (condition.test === 'compares' && condition.operator === '='))

function foundByIndex(condition: Indexed, reach: Reach): Sql {
  const { field } = condition
  const of = within(field, reach)
  if (condition.test === 'anyOf') {
    // An option says by itself which property it is of; without the plus all values of that one would be read.
    const own = field.kind === 'option' ? sql`+${of}` : of
    return sql`SELECT DISTINCT value.item FROM value WHERE ${own} AND ${columnOf(field.kind)} IN ${list(condition.numbers)}`
  }
  // Of a number or date the index has all, of a text the beginning in lower case.
  const { value } = condition
  const start = field.kind === 'text' ? sql`lower(substr(${boundValue(value)}, 1, 100))` : boundValue(value)
  return sql`SELECT DISTINCT value.item FROM value
    WHERE ${of} AND value.sortable = ${start} AND ${columnOf(field.kind)} = ${boundValue(value)}`
}

/** Where the value of each kind of field stands. */
const COLUMN: Record<Exclude<Kind, 'title'>, string> = {
  text: 'value.text',
  date: 'value.text',
  number: 'value.number',
  flag: 'value.number',
  option: 'value.option',
  target: 'value.target',
}
export const columnOf = (kind: Exclude<Kind, 'title'>): Sql => rawSql(COLUMN[kind])

/** On rows of `value`: those of a property that are within reach. */
export function within(field: ValueField, reach: Reach): Sql {
  const own = sql`value.property = ${boundValue(field.property)}`
  if (field.kind !== 'target' || reach === 'all') return own
  return sql`${own} AND EXISTS (SELECT 1 FROM block AS named CROSS JOIN document AS place
    WHERE named.n = value.target AND place.n = named.document AND ${placeWithin(reach)})`
}

const DAILY = rawSql(`place.location IN (${DAILY_LOCATIONS.map((location) => `'${location}'`).join(', ')})`)

/** On rows of `document`, named `place`: those within reach. */
export function placeWithin(reach: Reach): Sql {
  if (reach === 'all') return rawSql('true')
  return reach === 'daily' ? DAILY : sql`place.location <> 'trash' AND place.n IN ${list(reach.documents)}`
}

function testOf(condition: Condition, reach: Reach): Sql {
  const { field } = condition
  if (field.kind === 'title') return titleTest(condition)
  const own = sql`FROM value WHERE value.item = block.n AND ${within(field, reach)}`
  const column = columnOf(field.kind)
  switch (condition.test) {
    case 'present':
      return sql`EXISTS (SELECT 1 ${own})`
    case 'contains':
      return sql`EXISTS (SELECT 1 ${own} AND instr(fold(value.text), ${boundValue(condition.text)}) > 0)`
    case 'compares':
      return sql`EXISTS (SELECT 1 ${own} AND ${column} ${rawSql(condition.operator)} ${boundValue(condition.value)})`
    case 'anyOf':
      return sql`EXISTS (SELECT 1 ${own} AND ${column} IN ${list(condition.numbers)})`
    case 'allOf':
    case 'exactly': {
      const count = boundValue(condition.numbers.length)
      const found = sql`(SELECT count(*) ${own} AND ${column} IN ${list(condition.numbers)}) = ${count}`
      return condition.test === 'allOf' ? found : sql`${found} AND (SELECT count(*) ${own}) = ${count}`
    }
  }
}

function titleTest(condition: Condition): Sql {
  switch (condition.test) {
    case 'present':
      return rawSql("block.text <> ''")
    case 'contains':
      return sql`block.text <> '' AND instr(fold(plain(block.text)), ${boundValue(condition.text)}) > 0`
    case 'compares':
      return sql`plain(block.text) ${rawSql(condition.operator)} ${boundValue(condition.value)}`
    case 'anyOf':
    case 'allOf':
    case 'exactly':
      throw new Error(`Expected a test of titles, found ${condition.test}.`)
  }
}

/** Kinds whose values are ordered by folded text. */
const FOLDED: readonly Kind[] = ['title', 'text', 'target']

/** What items are ordered by, in columns `k0`, `k1` …, NULL where an item has no value. */
export function keysOf(orders: readonly Order[], reach: Reach): { keys: Sql[]; descending: boolean[] } {
  const keys: Sql[] = []
  const descending: boolean[] = []
  for (const { field, ascending, exact } of orders) {
    const parts = [keyOf(field, reach, true)]
    if (exact && FOLDED.includes(field.kind)) parts.push(keyOf(field, reach, false))
    for (const part of parts) {
      keys.push(sql`${part} AS ${rawSql(`k${keys.length}`)}`)
      descending.push(!ascending)
    }
  }
  return { keys, descending }
}

function keyOf(field: Field, reach: Reach, folded: boolean): Sql {
  if (field.kind === 'title') return rawSql(folded ? "nullif(fold(plain(block.text)), '')" : 'plain(block.text)')
  const from = sql`FROM value WHERE value.item = block.n AND ${within(field, reach)}`
  switch (field.kind) {
    case 'text':
      return folded ? sql`(SELECT fold(value.text) ${from})` : sql`(SELECT value.text ${from})`
    case 'flag':
      return sql`coalesce((SELECT value.number ${from}), 0)`
    case 'option':
      return sql`(SELECT min((SELECT option.position FROM option WHERE option.n = value.option)) ${from})`
    case 'target':
      return sql`(SELECT ${rawSql(folded ? '(SELECT fold(plain(named.text)) FROM block AS named WHERE named.n = value.target)' : 'value.target')} ${from}
        ORDER BY value.ordinal LIMIT 1)`
    case 'number':
    case 'date':
      return sql`(SELECT ${columnOf(field.kind)} ${from})`
  }
}
