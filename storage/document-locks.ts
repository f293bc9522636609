/** Queries on documents that people have locked against changes by agents. */
import { sql } from 'drizzle-orm'
import { documentLock } from './schema.ts'
import { insertInto, integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A locked document: its number, and the name of the person who locked it. */
export interface LockedDocument {
  document: number
  lockedBy: string
}

const OF_DOCUMENTS = statement<LockedDocument>(
  (dialect) => sql`SELECT document, locked_by AS "lockedBy" FROM document_lock
    WHERE document IN ${listOf(dialect, 'documents', 'integer')}`,
)
const ALL = statement<LockedDocument>(
  () => sql`SELECT document, locked_by AS "lockedBy" FROM document_lock ORDER BY document`,
)
const INSERT = insertInto(documentLock, undefined, () => sql`ON CONFLICT DO NOTHING`)
const DELETE = statement<{ document: number }>(
  () => sql`DELETE FROM document_lock WHERE document = ${integer('document')} RETURNING document`,
)

/** Those of these documents that are locked: who locked them, by number. */
export async function lockersOf(tx: Transaction, documents: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.all(OF_DOCUMENTS, { documents: jsonList(documents) })
  return new Map(rows.map(({ document, lockedBy }) => [document, lockedBy]))
}

export function lockedDocuments(tx: Transaction): Promise<LockedDocument[]> {
  return tx.all(ALL, {})
}

/** Locks a document. One that is locked stays locked by whom it was. @param lockedAt  milliseconds since 1970 */
export async function insertDocumentLock(tx: Transaction, lock: LockedDocument & { lockedAt: number }): Promise<void> {
  await tx.run(INSERT, lock)
}

/** Returns false if the document was not locked. */
export async function deleteDocumentLock(tx: Transaction, document: number): Promise<boolean> {
  return (await tx.all(DELETE, { document })).length > 0
}
