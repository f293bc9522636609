/** Queries on files: their metadata, and the blocks that show them. */

import { eq } from 'drizzle-orm'
import { boundValue, documentWithinReach, queryAll, type Reach, rawSql, sql } from './item-filter-sql.ts'
import { type FileRow, file } from './schema.ts'
import { markListingChanged } from './sqlite/change-counter.ts'
import type { Transaction } from './sqlite/connection.ts'

export async function insertFile(tx: Transaction, row: Omit<FileRow, 'n'>): Promise<FileRow> {
  return tx.orm.insert(file).values(row).returning().get()
}

export async function fileById(tx: Transaction, id: string): Promise<FileRow | undefined> {
  return tx.orm.select().from(file).where(eq(file.id, id)).get()
}

/** A file with the number of the block that shows it. */
export interface BlockFileRow extends FileRow {
  block: number
}

const COLUMNS =
  'file.n, file.id, file.hash, file.size, file.mime_type AS mimeType, file.name, file.created_at AS createdAt'

/** The files that these blocks show. */
export async function filesOfBlocks(tx: Transaction, blocks: readonly number[]): Promise<BlockFileRow[]> {
  const find = tx.sql<BlockFileRow>(
    `SELECT ${COLUMNS}, block_file.block FROM json_each(?) AS one CROSS JOIN block_file ON block_file.block = one.value
     CROSS JOIN file ON file.n = block_file.file`,
  )
  return find.all(JSON.stringify(blocks))
}

/** The documents with blocks that show a file. */
export async function documentsReferencingFile(tx: Transaction, n: number): Promise<number[]> {
  const find = tx.sql<{ document: number }>(
    `SELECT DISTINCT block.document FROM block_file CROSS JOIN block ON block.n = block_file.block
     WHERE block_file.file = ?`,
  )
  return find.all(n).map(({ document }) => document)
}

const SET_BLOCK_FILE = `INSERT INTO block_file (block, file) VALUES (?, ?)
  ON CONFLICT (block) DO UPDATE SET file = excluded.file WHERE file <> excluded.file`

/** Sets the file that a block shows; without `n`, removes it. */
export async function setBlockFile(tx: Transaction, block: number, n: number | undefined): Promise<void> {
  const { changes } =
    n === undefined ? tx.sql('DELETE FROM block_file WHERE block = ?').run(block) : tx.sql(SET_BLOCK_FILE).run(block, n)
  if (changes > 0) await markListingChanged(tx)
}

/** Files shown by blocks within reach and not in the trash, after the number `after`, oldest first. */
export async function referencedFiles(tx: Transaction, reach: Reach, after: number, limit: number): Promise<FileRow[]> {
  return queryAll<FileRow>(
    tx,
    sql`SELECT ${rawSql(COLUMNS)} FROM file WHERE file.n > ${boundValue(after)} AND EXISTS (
      SELECT 1 FROM block_file CROSS JOIN block ON block.n = block_file.block
      CROSS JOIN document AS place ON place.n = block.document
      WHERE block_file.file = file.n AND place.location <> 'trash' AND ${documentWithinReach(reach)})
    ORDER BY file.n LIMIT ${boundValue(limit)}`,
  )
}

/** Deletes the rows of files that no block shows any more. */
export async function deleteUnreferencedFiles(tx: Transaction): Promise<void> {
  tx.sql('DELETE FROM file WHERE n NOT IN (SELECT file FROM block_file)').run()
}

/** The hashes of all files. */
export async function referencedHashes(tx: Transaction): Promise<Set<string>> {
  const hashes = tx.sql<{ hash: string }>('SELECT DISTINCT hash FROM file').all()
  return new Set(hashes.map(({ hash }) => hash))
}

/** An upload URL for one file. */
export interface UploadRow {
  link: string
  asked: string
  expiresAt: number
}

export async function insertUpload(tx: Transaction, hash: string, row: UploadRow, now: number): Promise<void> {
  tx.sql('DELETE FROM upload WHERE expires_at <= ?').run(now)
  tx.sql('INSERT INTO upload (secret_hash, link, asked, expires_at) VALUES (?, ?, ?, ?)').run(
    hash,
    row.link,
    row.asked,
    row.expiresAt,
  )
}

export async function uploadByHash(tx: Transaction, hash: string): Promise<UploadRow | undefined> {
  return tx.sql<UploadRow>('SELECT link, asked, expires_at AS expiresAt FROM upload WHERE secret_hash = ?').get(hash)
}

export async function deleteUpload(tx: Transaction, hash: string): Promise<void> {
  tx.sql('DELETE FROM upload WHERE secret_hash = ?').run(hash)
}
