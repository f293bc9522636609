/**
 * Writes block rows. All code that writes blocks uses this file, because each function marks the changed documents: it
 * increments their revision and notifies watchers. Texts are stored without mentions of members whom the connection does
 * not know.
 */
import * as stored from '../../../storage/blocks.ts'
import { insertDocuments } from '../../../storage/documents.ts'
import type { BlockRow, DocumentRow } from '../../../storage/schema.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Space } from './space.ts'
import { hideUnknownMentions } from './unknown-mentions.ts'

/** Rows per statement, or per turn of the event loop. Takes some milliseconds. */
const ROWS_PER_INSERT = 1_000
const ROWS_PER_MOVE = 500
/** Smaller, because deleting an item may delete twenty values. */
const ROWS_PER_DELETE = 50

/** @param rows  parents before their children */
export async function insertRows(space: Space, rows: readonly BlockRow[]): Promise<void> {
  await hideUnknownMentions(space, rows)
  // The two are independent, so the database can do both at once.
  await Promise.all([markDocuments(space, rows), insertInChunks(space, rows)])
}

async function insertInChunks(space: Space, rows: readonly BlockRow[]): Promise<void> {
  for await (const part of chunks(rows, ROWS_PER_INSERT)) await stored.insertBlocks(space.tx, part)
}

/** Inserts new documents with their root blocks. New documents count as changed. */
export async function insertDocumentRows(
  space: Space,
  roots: readonly BlockRow[],
  documents: readonly DocumentRow[],
): Promise<void> {
  await hideUnknownMentions(space, roots)
  await insertInChunks(space, roots)
  await insertDocuments(space.tx, documents)
}

export async function updateRow(space: Space, row: BlockRow): Promise<void> {
  await updateRows(space, [row])
}

export async function updateRows(space: Space, rows: readonly BlockRow[]): Promise<void> {
  if (rows.length === 0) return
  await hideUnknownMentions(space, rows)
  for await (const part of chunks(rows, ROWS_PER_INSERT)) await stored.updateBlocks(space.tx, part)
  await markDocuments(space, rows)
}

/** Sets the parent and the positions of blocks. Their descendants stay in their document: see {@link setDocument}. */
export async function setPlaces(
  space: Space,
  rows: readonly BlockRow[],
  parent: BlockRow,
  positions: readonly number[],
): Promise<void> {
  const places = rows.map(({ n }, index) => ({ n, parent: parent.n, position: positions[index] ?? 0 }))
  for await (const part of chunks(places, ROWS_PER_INSERT)) await stored.setBlockPlaces(space.tx, part)
  await markDocuments(space, [...rows, parent])
}

/** Stores the new document of blocks that were moved to another one. */
export async function setDocument(space: Space, numbers: readonly number[], document: number): Promise<void> {
  for await (const part of chunks(numbers, ROWS_PER_MOVE)) await stored.setBlockDocument(space.tx, part, document)
  await space.markChanged(document)
}

/**
 * Deletes exactly these blocks, last to first.
 *
 * @param numbers  each before its children, which must be included
 * @param documents  the documents that the blocks are in
 */
export async function deleteRows(space: Space, numbers: readonly number[], documents: Iterable<number>): Promise<void> {
  for await (const part of chunks(numbers.toReversed(), ROWS_PER_DELETE)) await stored.deleteBlocks(space.tx, part)
  await space.markChanged(...new Set(documents))
}

async function markDocuments(space: Space, rows: readonly BlockRow[]): Promise<void> {
  await space.markChanged(...new Set(rows.map(({ document }) => document)))
}
