/** Queries on imports: their sources, and where each part of a source was written. */
import { sql } from 'drizzle-orm'
import { type ImportedRow, imported, importSource } from './schema.ts'
import { insertInto, integer, jsonList, listOf, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const SOURCE = statement<{ n: number }>(() => sql`SELECT n FROM import_source WHERE name = ${param('name')}`)

/** The number of the source with this name; undefined if nothing was ever imported from it. */
export async function importSourceNumber(tx: Transaction, name: string): Promise<number | undefined> {
  return (await tx.get(SOURCE, { name }))?.n
}

const RENAME_SOURCE = statement(
  () => sql`UPDATE import_source SET name = ${param('name')} WHERE n = ${integer('source')}`,
)

/** Gives a source another name, which no other one may have. */
export async function renameImportSource(tx: Transaction, source: number, name: string): Promise<void> {
  await tx.run(RENAME_SOURCE, { source, name })
}

const SOURCES_OF_CONTENTS = statement<{ source: number; name: string; contents: number }>(
  (dialect) => sql`SELECT imported.source, import_source.name, count(DISTINCT imported.content) AS contents
    FROM imported INNER JOIN import_source ON import_source.n = imported.source
    WHERE imported.content IN ${listOf(dialect, 'contents', 'text')} AND imported.document IS NOT NULL
    GROUP BY imported.source, import_source.name ORDER BY imported.source`,
)

/** The sources from which files with these contents were imported, with the number of these contents in each. */
export function sourcesOfContents(
  tx: Transaction,
  contents: readonly string[],
): Promise<{ source: number; name: string; contents: number }[]> {
  return tx.all(SOURCES_OF_CONTENTS, { contents: jsonList(contents) })
}

const RENAME = statement(
  () => sql`UPDATE imported SET path = ${param('to')}, former = ${param('former')}
    WHERE source = ${integer('source')} AND path = ${param('from')} AND anchor = ''`,
)
const RENAME_ANCHORS = statement(
  () => sql`UPDATE imported SET path = ${param('to')}
    WHERE source = ${integer('source')} AND path = ${param('from')} AND anchor <> ''`,
)
const RENAME_ANCHOR = statement(
  () => sql`UPDATE imported SET anchor = ${param('to')}
    WHERE source = ${integer('source')} AND path = ${param('path')} AND anchor = ${param('from')}`,
)

/** Records that files of a source have other paths. @property former  their earlier paths, as JSON */
export async function renameImported(
  tx: Transaction,
  rows: readonly { source: number; from: string; to: string; former: string }[],
): Promise<void> {
  await tx.batch(RENAME, rows)
  await tx.batch(
    RENAME_ANCHORS,
    rows.map(({ source, from, to }) => ({ source, from, to })),
  )
}

/** Records that the blocks of a document are linked to by other names. */
export async function renameImportedAnchors(
  tx: Transaction,
  rows: readonly { source: number; path: string; from: string; to: string }[],
): Promise<void> {
  await tx.batch(RENAME_ANCHOR, rows)
}

const INSERT_SOURCE = insertInto(importSource, ['name', 'createdAt'], () => sql`RETURNING n`)

/** @param now  milliseconds since 1970 @returns its number */
export async function insertImportSource(tx: Transaction, name: string, now: number): Promise<number> {
  const row = await tx.get(INSERT_SOURCE, { name, createdAt: now })
  return (row as { n: number }).n
}

const ROWS = statement<ImportedRow>(
  () => sql`${selectFrom(imported)} WHERE source = ${integer('source')} AND n > ${integer('after')}
    ORDER BY n LIMIT ${integer('limit')}`,
)

/** The recorded parts of a source, in batches: at most `limit` rows after the number `after`. */
export function importedRows(tx: Transaction, source: number, after: number, limit: number): Promise<ImportedRow[]> {
  return tx.all(ROWS, { source, after, limit })
}

const INSERT = insertInto(imported, ['source', 'path', 'anchor', 'id'])

/** Reserves IDs for content that is not written yet. */
export async function insertImported(
  tx: Transaction,
  rows: readonly Pick<ImportedRow, 'source' | 'path' | 'anchor' | 'id'>[],
): Promise<void> {
  await tx.batch(INSERT, rows)
}

const SET = statement(
  () => sql`UPDATE imported SET document = ${param('document')}, hash = ${param('hash')}, revision = ${param('revision')},
      content = ${param('content')}, sketch = ${param('sketch')}
    WHERE source = ${integer('source')} AND path = ${param('path')} AND anchor = ''`,
)
const SET_ANCHORS = statement(
  () => sql`UPDATE imported SET document = ${param('document')}
    WHERE source = ${integer('source')} AND path = ${param('path')} AND anchor <> '' AND document IS NULL`,
)

/** Records that a document or item was written, with the hash of its source and its revision. */
export async function setImported(
  tx: Transaction,
  row: Pick<ImportedRow, 'source' | 'path' | 'document' | 'hash' | 'revision' | 'content' | 'sketch'>,
): Promise<void> {
  await tx.run(SET, row)
  await tx.run(SET_ANCHORS, row)
}

const SET_HASH = statement(
  () => sql`UPDATE imported SET hash = ${param('hash')}
    WHERE source = ${integer('source')} AND path = ${param('path')} AND anchor = ''`,
)

/** Updates the hash of the source of a document that was already written. */
export async function setImportedHash(
  tx: Transaction,
  row: { source: number; path: string; hash: string },
): Promise<void> {
  await tx.run(SET_HASH, row)
}

const MOVE_REVISION = statement(
  () => sql`UPDATE imported SET revision = ${integer('after')}
    WHERE document = ${integer('document')} AND revision = ${integer('before')}`,
)

/**
 * Updates the stored revision after the import itself changed a document that no one else had changed since it was
 * written.
 */
export async function moveImportedRevision(
  tx: Transaction,
  row: { document: number; before: number; after: number },
): Promise<void> {
  await tx.run(MOVE_REVISION, row)
}

/** A block that links name by an anchor of their own. */
export type ImportedAnchor = Pick<ImportedRow, 'n' | 'anchor' | 'id'> & { document: number }

const ANCHORS = statement<ImportedAnchor>(
  () => sql`SELECT n, anchor, id, document FROM imported
    WHERE n > ${integer('after')} AND anchor LIKE '%^%' AND document IS NOT NULL ORDER BY n LIMIT ${integer('limit')}`,
)

/** The anchors that begin with `^`, in batches: at most `limit` rows after the number `after`. */
export function importedAnchors(tx: Transaction, after: number, limit: number): Promise<ImportedAnchor[]> {
  return tx.all(ANCHORS, { after, limit })
}
