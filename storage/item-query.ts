/**
 * Queries that select items of a collection by conditions, and read the values that they are sorted and grouped by. A
 * statement contains only the parts that the query needs, and cannot be interrupted, however much it reads. So
 * candidates are found first, and then checked in chunks.
 *
 * Texts are compared as people read them: without letter case, accents and Markdown marks. No engine does that, so
 * these queries read the texts, and the caller compares.
 */

import { type SQL, sql } from 'drizzle-orm'
import { memberName } from './members.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { type Dialect, integerValue, jsonList, listOf, listOfValues, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/**
 * A column and its kind of value. `flag` is a number that is 0 if absent. `date` is a day or a range of days, and `day`
 * the first day of either.
 */
export type Field = { kind: 'title' } | ValueField
type ValueField = {
  kind: 'text' | 'number' | 'flag' | 'date' | 'day' | 'option' | 'target' | 'member'
  property: number
}
type Kind = Field['kind']

/** A condition on an item's values, negated by `not`. If a property has several values, one match is enough. */
export type ItemCondition = { field: Field; not?: boolean } & (
  | { test: 'present' }
  /** @prop text  folded */
  | { test: 'contains'; text: string }
  | { test: 'compares'; operator: '=' | '<' | '<=' | '>' | '>='; value: string | number }
  /** Options, blocks or members by number: any of them, all of them, or exactly them. */
  | { test: 'anyOf' | 'allOf' | 'exactly'; numbers: readonly number[] }
  | DependencyTest
)

/**
 * Whether an item waits for others that its relation leads to: blocked if neither it nor all of these are done, ready if
 * it is not done and not blocked.
 */
export interface DependencyTest {
  test: 'isReady' | 'isBlocked'
  done: ItemCondition
}

export interface ItemFilter {
  collection: { n: number; document: number }
  reach: Reach
  conditions: readonly ItemCondition[]
}

/** A condition that is checked by {@link fieldTexts}, not by a query. */
export type TextCondition = ItemCondition & ({ test: 'contains' } | { field: { kind: 'title' }; test: 'compares' })

export const isTextCondition = (condition: ItemCondition): condition is TextCondition =>
  condition.test === 'contains' || (condition.test === 'compares' && condition.field.kind === 'title')

/** A stored value; null if there is none. */
export type StoredValue = string | number | null

/**
 * The numbers of the items that may match a filter: those found by the index of one condition if possible, otherwise
 * all items of the collection. {@link matchingItems} checks the remaining conditions.
 */
export async function candidateItems(tx: Transaction, selection: ItemFilter): Promise<number[]> {
  const { collection, reach, conditions } = selection
  const indexed = conditions.find(isIndexed)
  const find = statement<{ n: number }>((dialect) =>
    indexed === undefined
      ? sql`SELECT n FROM block WHERE document = ${integerValue(collection.document)}
          AND parent = ${integerValue(collection.n)} AND type = 'collectionItem'`
      : indexLookup(dialect, indexed, reach),
  )
  return (await tx.all(find)).map(({ n }) => n)
}

/** The candidates that match all conditions, except those on texts: see {@link fieldTexts}. */
export async function matchingItems(
  tx: Transaction,
  { collection, reach, conditions }: ItemFilter,
  items: readonly number[],
): Promise<number[]> {
  const indexed = conditions.find(isIndexed)
  const checked = conditions.filter((condition) => condition !== indexed && !isTextCondition(condition))
  // All candidates without an indexed condition are items of the collection.
  if (checked.length === 0 && indexed === undefined) return [...items]
  const find = statement<{ n: number }>((dialect) => {
    const tests = checked.map((condition) => {
      const test = conditionSql(dialect, condition, reach)
      return condition.not ? sql` AND NOT (${test})` : sql` AND (${test})`
    })
    return sql`SELECT block.n FROM ${itemBlocks(dialect)} WHERE block.document = ${integerValue(collection.document)}
      AND block.parent = ${integerValue(collection.n)} AND block.type = 'collectionItem'${sql.join(tests)}`
  })
  return (await tx.all(find, { items: jsonList(items) })).map(({ n }) => n)
}

/** Item numbers as rows, and the rows of `block` for them. */
const itemNumbers = (dialect: Dialect): SQL => sql`${rowsOf(dialect, 'items', 'integer')} AS asked`
const itemBlocks = (dialect: Dialect): SQL =>
  sql`${itemNumbers(dialect)} ${dialect.thenJoin} block ON block.n = asked.value`

type IndexedCondition = ItemCondition & { field: ValueField } & ({ test: 'anyOf' } | { test: 'compares' })

const isIndexed = (condition: ItemCondition): condition is IndexedCondition =>
  !condition.not &&
  condition.field.kind !== 'title' &&
  (condition.test === 'anyOf' || (condition.test === 'compares' && condition.operator === '='))

function indexLookup(dialect: Dialect, condition: IndexedCondition, reach: Reach): SQL {
  const { field } = condition
  const column = valueColumn(field.kind)
  if (condition.test === 'anyOf') {
    const isAny = sql`${column} IN ${listOfValues(dialect, condition.numbers, 'integer')}`
    // An option belongs to only one property. With the property as a condition, the engine would use the index of all
    // values of the property instead.
    return field.kind === 'option'
      ? sql`SELECT DISTINCT value.item AS n FROM value WHERE ${isAny}`
      : sql`SELECT DISTINCT value.item AS n FROM value WHERE ${valuesWithinReach(dialect, field, reach)} AND ${isAny}`
  }
  // The index contains full numbers and dates, but only the beginning of texts, in lower case.
  const { value } = condition
  // A range that contains a day begins on that day or earlier.
  if (field.kind === 'date') {
    return sql`SELECT value.item AS n FROM value WHERE ${valuesWithinReach(dialect, field, reach)}
      AND value.sortable < ${`${value}~`} AND ${compareDates('=', value)}`
  }
  const inProperty = valuesWithinReach(dialect, field, reach)
  if (typeof value === 'number') {
    return sql`SELECT DISTINCT value.item AS n FROM value
      WHERE ${inProperty} AND ${dialect.indexedNumber} = ${value} AND ${column} = ${value}`
  }
  return sql`SELECT DISTINCT value.item AS n FROM value
    WHERE ${inProperty} AND value.sortable = ${beginningOf(value)} AND ${column} = ${value}`
}

/** The beginning of a text as it is indexed: 100 characters, with ASCII letters in lower case. */
const beginningOf = (text: string): string =>
  Array.from(text)
    .slice(0, 100)
    .join('')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const FIRST_DAY = sql`substr(value.text, 1, 10)`
const LAST_DAY = sql`substr(value.text, length(value.text) - 9, 10)`

/** A range is before a day if all of it is, after a day if all of it is, and equal to each day that it contains. */
function compareDates(operator: string, day: string | number): SQL {
  if (operator === '<') return sql`${LAST_DAY} < ${day}`
  if (operator === '>') return sql`${FIRST_DAY} > ${day}`
  if (operator === '=') return sql`(${FIRST_DAY} <= ${day} AND ${LAST_DAY} >= ${day})`
  throw new Error(`Expected =, < or > between dates, found ${operator}.`)
}

/** The column with the values of each kind of field. */
const VALUE_COLUMNS: Record<Exclude<Kind, 'title'>, SQL> = {
  text: sql`value.text`,
  date: sql`value.text`,
  day: FIRST_DAY,
  number: sql`value.number`,
  flag: sql`value.number`,
  option: sql`value.option`,
  target: sql`value.target`,
  member: sql`value.number`,
}
const valueColumn = (kind: Exclude<Kind, 'title'>): SQL => VALUE_COLUMNS[kind]

/** Condition on rows of `value`: they belong to the property, and any block that they refer to is within reach. */
function valuesWithinReach(dialect: Dialect, field: ValueField, reach: Reach): SQL {
  const inProperty = sql`value.property = ${integerValue(field.property)}`
  if (field.kind !== 'target' || reach === 'all') return inProperty
  return sql`${inProperty} AND EXISTS (SELECT 1 FROM block AS named
    ${dialect.thenJoin} document AS place ON place.n = named.document
    WHERE named.n = value.target AND ${documentWithinReach(dialect, reach)})`
}

/** @param item  the number of the item */
function conditionSql(dialect: Dialect, condition: ItemCondition, reach: Reach, item = sql`block.n`): SQL {
  const { field } = condition
  if (field.kind === 'title') {
    if (condition.test === 'present') return sql`block.text <> ''`
    throw new Error(`Expected a test of titles, found ${condition.test}.`)
  }
  const fromValues = sql`FROM value WHERE value.item = ${item} AND ${valuesWithinReach(dialect, field, reach)}`
  const column = valueColumn(field.kind)
  switch (condition.test) {
    case 'present':
      return sql`EXISTS (SELECT 1 ${fromValues})`
    case 'contains':
      throw new Error('Expected a condition that is not on texts, found contains.')
    case 'compares': {
      const compares =
        field.kind === 'date'
          ? compareDates(condition.operator, condition.value)
          : sql`${column} ${sql.raw(condition.operator)} ${condition.value}`
      return sql`EXISTS (SELECT 1 ${fromValues} AND ${compares})`
    }
    case 'anyOf':
      return sql`EXISTS (SELECT 1 ${fromValues} AND ${column} IN ${listOfValues(dialect, condition.numbers, 'integer')})`
    case 'allOf':
    case 'exactly': {
      const count = integerValue(condition.numbers.length)
      const matchesAll = sql`(SELECT count(*) ${fromValues}
        AND ${column} IN ${listOfValues(dialect, condition.numbers, 'integer')}) = ${count}`
      return condition.test === 'allOf' ? matchesAll : sql`${matchesAll} AND (SELECT count(*) ${fromValues}) = ${count}`
    }
    case 'isReady':
    case 'isBlocked': {
      const isOpen = openSql(dialect, condition.done, reach)
      const waits = sql`EXISTS (SELECT 1 FROM value AS needed WHERE needed.item = ${item}
        AND needed.property = ${integerValue(field.property)} AND ${isOpen(sql`needed.target`)})`
      return sql`${isOpen(item)} AND ${condition.test === 'isReady' ? sql`NOT ${waits}` : waits}`
    }
  }
}

/** Composes the condition that an item is not done. */
function openSql(dialect: Dialect, done: ItemCondition, reach: Reach): (item: SQL) => SQL {
  return (item) => {
    const test = conditionSql(dialect, done, reach, item)
    return done.not ? sql`(${test})` : sql`NOT (${test})`
  }
}

/** An item, and another one that it waits for. */
export interface Blocker {
  item: number
  /** The number and ID of the other item, and its title in inline Markdown. */
  target: number
  id: number
  text: string
}

/** What these items wait for: what their relation leads to and is not done. Items that are done wait for nothing. */
export function blockersOf(
  tx: Transaction,
  items: readonly number[],
  property: number,
  done: ItemCondition,
): Promise<Blocker[]> {
  const find = statement<Blocker>((dialect) => {
    const isOpen = openSql(dialect, done, 'all')
    return sql`SELECT asked.value AS item, target.n AS target, target.id, target.text FROM ${itemNumbers(dialect)}
      ${dialect.thenJoin} value AS needed ON needed.item = asked.value
      ${dialect.thenJoin} block AS target ON target.n = needed.target
      WHERE needed.property = ${integerValue(property)} AND ${isOpen(sql`target.n`)} AND ${isOpen(sql`asked.value`)}
      ORDER BY asked.id, needed.ordinal`
  })
  return tx.all(find, { items: jsonList(items) })
}

/** A text of an item: its title, or a value. */
export interface ItemText {
  n: number
  text: string
}

/** The texts that the caller compares for a condition on texts. Items without a value have no row. */
export function fieldTexts(tx: Transaction, items: readonly number[], field: Field): Promise<ItemText[]> {
  const find = statement<ItemText>((dialect) =>
    field.kind === 'title'
      ? sql`SELECT block.n, block.text FROM ${itemBlocks(dialect)}`
      : sql`SELECT asked.value AS n, value.text FROM ${itemNumbers(dialect)}
          ${dialect.thenJoin} value ON value.item = asked.value
          WHERE value.property = ${integerValue(field.property)} AND value.text IS NOT NULL`,
  )
  return tx.all(find, { items: jsonList(items) })
}

/**
 * The sort keys of an item: its value for each field in `k0`, `k1` …, null if it has none. For options, the key is
 * their lowest position; for blocks and members, it is the text or name of the first one, whose number is in `t0`, `t1` ….
 */
export interface SortRow {
  n: number
  position: number
  [key: `${'k' | 't'}${number}`]: StoredValue
}

export function sortRows(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  fields: readonly Field[],
): Promise<SortRow[]> {
  const find = statement<SortRow>((dialect) => {
    const keys = fields.map((field, index) => sql`, ${sortKeys(dialect, field, reach, index)}`)
    return sql`SELECT block.n, block.position${sql.join(keys)} FROM ${itemBlocks(dialect)}`
  })
  return tx.all(find, { items: jsonList(items) })
}

function sortKeys(dialect: Dialect, field: Field, reach: Reach, index: number): SQL {
  const key = sql.raw(`k${index}`)
  return field.kind === 'title' ? sql`block.text AS ${key}` : valueKeys(dialect, field, reach, index)
}

function valueKeys(dialect: Dialect, field: Exclude<Field, { kind: 'title' }>, reach: Reach, index: number): SQL {
  const key = sql.raw(`k${index}`)
  const from = sql`FROM value WHERE value.item = block.n AND ${valuesWithinReach(dialect, field, reach)}`
  switch (field.kind) {
    case 'flag':
      return sql`coalesce((SELECT value.number ${from}), 0) AS ${key}`
    case 'option':
      return sql`(SELECT min((SELECT option.position FROM option WHERE option.n = value.option)) ${from}) AS ${key}`
    case 'target': {
      const first = sql`ORDER BY value.ordinal LIMIT 1`
      return sql`(SELECT (SELECT named.text FROM block AS named WHERE named.n = value.target) ${from} ${first}) AS ${key},
        (SELECT value.target ${from} ${first}) AS ${sql.raw(`t${index}`)}`
    }
    case 'member': {
      const first = sql`ORDER BY value.ordinal LIMIT 1`
      return sql`(SELECT ${memberName(sql`value.number`)} ${from} ${first}) AS ${key},
        (SELECT value.number ${from} ${first}) AS ${sql.raw(`t${index}`)}`
    }
    case 'text':
    case 'number':
    case 'date':
    case 'day':
      return sql`(SELECT ${valueColumn(field.kind)} ${from}) AS ${key}`
  }
}

/** A value and the number of items that have it. */
export interface ValueCount {
  value: StoredValue
  count: number
}

/**
 * Counts items by value, in no particular order. An item with several values counts for each. Titles are in inline
 * Markdown.
 */
export function countByValue(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  field: Field,
): Promise<ValueCount[]> {
  const count = statement<ValueCount>((dialect) =>
    field.kind === 'title'
      ? sql`SELECT block.text AS value, count(*) AS count FROM ${itemBlocks(dialect)} GROUP BY 1`
      : sql`SELECT ${valueColumn(field.kind)} AS value, count(*) AS count FROM ${itemNumbers(dialect)}
          LEFT JOIN value ON value.item = asked.value AND ${valuesWithinReach(dialect, field, reach)} GROUP BY 1`,
  )
  return tx.all(count, { items: jsonList(items) })
}

/** A value and the number of items in one group that have it. */
export interface GroupedValueCount extends ValueCount {
  /** The value that all items of the group share; null for the group of items without one. */
  bucket: StoredValue
}

/**
 * Counts items by two fields: the one that they are grouped by, and another one. An item with several values counts for
 * each.
 */
export function countByValueInGroups(
  tx: Transaction,
  items: readonly number[],
  reach: Reach,
  group: Field,
  field: Field,
): Promise<GroupedValueCount[]> {
  const count = statement<GroupedValueCount>((dialect) => {
    const grouped =
      group.kind === 'title'
        ? sql`SELECT n AS item, text AS shown FROM block`
        : sql`SELECT value.item, ${valueColumn(group.kind)} AS shown FROM value
            WHERE ${valuesWithinReach(dialect, group, reach)}`
    const [shown, source] =
      field.kind === 'title'
        ? [sql`block.text`, sql`INNER JOIN block ON block.n = asked.value`]
        : [
            valueColumn(field.kind),
            sql`LEFT JOIN value ON value.item = asked.value AND ${valuesWithinReach(dialect, field, reach)}`,
          ]
    return sql`SELECT bucket.shown AS bucket, ${shown} AS value, count(*) AS count FROM ${itemNumbers(dialect)}
      LEFT JOIN (${grouped}) AS bucket ON bucket.item = asked.value ${source} GROUP BY 1, 2`
  })
  return tx.all(count, { items: jsonList(items) })
}

const OPTION_POSITIONS = statement<{ n: number; position: number }>(
  (dialect) => sql`SELECT n, position FROM option WHERE n IN ${listOf(dialect, 'ns', 'integer')}`,
)

/** The positions of options, by number. */
export async function optionPositions(tx: Transaction, ns: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.all(OPTION_POSITIONS, { ns: jsonList(ns) })
  return new Map(rows.map(({ n, position }) => [n, position]))
}
