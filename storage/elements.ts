/** Queries on whiteboards: elements, the assets of their images, and the saved state of the board. */

import { sql } from 'drizzle-orm'
import { type ElementRow, element, whiteboardState as stateTable, whiteboardAsset } from './schema.ts'
import { insertInto, integer, jsonList, listOf, rowsOf, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A stored element or asset: its ID, and all of it as JSON. */
export type StoredElement = Pick<ElementRow, 'id' | 'json'>

const OF_BOARD = sql`WHERE board = ${integer('board')}`

const ELEMENTS = statement<StoredElement>(() => sql`SELECT id, json FROM element ${OF_BOARD} ORDER BY n`)

/** The elements of a board, in order. */
export function whiteboardElements(tx: Transaction, board: number): Promise<StoredElement[]> {
  return tx.all(ELEMENTS, { board })
}

// The running total of lengths limits how much is read.
const FIRST_ELEMENTS = statement<StoredElement>(
  () => sql`SELECT id, json FROM (
      SELECT n, id, json, sum(length(json)) OVER (ORDER BY n) AS total
      FROM (SELECT n, id, json FROM element ${OF_BOARD} ORDER BY n LIMIT ${integer('count')}) AS first) AS counted
    WHERE total <= ${integer('characters')} ORDER BY n`,
)

/** The first elements of a board: at most `count`, with at most `characters` of JSON in total. */
export function firstElements(
  tx: Transaction,
  board: number,
  count: number,
  characters: number,
): Promise<StoredElement[]> {
  return tx.all(FIRST_ELEMENTS, { board, count, characters })
}

const COUNT = statement<{ count: number }>(() => sql`SELECT count(*) AS count FROM element ${OF_BOARD}`)

export async function countElements(tx: Transaction, board: number): Promise<number> {
  return (await tx.get(COUNT, { board }))?.count ?? 0
}

const BY_IDS = statement<StoredElement>(
  (dialect) => sql`SELECT element.id, element.json FROM ${rowsOf(dialect, 'ids', 'text')} AS one
    ${dialect.thenJoin} element ON element.board = ${integer('board')} AND element.id = one.value ORDER BY element.n`,
)

/** The elements with these IDs that are on the board, in its order. */
export function elementsByIds(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  return tx.all(BY_IDS, { board, ids: jsonList(ids) })
}

const INSERT = insertInto(element, ['board', 'id', 'json'])

/** Adds elements above the existing ones. */
export async function insertElements(
  tx: Transaction,
  board: number,
  elements: readonly StoredElement[],
): Promise<void> {
  await tx.batch(
    INSERT,
    elements.map(({ id, json }) => ({ board, id, json })),
  )
}

const UPDATE = updateWhere(element, ['json'], ['board', 'id'])

/** Replaces the content of elements. Their order does not change. */
export async function updateElements(
  tx: Transaction,
  board: number,
  elements: readonly StoredElement[],
): Promise<void> {
  await tx.batch(
    UPDATE,
    elements.map(({ id, json }) => ({ board, id, json })),
  )
}

const DELETE = statement<StoredElement>(
  (dialect) => sql`DELETE FROM element ${OF_BOARD} AND id IN ${listOf(dialect, 'ids', 'text')} RETURNING id, json`,
)

/**
 * Deletes the elements with these IDs from the board.
 *
 * @returns the deleted elements
 */
export function deleteElements(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  return tx.all(DELETE, { board, ids: jsonList(ids) })
}

const ASSETS = statement<StoredElement>(() => sql`SELECT id, json FROM board_asset ${OF_BOARD} ORDER BY n`)
const ASSET_LENGTHS = statement<{ id: string; length: number }>(
  () => sql`SELECT id, length(json) AS length FROM board_asset ${OF_BOARD} ORDER BY n`,
)

/** The assets of a board. With `characters`, skips assets whose JSON would exceed that total. */
export async function whiteboardAssets(
  tx: Transaction,
  board: number,
  characters = Infinity,
): Promise<StoredElement[]> {
  if (characters === Infinity) return tx.all(ASSETS, { board })
  let remaining = characters
  const ids: string[] = []
  for (const { id, length } of await tx.all(ASSET_LENGTHS, { board })) {
    remaining -= length
    if (remaining >= 0) ids.push(id)
  }
  return assetsByIds(tx, board, ids)
}

const ASSETS_BY_IDS = statement<StoredElement>(
  (dialect) => sql`SELECT asset.id, asset.json FROM ${rowsOf(dialect, 'ids', 'text')} AS one
    ${dialect.thenJoin} board_asset AS asset ON asset.board = ${integer('board')} AND asset.id = one.value
    ORDER BY asset.n`,
)

/** The assets with these IDs that are on the board, in its order. */
export function assetsByIds(tx: Transaction, board: number, ids: readonly string[]): Promise<StoredElement[]> {
  return tx.all(ASSETS_BY_IDS, { board, ids: jsonList(ids) })
}

const UPSERT_ASSET = insertInto(
  whiteboardAsset,
  ['board', 'id', 'json'],
  (dialect) => sql`${dialect.onConflict('board', 'id')} DO UPDATE SET json = excluded.json`,
)

/** Stores assets. An asset with the same ID is replaced. */
export async function upsertAssets(tx: Transaction, board: number, assets: readonly StoredElement[]): Promise<void> {
  // One statement can set a row only once.
  const byId = new Map(assets.map((asset) => [asset.id, asset]))
  await tx.batch(
    UPSERT_ASSET,
    [...byId.values()].map(({ id, json }) => ({ board, id, json })),
  )
}

const DELETE_UNUSED_ASSETS = statement((dialect) => {
  const fileId = dialect.jsonField(sql`element.json`, 'fileId')
  return sql`DELETE FROM board_asset ${OF_BOARD} AND id IN ${listOf(dialect, 'ids', 'text')}
    AND id NOT IN (SELECT ${fileId} FROM element ${OF_BOARD} AND ${fileId} IS NOT NULL)`
})

/** Deletes the given assets that no element of the board uses any more. */
export async function deleteUnusedAssets(tx: Transaction, board: number, ids: readonly string[]): Promise<void> {
  await tx.run(DELETE_UNUSED_ASSETS, { board, ids: jsonList(ids) })
}

const STATE = statement<{ json: string }>(() => sql`SELECT json FROM board_state ${OF_BOARD}`)

/** The state of a board as JSON, if it has one. */
export async function whiteboardState(tx: Transaction, board: number): Promise<string | undefined> {
  return (await tx.get(STATE, { board }))?.json
}

const UPSERT_STATE = insertInto(
  stateTable,
  undefined,
  (dialect) => sql`${dialect.onConflict('board')} DO UPDATE SET json = excluded.json`,
)

export async function upsertWhiteboardState(tx: Transaction, board: number, json: string): Promise<void> {
  await tx.run(UPSERT_STATE, { board, json })
}

const FROM_BOARD = sql`WHERE board = ${integer('source')}`
const COPIES = [
  statement(
    () =>
      sql`INSERT INTO element (board, id, json) SELECT ${integer('to')}, id, json FROM element ${FROM_BOARD} ORDER BY n`,
  ),
  statement(
    () => sql`INSERT INTO board_asset (board, id, json)
      SELECT ${integer('to')}, id, json FROM board_asset ${FROM_BOARD} ORDER BY n`,
  ),
  statement(
    () => sql`INSERT INTO board_state (board, json) SELECT ${integer('to')}, json FROM board_state ${FROM_BOARD}`,
  ),
]

/** Copies all contents of a board to an empty one. */
export async function copyWhiteboard(tx: Transaction, from: number, to: number): Promise<void> {
  for (const copy of COPIES) await tx.run(copy, { source: from, to })
}
