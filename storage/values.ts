/** Queries on values of items, identified by item, property and ordinal. */

import { sql } from 'drizzle-orm'
import { type ValueRow, value } from './schema.ts'
import { columnsOf, deleteWhere, insertInto, integer, jsonList, listOf, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A value with the name of its option, or the block that it refers to, if any. */
export interface ItemValueRow extends ValueRow {
  optionName: string | null
  targetId: number | null
  /** In inline Markdown. */
  targetText: string | null
  targetDocument: number | null
}

const OF_ITEMS = statement<ItemValueRow>(
  (dialect) => sql`SELECT ${columnsOf(value)}, option.name AS "optionName", target.id AS "targetId",
      target.text AS "targetText", target.document AS "targetDocument"
    FROM ${rowsOf(dialect, 'items', 'integer')} AS one ${dialect.thenJoin} value ON value.item = one.value
      LEFT JOIN option ON option.n = value.option LEFT JOIN block AS target ON target.n = value.target
    ORDER BY one.id, value.property, value.ordinal`,
)

/** All values of these items, grouped by item and property, in order. */
export function itemValues(tx: Transaction, items: readonly number[]): Promise<ItemValueRow[]> {
  return tx.all(OF_ITEMS, { items: jsonList(items) })
}

const LINKED = statement<{ id: number }>(
  () => sql`SELECT DISTINCT block.id FROM value JOIN block ON block.n = value.target
      JOIN property ON property.n = value.property
    WHERE property.type = 'blockLink' AND block.id > ${integer('after')} ORDER BY block.id LIMIT ${integer('limit')}`,
)

/** The IDs of blocks that values of type `blockLink` refer to, in batches: at most `limit` above the ID `after`. */
export async function blockLinkTargets(tx: Transaction, after: number, limit: number): Promise<number[]> {
  return (await tx.all(LINKED, { after, limit })).map(({ id }) => id)
}

const INSERT = insertInto(value)

export async function insertValues(tx: Transaction, rows: readonly ValueRow[]): Promise<void> {
  await tx.batch(INSERT, rows)
  tx.words.noteValues(new Set(rows.map(({ item }) => item)))
}

const DELETE = deleteWhere(value, ['item', 'property'])

/** Deletes the values of these pairs of item and property. */
export async function deleteValues(tx: Transaction, pairs: readonly (readonly [number, number])[]): Promise<void> {
  await tx.batch(
    DELETE,
    pairs.map(([item, property]) => ({ item, property })),
  )
  tx.words.noteValues(new Set(pairs.map(([item]) => item)))
}

const deleteFirst = (column: 'property' | 'option') =>
  statement<{ item: number }>(
    () => sql`DELETE FROM value WHERE (item, property, ordinal) IN (
        SELECT item, property, ordinal FROM value WHERE ${sql.raw(column)} = ${integer('n')} LIMIT ${integer('limit')}
      ) RETURNING item`,
  )
const DELETE_FIRST = { property: deleteFirst('property'), option: deleteFirst('option') }

const DELETE_GREATER = statement<{ item: number }>(
  () => sql`DELETE FROM value WHERE (item, property, ordinal) IN (
      SELECT item, property, ordinal FROM value WHERE property = ${integer('property')} AND number > ${integer('max')}
      LIMIT ${integer('limit')}
    ) RETURNING item`,
)

/**
 * Deletes at most `limit` values of a property that are greater than `max`.
 *
 * @returns the number of deleted values
 */
export async function deleteGreaterValueBatch(
  tx: Transaction,
  property: number,
  max: number,
  limit: number,
): Promise<number> {
  const rows = await tx.all(DELETE_GREATER, { property, max, limit })
  tx.words.noteValues(rows.map(({ item }) => item))
  return rows.length
}

/**
 * Deletes at most `max` values of a property or an option.
 *
 * @returns the number of deleted values
 */
export async function deleteValueBatch(
  tx: Transaction,
  column: 'property' | 'option',
  n: number,
  max: number,
): Promise<number> {
  const rows = await tx.all(DELETE_FIRST[column], { n, limit: max })
  tx.words.noteValues(rows.map(({ item }) => item))
  return rows.length
}

const DELETE_OTHER_SIDE = statement(
  (
    dialect,
  ) => sql`DELETE FROM value WHERE property = ${integer('other')} AND target IN ${listOf(dialect, 'items', 'integer')}
    AND NOT EXISTS (SELECT 1 FROM value AS here
      WHERE here.item = value.target AND here.property = ${integer('property')} AND here.target = value.item)`,
)
const INSERT_OTHER_SIDE = statement(
  (dialect) => sql`INSERT INTO value (item, property, ordinal, target)
    SELECT here.target, ${integer('other')},
      coalesce((SELECT max(ordinal) + 1 FROM value WHERE item = here.target AND property = ${integer('other')}), 0)
        + row_number() OVER (PARTITION BY here.target ORDER BY one.id) - 1,
      here.item
    FROM ${rowsOf(dialect, 'items', 'integer')} AS one ${dialect.thenJoin} value AS here ON here.item = one.value
    WHERE here.property = ${integer('property')} AND NOT EXISTS (SELECT 1 FROM value AS there
      WHERE there.item = here.target AND there.property = ${integer('other')} AND there.target = here.item)`,
)

/**
 * Updates the other side of a relation to match the values of these items. Changes only the other side, and only where
 * it differs.
 *
 * @param other  number of the property on the other side
 */
export async function syncOtherSide(
  tx: Transaction,
  items: readonly number[],
  property: number,
  other: number,
): Promise<void> {
  const values = { items: jsonList(items), property, other }
  await tx.run(DELETE_OTHER_SIDE, values)
  await tx.run(INSERT_OTHER_SIDE, values)
}
