/** Queries on the texts that documents were imported from. */
import { sql } from 'drizzle-orm'
import { type SourceTextRow, sourceText } from './schema.ts'
import { insertInto, integer, listOf, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const DELETE = statement(() => sql`DELETE FROM source_text WHERE document = ${integer('document')}`)
const INSERT = insertInto(sourceText)

/** Replaces the text of a document. */
export async function setSourceText(tx: Transaction, row: SourceTextRow): Promise<void> {
  await tx.run(DELETE, row)
  await tx.run(INSERT, row)
}

export async function deleteSourceText(tx: Transaction, document: number): Promise<void> {
  await tx.run(DELETE, { document })
}

/** A text without its words. */
export type SourceTextPlace = Pick<SourceTextRow, 'document' | 'path' | 'title' | 'files' | 'revision'>

const PLACES = statement<SourceTextPlace>(
  () => sql`SELECT document, path, title, files, revision FROM source_text
    WHERE document > ${integer('after')} ORDER BY document LIMIT ${integer('limit')}`,
)

/** Where the texts of all documents were, in batches: at most `limit` rows after the document `after`. */
export const sourceTextPlaces = (tx: Transaction, after: number, limit: number): Promise<SourceTextPlace[]> =>
  tx.all(PLACES, { after, limit })

const OF_DOCUMENT = statement<SourceTextRow>(
  () => sql`${selectFrom(sourceText)} WHERE document = ${integer('document')}`,
)

export const sourceTextOf = (tx: Transaction, document: number): Promise<SourceTextRow | undefined> =>
  tx.get(OF_DOCUMENT, { document })

const MOVE_REVISION = statement(
  () => sql`UPDATE source_text SET revision = ${integer('after')}
    WHERE document = ${integer('document')} AND revision = ${integer('before')}`,
)

/** Like `moveImportedRevision`, for the text of the document. */
export async function moveSourceTextRevision(
  tx: Transaction,
  row: { document: number; before: number; after: number },
): Promise<void> {
  await tx.run(MOVE_REVISION, row)
}

/** A document that changed since may no longer have all words of its text. */
const HAS_CHANGED = sql.raw('revision <> (SELECT revision FROM document WHERE n = source_text.document)')
const FORGET_OF_CALLS = statement(
  () => sql`DELETE FROM source_text WHERE ${HAS_CHANGED}
    AND document IN (SELECT document FROM call_document WHERE call <= ${integer('last')})`,
)
const FORGET_OF_LISTED_CALLS = statement(
  (dialect) => sql`DELETE FROM source_text WHERE ${HAS_CHANGED}
    AND document IN (SELECT document FROM call_document WHERE call IN ${listOf(dialect, 'calls', 'integer')})`,
)
const FORGET_OF_DOCUMENTS = statement(
  (dialect) => sql`DELETE FROM source_text WHERE ${HAS_CHANGED}
    AND document IN ${listOf(dialect, 'documents', 'integer')}`,
)

/**
 * Deletes the texts of documents that changed since they were imported, as far as these calls changed them. To be called
 * before the history of the calls is forgotten.
 *
 * @param last  the last call that is forgotten, with all before it
 */
export const forgetSourceTextsOfCalls = (tx: Transaction, last: number): Promise<unknown> =>
  tx.run(FORGET_OF_CALLS, { last })

/** The same for some calls. @param calls  a JSON list of their numbers */
export const forgetSourceTextsOfListedCalls = (tx: Transaction, calls: string): Promise<unknown> =>
  tx.run(FORGET_OF_LISTED_CALLS, { calls })

/** The same for all calls that changed these documents. @param documents  a JSON list of their numbers */
export const forgetSourceTextsOfDocuments = (tx: Transaction, documents: string): Promise<unknown> =>
  tx.run(FORGET_OF_DOCUMENTS, { documents })
