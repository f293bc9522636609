/** Queries on values of items: rows by item, property and ordinal. */

import type { ValueRow } from './schema.ts'
import { noteValues } from './search/word-index.ts'
import type { Transaction } from './sqlite/connection.ts'

/** A value with the name of its option, or the block that it refers to, if any. */
export interface ItemValueRow extends ValueRow {
  optionName: string | null
  targetId: string | null
  /** In inline Markdown. */
  targetText: string | null
  targetDocument: number | null
}

// CROSS JOIN keeps the items as the outer loop.
const SELECT_ITEM_VALUES = `SELECT value.item, value.property, value.ordinal, value.text, value.number, value.option, value.target,
    option.name AS optionName,
    target.id AS targetId, target.text AS targetText, target.document AS targetDocument
  FROM json_each(?) AS one CROSS JOIN value ON value.item = one.value LEFT JOIN option ON option.n = value.option
    LEFT JOIN block AS target ON target.n = value.target
  ORDER BY one.id, value.property, value.ordinal`

/** All values of these items, grouped by item and property, in order. */
export async function itemValues(tx: Transaction, items: readonly number[]): Promise<ItemValueRow[]> {
  return tx.sql<ItemValueRow>(SELECT_ITEM_VALUES).all(JSON.stringify(items))
}

const COLUMNS = ['item', 'property', 'ordinal', 'text', 'number', 'option', 'target'] as const
/** Rows per statement in large inserts. */
const ROWS_PER_INSERT = 50

const insertStatement = (rows: number): string => {
  const row = `(${COLUMNS.map(() => '?').join(', ')})`
  return `INSERT INTO value (${COLUMNS.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
}
const INSERT_MANY = insertStatement(ROWS_PER_INSERT)
const INSERT_ONE = insertStatement(1)

export async function insertValues(tx: Transaction, rows: readonly ValueRow[]): Promise<void> {
  const many = rows.length - (rows.length % ROWS_PER_INSERT)
  for (let start = 0; start < many; start += ROWS_PER_INSERT) {
    tx.sql(INSERT_MANY).run(insertParameters(rows.slice(start, start + ROWS_PER_INSERT)))
  }
  for (const row of rows.slice(many)) tx.sql(INSERT_ONE).run(insertParameters([row]))
  noteValues(tx, new Set(rows.map(({ item }) => item)))
}

const insertParameters = (rows: readonly ValueRow[]): unknown[] =>
  rows.flatMap((row) => [row.item, row.property, row.ordinal, row.text, row.number, row.option, row.target])

/** Deletes the values of these pairs of item and property. */
export async function deleteValues(tx: Transaction, pairs: readonly (readonly [number, number])[]): Promise<void> {
  const statement = tx.sql('DELETE FROM value WHERE item = ? AND property = ?')
  for (const [item, property] of pairs) statement.run(item, property)
  noteValues(tx, new Set(pairs.map(([item]) => item)))
}

/**
 * Deletes at most `most` values of a property or an option.
 *
 * @returns the number of deleted values
 */
export async function deleteValueBatch(
  tx: Transaction,
  column: 'property' | 'option',
  n: number,
  max: number,
): Promise<number> {
  const statement = tx.sql<number>(
    `DELETE FROM value WHERE (item, property, ordinal) IN (
       SELECT item, property, ordinal FROM value WHERE ${column} = CAST(? AS INTEGER) LIMIT CAST(? AS INTEGER)
     ) RETURNING item`,
  )
  const items = statement.pluck().all(n, max)
  noteValues(tx, items)
  return items.length
}

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
  const parameters = { items: JSON.stringify(items), property, other }
  tx.sql(
    `DELETE FROM value WHERE property = $other AND target IN (SELECT value FROM json_each($items))
       AND NOT EXISTS (SELECT 1 FROM value AS here
         WHERE here.item = value.target AND here.property = $property AND here.target = value.item)`,
  ).run(parameters)
  tx.sql(
    `INSERT INTO value (item, property, ordinal, target)
     SELECT here.target, $other,
       coalesce((SELECT max(ordinal) + 1 FROM value WHERE item = here.target AND property = $other), 0)
         + row_number() OVER (PARTITION BY here.target ORDER BY one.id) - 1,
       here.item
     FROM json_each($items) AS one CROSS JOIN value AS here ON here.item = one.value
     WHERE here.property = $property AND NOT EXISTS (SELECT 1 FROM value AS there
       WHERE there.item = here.target AND there.property = $other AND there.target = here.item)`,
  ).run(parameters)
}
