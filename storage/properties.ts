/** Queries on properties, the columns of collections, and on the options of selects. */

import { asc, eq, sql } from 'drizzle-orm'
import { boundValue, sql as compose, documentWithinReach, queryAll, type Reach } from './item-filter-sql.ts'
import { type OptionRow, option, type PropertyRow, property } from './schema.ts'
import { noteItemsWithValue } from './search/word-index.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const param = sql.placeholder

const propertiesQuery = query((orm) =>
  orm
    .select()
    .from(property)
    .where(eq(property.collection, param('collection')))
    .orderBy(asc(property.position), asc(property.n))
    .prepare(),
)
const optionsQuery = query((orm) =>
  orm
    .select({
      n: option.n,
      property: option.property,
      name: option.name,
      color: option.color,
      position: option.position,
    })
    .from(property)
    .innerJoin(option, eq(option.property, property.n))
    .where(eq(property.collection, param('collection')))
    .orderBy(asc(option.position), asc(option.n))
    .prepare(),
)

/** The properties of a collection, in order. */
export async function collectionProperties(tx: Transaction, collection: number): Promise<PropertyRow[]> {
  return propertiesQuery(tx).all({ collection })
}

/** The options of all properties of a collection, in the order of each property. */
export async function collectionOptions(tx: Transaction, collection: number): Promise<OptionRow[]> {
  return optionsQuery(tx).all({ collection })
}

export async function insertProperty(tx: Transaction, row: Omit<PropertyRow, 'n'>): Promise<PropertyRow> {
  return tx.orm.insert(property).values(row).returning().get()
}

/** Updates all fields of a property except its number. */
export async function updateProperty(tx: Transaction, { n, ...row }: PropertyRow): Promise<void> {
  tx.orm.update(property).set(row).where(eq(property.n, n)).run()
}

/** Links one side of a relation to the property on the other side; null for none. */
export async function setOtherSide(tx: Transaction, n: number, other: number | null): Promise<void> {
  tx.orm.update(property).set({ otherSide: other }).where(eq(property.n, n)).run()
}

/** Deletes a property with its values and options, and for a relation also the other side. */
export async function deleteProperty(tx: Transaction, n: number): Promise<void> {
  noteItemsWithValue(tx, 'property', n)
  tx.sql('DELETE FROM property WHERE n = ?').run(n)
}

/** Inserts an option and returns its number. A schema may have thousands, so the prepared statement is cached. */
export async function insertOption(
  tx: Transaction,
  { property, name, color, position }: Omit<OptionRow, 'n'>,
): Promise<number> {
  const insert = tx.sql('INSERT INTO option (property, name, color, position) VALUES (?, ?, ?, ?)')
  return Number(insert.run(property, name, color, position).lastInsertRowid)
}

export async function updateOption(tx: Transaction, { n, ...row }: OptionRow): Promise<void> {
  tx.orm.update(option).set(row).where(eq(option.n, n)).run()
  noteItemsWithValue(tx, 'option', n)
}

/** Deletes an option and all values that use it. */
export async function deleteOption(tx: Transaction, n: number): Promise<void> {
  noteItemsWithValue(tx, 'option', n)
  tx.sql('DELETE FROM option WHERE n = ?').run(n)
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
  const [row] = queryAll<{ count: number }>(
    tx,
    compose`SELECT (SELECT count(*) FROM value LEFT JOIN block AS target ON target.n = value.target
        LEFT JOIN document AS place ON place.n = target.document
        WHERE value.property IN (SELECT value FROM json_each(${boundValue(JSON.stringify(properties))}))
          AND (value.target IS NULL OR ${documentWithinReach(reach)}))
      + (SELECT count(*) FROM value WHERE option IN (SELECT value FROM json_each(${boundValue(JSON.stringify(options))})))
      AS count`,
  )
  return row?.count ?? 0
}
