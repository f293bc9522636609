/**
 * Builds SQL that selects the items of a collection by conditions. A statement has only the parts that the query needs,
 * and runs in one go however much it reads. So candidates are found first, and then checked in chunks.
 *
 * Texts are compared as people read them. {@link registerTextFunctions} adds the SQL functions `fold` (ignores letter case and
 * accents) and `plain` (a title without its Markdown marks).
 */

import { DAILY_LOCATIONS } from './documents.ts'
import type { Transaction } from './sqlite/connection.ts'

/**
 * The blocks that a connection can see: all; those in daily notes and in the system documents for tasks; or those in
 * some documents.
 */
export type Reach = 'all' | 'daily' | { documents: readonly number[] }

/** A column and its kind of value. `flag` is a number that is 0 if absent. */
export type Field =
  | { kind: 'title' }
  | { kind: 'text' | 'number' | 'flag' | 'date' | 'option' | 'target'; property: number }
type Kind = Field['kind']
type ValueField = Exclude<Field, { kind: 'title' }>

/** A condition on an item's values, negated by `not`. If a property has several values, one match is enough. */
export type ItemCondition = { field: Field; not?: boolean } & (
  | { test: 'present' }
  /** @prop text  folded */
  | { test: 'contains'; text: string }
  | { test: 'compares'; operator: '=' | '<' | '<=' | '>' | '>='; value: string | number }
  /** Options or blocks by number: any of them, all of them, or exactly them. */
  | { test: 'anyOf' | 'allOf' | 'exactly'; numbers: readonly number[] }
)

/** Items without a value come last in both directions. */
export interface SortOrder {
  field: Field
  ascending: boolean
  /** True to also order values that are equal when folded but not identical, so that identical values are adjacent. */
  exact?: boolean
}

export interface ItemFilter {
  collection: { n: number; document: number }
  reach: Reach
  conditions: readonly ItemCondition[]
}

/** A piece of SQL and its parameter values, in order. */
export interface Sql {
  source: string
  values: readonly (string | number)[]
}

/** Composes SQL from pieces: `` sql`a = ${piece} AND b = ${bound(5)}` ``. */
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
const numberListSql = (numbers: readonly number[]): Sql =>
  sql`(SELECT value FROM json_each(${boundValue(JSON.stringify(numbers))}))`

/** Runs a composed statement. It is not cached as a prepared statement, since almost every query differs. */
export function queryAll<Row>(tx: Transaction, { source, values }: Sql): Row[] {
  return tx.sqlite.prepare<unknown[], Row>(source).all(...values)
}

/** Registers the text functions on this database connection, each once. */
export function registerTextFunctions(
  tx: Transaction,
  functions: Record<'fold' | 'plain', (text: string) => string>,
): void {
  for (const [name, convert] of Object.entries(functions)) {
    tx.prepared(convert, () => {
      const ofText = (text: unknown) => (typeof text === 'string' ? convert(text) : text)
      return tx.sqlite.function(name, { deterministic: true, directOnly: true }, ofText)
    })
  }
}

/**
 * The numbers of the candidates of a selection: those found by the index of one condition if possible, otherwise all
 * items of the collection. {@link matchingItems} checks the remaining conditions.
 */
export async function candidateItems(tx: Transaction, selection: ItemFilter): Promise<number[]> {
  const { collection, reach, conditions } = selection
  const indexed = conditions.find(isIndexed)
  const candidateSql =
    indexed === undefined
      ? sql`SELECT n FROM block WHERE document = ${boundValue(collection.document)} AND parent = ${boundValue(collection.n)}
          AND type = 'collectionItem'`
      : indexLookupSql(indexed, reach)
  return queryNumbers(tx, candidateSql)
}

/** The candidates that match all conditions. */
export async function matchingItems(
  tx: Transaction,
  { collection, reach, conditions }: ItemFilter,
  items: readonly number[],
): Promise<number[]> {
  if (conditions.length === 0) return [...items]
  const indexed = conditions.find(isIndexed)
  const tests = conditions
    .filter((condition) => condition !== indexed)
    .map((condition) => {
      const test = conditionSql(condition, reach)
      return condition.not ? sql` AND NOT (${test})` : sql` AND (${test})`
    })
  return queryNumbers(
    tx,
    sql`SELECT block.n FROM ${itemBlocksSql(items)} WHERE block.document = ${boundValue(collection.document)}
      AND block.parent = ${boundValue(collection.n)} AND block.type = 'collectionItem'${joinSql(tests, '')}`,
  )
}

/** Item numbers as rows, and the rows of `block` for them. CROSS JOIN keeps the numbers as the outer loop. */
export const itemNumbersSql = (items: readonly number[]): Sql =>
  sql`json_each(${boundValue(JSON.stringify(items))}) AS asked`
export const itemBlocksSql = (items: readonly number[]): Sql =>
  sql`${itemNumbersSql(items)} CROSS JOIN block ON block.n = asked.value`

const queryNumbers = (tx: Transaction, { source, values }: Sql): number[] =>
  tx.sqlite
    .prepare<unknown[], number>(source)
    .pluck()
    .all(...values)

type IndexedCondition = ItemCondition & { field: ValueField } & ({ test: 'anyOf' } | { test: 'compares' })

const isIndexed = (condition: ItemCondition): condition is IndexedCondition =>
  !condition.not &&
  condition.field.kind !== 'title' &&
  (condition.test === 'anyOf' || (condition.test === 'compares' && condition.operator === '='))

function indexLookupSql(condition: IndexedCondition, reach: Reach): Sql {
  const { field } = condition
  const inProperty = valuesWithinReach(field, reach)
  if (condition.test === 'anyOf') {
    // An option belongs to only one property. The unary plus keeps SQLite from reading all values of that property.
    const inColumn = field.kind === 'option' ? sql`+${inProperty}` : inProperty
    return sql`SELECT DISTINCT value.item FROM value WHERE ${inColumn} AND ${valueColumn(field.kind)} IN ${numberListSql(condition.numbers)}`
  }
  // The index has numbers and dates in full, and the beginning of texts in lower case.
  const { value } = condition
  const start = field.kind === 'text' ? sql`lower(substr(${boundValue(value)}, 1, 100))` : boundValue(value)
  return sql`SELECT DISTINCT value.item FROM value
    WHERE ${inProperty} AND value.sortable = ${start} AND ${valueColumn(field.kind)} = ${boundValue(value)}`
}

/** The column with the values of each kind of field. */
const VALUE_COLUMNS: Record<Exclude<Kind, 'title'>, string> = {
  text: 'value.text',
  date: 'value.text',
  number: 'value.number',
  flag: 'value.number',
  option: 'value.option',
  target: 'value.target',
}
export const valueColumn = (kind: Exclude<Kind, 'title'>): Sql => rawSql(VALUE_COLUMNS[kind])

/** Condition on rows of `value`: the property, within reach. */
export function valuesWithinReach(field: ValueField, reach: Reach): Sql {
  const inProperty = sql`value.property = ${boundValue(field.property)}`
  if (field.kind !== 'target' || reach === 'all') return inProperty
  return sql`${inProperty} AND EXISTS (SELECT 1 FROM block AS named CROSS JOIN document AS place
    WHERE named.n = value.target AND place.n = named.document AND ${documentWithinReach(reach)})`
}

const WITHIN_DAILY_LOCATIONS = rawSql(
  `place.location IN (${DAILY_LOCATIONS.map((location) => `'${location}'`).join(', ')})`,
)

/** Condition on rows of `document`, aliased `place`: within reach. */
export function documentWithinReach(reach: Reach): Sql {
  if (reach === 'all') return rawSql('true')
  return reach === 'daily'
    ? WITHIN_DAILY_LOCATIONS
    : sql`place.location <> 'trash' AND place.n IN ${numberListSql(reach.documents)}`
}

function conditionSql(condition: ItemCondition, reach: Reach): Sql {
  const { field } = condition
  if (field.kind === 'title') return titleConditionSql(condition)
  const fromValues = sql`FROM value WHERE value.item = block.n AND ${valuesWithinReach(field, reach)}`
  const column = valueColumn(field.kind)
  switch (condition.test) {
    case 'present':
      return sql`EXISTS (SELECT 1 ${fromValues})`
    case 'contains':
      return sql`EXISTS (SELECT 1 ${fromValues} AND instr(fold(value.text), ${boundValue(condition.text)}) > 0)`
    case 'compares':
      return sql`EXISTS (SELECT 1 ${fromValues} AND ${column} ${rawSql(condition.operator)} ${boundValue(condition.value)})`
    case 'anyOf':
      return sql`EXISTS (SELECT 1 ${fromValues} AND ${column} IN ${numberListSql(condition.numbers)})`
    case 'allOf':
    case 'exactly': {
      const count = boundValue(condition.numbers.length)
      const matchesAll = sql`(SELECT count(*) ${fromValues} AND ${column} IN ${numberListSql(condition.numbers)}) = ${count}`
      return condition.test === 'allOf' ? matchesAll : sql`${matchesAll} AND (SELECT count(*) ${fromValues}) = ${count}`
    }
  }
}

function titleConditionSql(condition: ItemCondition): Sql {
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
const FOLDED_KINDS: readonly Kind[] = ['title', 'text', 'target']

/** Sort keys of items in columns `k0`, `k1` …, NULL if an item has no value. */
export function sortKeys(orders: readonly SortOrder[], reach: Reach): { keys: Sql[]; descending: boolean[] } {
  const keys: Sql[] = []
  const descending: boolean[] = []
  for (const { field, ascending, exact } of orders) {
    const parts = [sortKeySql(field, reach, true)]
    if (exact && FOLDED_KINDS.includes(field.kind)) parts.push(sortKeySql(field, reach, false))
    for (const part of parts) {
      keys.push(sql`${part} AS ${rawSql(`k${keys.length}`)}`)
      descending.push(!ascending)
    }
  }
  return { keys, descending }
}

function sortKeySql(field: Field, reach: Reach, folded: boolean): Sql {
  if (field.kind === 'title') return rawSql(folded ? "nullif(fold(plain(block.text)), '')" : 'plain(block.text)')
  const from = sql`FROM value WHERE value.item = block.n AND ${valuesWithinReach(field, reach)}`
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
      return sql`(SELECT ${valueColumn(field.kind)} ${from})`
  }
}
