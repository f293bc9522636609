/** Queries on whiteboards: elements, the assets of their images, and the saved state of the board. */

import type { ElementRow } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

/** A stored element or asset: its ID and the whole of it as JSON. */
export type StoredElement = Pick<ElementRow, 'id' | 'json'>

const FROM_WHITEBOARD = 'SELECT id, json FROM element WHERE board = CAST(? AS INTEGER) ORDER BY n'

/** The elements of a board, in order. */
export async function whiteboardElements(tx: Transaction, board: number): Promise<StoredElement[]> {
  return tx.sql<StoredElement>(FROM_WHITEBOARD).all(board)
}

/** The first elements of a board: at most `count`, with at most `characters` of JSON in total. */
export async function firstElements(
  tx: Transaction,
  board: number,
  count: number,
  characters: number,
): Promise<StoredElement[]> {
  const first: StoredElement[] = []
  let remaining = characters
  for (const element of tx.sql<StoredElement>(`${FROM_WHITEBOARD} LIMIT ?`).iterate(board, count)) {
    remaining -= element.json.length
    if (remaining < 0) break
    first.push(element)
  }
  return first
}

export async function countElements(tx: Transaction, board: number): Promise<number> {
  const count = tx.sql<{ count: number }>('SELECT count(*) AS count FROM element WHERE board = CAST(? AS INTEGER)')
  return count.get(board)?.count ?? 0
}

/** The elements with these IDs that are on the board, in no particular order. */
export async function elementsByIds(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  // CROSS JOIN keeps the IDs as the outer loop.
  const find = tx.sql<StoredElement>(
    `SELECT element.id, element.json FROM json_each(?) AS one CROSS JOIN element
     ON element.board = CAST(? AS INTEGER) AND element.id = one.value`,
  )
  return find.all(JSON.stringify(ids), board)
}

/** Rows per statement in large inserts. */
const ROWS_PER_INSERT = 50
const insertStatement = (rows: number): string =>
  `INSERT INTO element (board, id, json) VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`
const INSERT_MANY = insertStatement(ROWS_PER_INSERT)
const INSERT_ONE = insertStatement(1)

/** Adds elements above the existing ones. */
export async function insertElements(
  tx: Transaction,
  board: number,
  elements: readonly StoredElement[],
): Promise<void> {
  const values = (from: number, to: number) => elements.slice(from, to).flatMap(({ id, json }) => [board, id, json])
  const many = elements.length - (elements.length % ROWS_PER_INSERT)
  for (let start = 0; start < many; start += ROWS_PER_INSERT)
    tx.sql(INSERT_MANY).run(values(start, start + ROWS_PER_INSERT))
  for (let index = many; index < elements.length; index++) tx.sql(INSERT_ONE).run(values(index, index + 1))
}

/** Replaces the content of elements. Their order does not change. */
export async function updateElements(
  tx: Transaction,
  board: number,
  elements: readonly StoredElement[],
): Promise<void> {
  const update = tx.sql('UPDATE element SET json = ? WHERE board = ? AND id = ?')
  for (const { id, json } of elements) update.run(json, board, id)
}

/**
 * Deletes the elements with these IDs from the board.
 *
 * @returns the deleted elements
 */
export async function deleteElements(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  const statement = tx.sql<StoredElement>(
    `DELETE FROM element WHERE board = CAST(? AS INTEGER) AND id IN (SELECT value FROM json_each(?)) RETURNING id, json`,
  )
  return statement.all(board, JSON.stringify(ids))
}

/** The assets of a board. With `characters`, skips assets whose JSON would exceed that total. */
export async function whiteboardAssets(
  tx: Transaction,
  board: number,
  characters = Infinity,
): Promise<StoredElement[]> {
  const assets: StoredElement[] = []
  let remaining = characters
  const find = tx.sql<StoredElement>('SELECT id, json FROM board_asset WHERE board = CAST(? AS INTEGER) ORDER BY n')
  for (const asset of find.iterate(board)) {
    remaining -= asset.json.length
    if (remaining >= 0) assets.push(asset)
  }
  return assets
}

/** The assets with these IDs that are on the board, in no particular order. */
export async function assetsByIds(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  const find = tx.sql<StoredElement>(
    `SELECT asset.id, asset.json FROM json_each(?) AS one CROSS JOIN board_asset AS asset
     ON asset.board = CAST(? AS INTEGER) AND asset.id = one.value`,
  )
  return find.all(JSON.stringify(ids), board)
}

/** Stores assets. An asset with the same ID is replaced. */
export async function upsertAssets(tx: Transaction, board: number, assets: readonly StoredElement[]): Promise<void> {
  const statement = tx.sql(
    `INSERT INTO board_asset (board, id, json) VALUES (?, ?, ?)
     ON CONFLICT (board, id) DO UPDATE SET json = excluded.json`,
  )
  for (const { id, json } of assets) statement.run(board, id, json)
}

/** Deletes those of these assets that no element of the board uses any more. */
export async function deleteUnusedAssets(tx: Transaction, board: number, ids: readonly string[]): Promise<void> {
  tx.sql(
    `DELETE FROM board_asset WHERE board = CAST(? AS INTEGER) AND id IN (SELECT value FROM json_each(?))
       AND id NOT IN (SELECT json_extract(json, '$.fileId') FROM element
         WHERE board = CAST(? AS INTEGER) AND json_extract(json, '$.fileId') IS NOT NULL)`,
  ).run(board, JSON.stringify(ids), board)
}

/** The state of a board as JSON, if it has one. */
export async function whiteboardState(tx: Transaction, board: number): Promise<string | undefined> {
  return tx.sql<{ json: string }>('SELECT json FROM board_state WHERE board = CAST(? AS INTEGER)').get(board)?.json
}

export async function upsertWhiteboardState(tx: Transaction, board: number, json: string): Promise<void> {
  tx.sql(
    'INSERT INTO board_state (board, json) VALUES (?, ?) ON CONFLICT (board) DO UPDATE SET json = excluded.json',
  ).run(board, json)
}

/** Copies all contents of a board to an empty one. */
export async function copyWhiteboard(tx: Transaction, from: number, to: number): Promise<void> {
  const copies = [
    'INSERT INTO element (board, id, json) SELECT ?, id, json FROM element WHERE board = CAST(? AS INTEGER) ORDER BY n',
    'INSERT INTO board_asset (board, id, json) SELECT ?, id, json FROM board_asset WHERE board = CAST(? AS INTEGER) ORDER BY n',
    'INSERT INTO board_state (board, json) SELECT ?, json FROM board_state WHERE board = CAST(? AS INTEGER)',
  ]
  for (const copy of copies) tx.sql(copy).run(to, from)
}
