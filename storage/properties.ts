/** Queries on properties, the columns of collections, and on the options of selects. */

import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { type OptionRow, option, type PropertyRow, property } from './schema.ts'
import {
  columnsOf,
  insertInto,
  integer,
  jsonList,
  listOf,
  listOfValues,
  param,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

const PROPERTIES = statement<PropertyRow>(
  (dialect) => sql`${selectFrom(property)} WHERE collection IN ${listOf(dialect, 'collections', 'integer')}
    ORDER BY collection, position, n`,
)
const OPTIONS = statement<OptionRow>(
  (dialect) => sql`SELECT ${columnsOf(option)} FROM property INNER JOIN option ON option.property = property.n
    WHERE property.collection IN ${listOf(dialect, 'collections', 'integer')} ORDER BY option.position, option.n`,
)

/** The properties of these collections, in the order of each. */
export function collectionProperties(tx: Transaction, ...collections: readonly number[]): Promise<PropertyRow[]> {
  return tx.all(PROPERTIES, { collections: jsonList(collections) })
}

/** The options of all properties of these collections, in the order of each property. */
export function collectionOptions(tx: Transaction, ...collections: readonly number[]): Promise<OptionRow[]> {
  return tx.all(OPTIONS, { collections: jsonList(collections) })
}

const NEXT_PROPERTY = statement<{ n: number }>(
  (dialect) => sql`SELECT coalesce(${dialect.nextNumber('property')}, 1) AS n`,
)
const INSERT_PROPERTY = insertInto(property)

/** Inserts properties and returns them with their numbers, in the same order. */
export async function insertProperties(
  tx: Transaction,
  rows: readonly Omit<PropertyRow, 'n'>[],
): Promise<PropertyRow[]> {
  if (rows.length === 0) return []
  const first = (await tx.get(NEXT_PROPERTY))?.n ?? 1
  const numbered = rows.map((row, index) => ({ ...row, n: first + index }))
  await tx.batch(INSERT_PROPERTY, numbered)
  return numbered
}

const UPDATE_PROPERTY = updateWhere(property, [
  ...(['collection', 'key', 'name', 'type', 'position', 'config', 'target', 'otherSide', 'isBackReference'] as const),
])

/** Updates all fields of properties except their numbers. */
export async function updateProperties(tx: Transaction, rows: readonly PropertyRow[]): Promise<void> {
  if (rows.length > 0) await tx.batch(UPDATE_PROPERTY, rows)
}

const SET_OTHER_SIDE = statement(
  () => sql`UPDATE property SET other_side = ${param('other')} WHERE n = ${integer('n')}`,
)

/** Links one side of a relation to the property on the other side; null for none. */
export async function setOtherSide(tx: Transaction, n: number, other: number | null): Promise<void> {
  await tx.run(SET_OTHER_SIDE, { n, other })
}

const DELETE_PROPERTY = statement(() => sql`DELETE FROM property WHERE n = ${integer('n')}`)

/** Deletes a property with its values and options, and for a relation also the other side. */
export async function deleteProperty(tx: Transaction, n: number): Promise<void> {
  await tx.words.noteItemsWithValues('property', [n])
  await tx.run(DELETE_PROPERTY, { n })
}

const NEXT_OPTION = statement<{ n: number }>((dialect) => sql`SELECT coalesce(${dialect.nextNumber('option')}, 1) AS n`)
const INSERT_OPTION = insertInto(option)

/** The first option number that was never used. All numbers above it stay free until this transaction ends. */
export async function nextOptionNumber(tx: Transaction): Promise<number> {
  return (await tx.get(NEXT_OPTION))?.n ?? 1
}

/** Inserts options with numbers from {@link nextOptionNumber} on. */
export async function insertNumberedOptions(tx: Transaction, rows: readonly OptionRow[]): Promise<void> {
  await tx.batch(INSERT_OPTION, rows)
}

/** Inserts options and returns their numbers, in the same order. */
export async function insertOptions(tx: Transaction, rows: readonly Omit<OptionRow, 'n'>[]): Promise<number[]> {
  if (rows.length === 0) return []
  const first = await nextOptionNumber(tx)
  const numbered = rows.map((row, index) => ({ ...row, n: first + index }))
  await insertNumberedOptions(tx, numbered)
  return numbered.map(({ n }) => n)
}

const UPDATE_OPTION = updateWhere(option, ['property', 'name', 'color', 'position'])

export async function updateOptions(tx: Transaction, rows: readonly OptionRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.batch(UPDATE_OPTION, rows)
  await tx.words.noteItemsWithValues(
    'option',
    rows.map(({ n }) => n),
  )
}

const DELETE_OPTION = statement(() => sql`DELETE FROM option WHERE n = ${integer('n')}`)

/** Deletes an option and all values that use it. */
export async function deleteOption(tx: Transaction, n: number): Promise<void> {
  await tx.words.noteItemsWithValues('option', [n])
  await tx.run(DELETE_OPTION, { n })
}

/** Counts the values of a property that are greater than a number. */
const COUNT_GREATER = statement<{ count: number }>(
  () => sql`SELECT count(*) AS count FROM value WHERE property = ${integer('property')} AND number > ${integer('max')}`,
)

/** @param maxima  by number of the property, the greatest value that it keeps */
export async function countGreaterValues(tx: Transaction, maxima: ReadonlyMap<number, number>): Promise<number> {
  let total = 0
  for (const [property, max] of maxima) total += (await tx.get(COUNT_GREATER, { property, max }))?.count ?? 0
  return total
}

/**
 * Counts the values of these properties and options together. Values that refer to a block count only if it is within
 * reach.
 */
export async function countValues(
  tx: Transaction,
  properties: readonly number[],
  options: readonly number[],
  reach: Reach,
): Promise<number> {
  const count = statement<{ count: number }>(
    (dialect) => sql`SELECT (SELECT count(*) FROM value LEFT JOIN block AS target ON target.n = value.target
        LEFT JOIN document AS place ON place.n = target.document
        WHERE value.property IN ${listOfValues(dialect, properties, 'integer')}
          AND (value.target IS NULL OR (${documentWithinReach(dialect, reach)})))
      + (SELECT count(*) FROM value WHERE option IN ${listOfValues(dialect, options, 'integer')}) AS count`,
  )
  return (await tx.get(count))?.count ?? 0
}
