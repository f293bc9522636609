/** Queries on the history of blocks across documents: when each last changed, where it was, and at which revision. */
import { sql } from 'drizzle-orm'
import { type Dialect, integer, jsonList, listOf, quoted, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/**
 * True for an entry that keeps where a block was, and not its content. Only those have this key: a quotation mark in
 * the text of a block is written with a backslash.
 */
const isOfPlace = (dialect: Dialect) => dialect.contains(sql`before`, quoted(['"previousPosition":']))
/** True for an entry after which the block was in another document, or gone. */
const leavesDocument = (dialect: Dialect) =>
  sql`(${isOfPlace(dialect)} AND ${dialect.jsonField(sql`before`, 'document')} IS NOT NULL)`

/** The calls that last changed a block. Null if history has none. */
export interface LastChange {
  row: number
  /** Changed its content, deleted it or brought it back. */
  content: number | null
  /** Took it out of a document. */
  moved: number | null
}

const LAST_CHANGES = statement<LastChange>(
  (dialect) => sql`SELECT row, max(CASE WHEN kind = 'update' AND before IS NOT NULL AND ${isOfPlace(dialect)}
      THEN NULL ELSE call END) AS content, max(CASE WHEN ${leavesDocument(dialect)} THEN call END) AS moved
    FROM change WHERE tbl = 'block' AND last IS NULL AND row IN ${listOf(dialect, 'rows', 'integer')}
    GROUP BY row ORDER BY row`,
)

/** The last changes of those of these blocks that changed since they were added. */
export function lastChangesOfBlocks(tx: Transaction, rows: readonly number[]): Promise<LastChange[]> {
  return tx.all(LAST_CHANGES, { rows: jsonList(rows) })
}

/** A call that took a block out of a document. */
export interface BlockRemoval {
  row: number
  call: number
  document: number
}

const REMOVALS = statement<BlockRemoval>(
  (dialect) => sql`SELECT row, call, document FROM change WHERE tbl = 'block' AND last IS NULL
    AND row IN ${listOf(dialect, 'rows', 'integer')} AND ${leavesDocument(dialect)} ORDER BY n`,
)

/** How these blocks left documents, oldest first. */
export function removalsOfBlocks(tx: Transaction, rows: readonly number[]): Promise<BlockRemoval[]> {
  return tx.all(REMOVALS, { rows: jsonList(rows) })
}

const ADDITIONS = statement<{ row: number; call: number }>(
  (dialect) => sql`SELECT added.row, change.call FROM (SELECT listed.value AS row, (
      SELECT max(row) FROM change WHERE tbl = 'block' AND last IS NOT NULL AND row <= listed.value) AS first
    FROM ${rowsOf(dialect, 'rows', 'integer')} AS listed) AS added
    ${dialect.thenJoin} change ON change.tbl = 'block' AND change.last IS NOT NULL AND change.row = added.first
    WHERE change.last >= added.row ORDER BY added.row`,
)

/** The calls that added these blocks, as far as they are stored. */
export function additionsOfBlocks(tx: Transaction, rows: readonly number[]): Promise<{ row: number; call: number }[]> {
  return tx.all(ADDITIONS, { rows: jsonList(rows) })
}

/** A call that changed the revision of a document. */
export interface RevisionCall {
  document: number
  call: number
  /** How many calls have changed the revision since. */
  later: number
}

// A call that sets a reminder is marked although it may have left the revision as it was. Such calls are not counted, so
// that the call found may be earlier than the one looked for, but never later.
const REVISION_CALLS = statement<RevisionCall>(
  (dialect) => sql`SELECT document, call, later FROM (
      SELECT document, call, row_number() OVER (PARTITION BY document ORDER BY call DESC) - 1 AS later
      FROM call_document WHERE document IN ${listOf(dialect, 'documents', 'integer')} AND is_marked = 1
        AND call NOT IN (SELECT call FROM change WHERE tbl = 'reminder' AND last IS NOT NULL)) AS numbered
    WHERE later <= ${integer('most')} AND later IN ${listOf(dialect, 'laters', 'integer')} ORDER BY document, later`,
)

/**
 * The calls that changed the revisions of these documents, those with these numbers of later ones. Calls that are no
 * longer stored are missing.
 */
export function revisionCalls(
  tx: Transaction,
  documents: readonly number[],
  laters: readonly number[],
): Promise<RevisionCall[]> {
  return tx.all(REVISION_CALLS, {
    ...{ documents: jsonList(documents), laters: jsonList(laters) },
    most: laters.reduce((most, one) => Math.max(most, one), 0),
  })
}
