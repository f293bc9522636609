/**
 * Counts the changes of a space made by any process, and detects them. Each transaction that changes anything gets the
 * next number, and a document stores the number of the last transaction that changed it.
 */

import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { SYSTEM_DOCUMENTS } from './schema.ts'
import { integer, integerValue, jsonList, quoted, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

export interface ChangeCounter {
  /** The number of the last transaction that changed anything; 0 in a space without changes. */
  value: number
  /** The number of the last transaction that added, removed or restored documents, files or whiteboards. */
  listing: number
  /** The number of calls and events so far. */
  happened: number
}

/** SQL for the number of the current transaction. The counter itself advances when the transaction ends. */
export const CHANGE_NUMBER = sql`(SELECT value + 1 FROM change_counter)`

const COUNTER = statement<ChangeCounter>(
  () => sql`SELECT value, listing, call + coalesce((SELECT max(n) FROM event), 0) AS happened
    FROM change_counter, call_start`,
)

export async function getChangeCounter(tx: Transaction): Promise<ChangeCounter> {
  const row = await tx.get(COUNTER)
  if (row === undefined) throw new Error('Expected a change counter in the space, found none.')
  return row
}

const MARK_LISTING = statement(() => sql`UPDATE change_counter SET listing = value + 1`)

/** Records that the transaction adds, removes or restores a document, a file or a whiteboard. */
export async function markListingChanged(tx: Transaction): Promise<void> {
  await tx.run(MARK_LISTING)
}

const FIRST_LISTED = statement(
  (dialect) => sql`SELECT 1 FROM ${rowsOf(dialect, 'blocks', 'integer')} AS one
    ${dialect.thenJoin} block ON block.n = one.value
    WHERE block.type = 'whiteboard' OR EXISTS (SELECT 1 FROM block_file WHERE block_file.block = one.value) LIMIT 1`,
)

/** Calls {@link markListingChanged} if any of these blocks is a whiteboard or shows a file. */
export async function markListingChangedByBlocks(tx: Transaction, blocks: readonly number[]): Promise<void> {
  if ((await tx.get(FIRST_LISTED, { blocks: jsonList(blocks) })) !== undefined) await markListingChanged(tx)
}

const CHANGED_AFTER = statement<{ n: number }>(
  () => sql`SELECT n FROM document WHERE change_number > ${integer('change')} ORDER BY n`,
)

/** The numbers of documents changed by transactions after this one. */
export async function documentsChangedAfter(tx: Transaction, change: number): Promise<number[]> {
  return (await tx.all(CHANGED_AFTER, { change })).map(({ n }) => n)
}

/** A fingerprint of the documents, files and whiteboards listed within reach. It changes whenever the list changes. */
export async function listingState(tx: Transaction, reach: Reach): Promise<string> {
  const listed = statement<{ kind: number; n: number }>((dialect) => {
    const isListed = sql`place.location NOT IN (${quoted(['trash', ...SYSTEM_DOCUMENTS])}) AND ${documentWithinReach(dialect, reach)}`
    return sql`SELECT 0 AS kind, place.n FROM document AS place WHERE ${isListed}
      UNION SELECT 1, block_file.file FROM block_file
        ${dialect.thenJoin} block ON block.n = block_file.block ${dialect.thenJoin} document AS place ON place.n = block.document
        WHERE ${isListed}
      UNION SELECT 2, block.n FROM block ${dialect.thenJoin} document AS place ON place.n = block.document
        WHERE block.type = 'whiteboard' AND ${isListed}
      ORDER BY 1, 2`
  })
  return (await tx.all(listed)).map(({ kind, n }) => `${kind} ${n}`).join(',')
}

const WHITEBOARDS_IN = statement<{ id: number }>(
  (dialect) => sql`SELECT block.id FROM ${rowsOf(dialect, 'documents', 'integer')} AS one
    ${dialect.thenJoin} block ON block.document = one.value WHERE block.type = 'whiteboard' ORDER BY block.n`,
)

/** The IDs of the whiteboards in these documents. */
export async function whiteboardsIn(tx: Transaction, documents: readonly number[]): Promise<number[]> {
  return (await tx.all(WHITEBOARDS_IN, { documents: jsonList(documents) })).map(({ id }) => id)
}

export interface WhiteboardPlace {
  n: number
  id: number
  document: number
}

/** Whiteboards within reach and not in the trash, after the number `after`, oldest first. */
export function whiteboardsAfter(
  tx: Transaction,
  reach: Reach,
  after: number,
  limit: number,
): Promise<WhiteboardPlace[]> {
  const find = statement<WhiteboardPlace>(
    (dialect) => sql`SELECT block.n, block.id, block.document FROM block
      ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE block.type = 'whiteboard' AND block.n > ${integerValue(after)} AND place.location <> 'trash'
        AND ${documentWithinReach(dialect, reach)}
      ORDER BY block.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}
