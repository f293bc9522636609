/** Queries on files: their metadata, and the blocks that show them. */

import { sql } from 'drizzle-orm'
import { markListingChanged } from './changes.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { blockFile, type FileRow, file } from './schema.ts'
import {
  columnsOf,
  deleteWhere,
  insertInto,
  integer,
  integerValue,
  jsonList,
  listOf,
  param,
  rowsOf,
  selectFrom,
  statement,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

const INSERT = insertInto(
  file,
  ['id', 'hash', 'size', 'mimeType', 'name', 'createdAt'],
  () => sql`RETURNING ${columnsOf(file)}`,
)

export async function insertFile(tx: Transaction, row: Omit<FileRow, 'n'>): Promise<FileRow> {
  return (await tx.get(INSERT, row)) as FileRow
}

const BY_ID = statement<FileRow>(() => sql`${selectFrom(file)} WHERE id = ${integer('id')}`)

export function fileById(tx: Transaction, id: number): Promise<FileRow | undefined> {
  return tx.get(BY_ID, { id })
}

const BY_HASH = statement<FileRow>(
  () => sql`${selectFrom(file)} WHERE hash = ${param('hash')} AND name = ${param('name')} ORDER BY n LIMIT 1`,
)

/** The first file with these bytes and this name. @param hash  SHA-256 in hex */
export function fileByHash(tx: Transaction, hash: string, name: string): Promise<FileRow | undefined> {
  return tx.get(BY_HASH, { hash, name })
}

const BY_NUMBERS = statement<FileRow>(
  (dialect) => sql`${selectFrom(file)} WHERE n IN ${listOf(dialect, 'numbers', 'integer')} ORDER BY n`,
)

export function filesByNumbers(tx: Transaction, numbers: readonly number[]): Promise<FileRow[]> {
  return tx.all(BY_NUMBERS, { numbers: jsonList(numbers) })
}

/** A file with the number of the block that shows it. */
export interface BlockFileRow extends FileRow {
  block: number
}

const OF_BLOCKS = statement<BlockFileRow>(
  (dialect) => sql`SELECT ${columnsOf(file)}, block_file.block FROM ${rowsOf(dialect, 'blocks', 'integer')} AS one
    ${dialect.thenJoin} block_file ON block_file.block = one.value ${dialect.thenJoin} file ON file.n = block_file.file
    ORDER BY one.id`,
)

/** The files that these blocks show, in their order. */
export function filesOfBlocks(tx: Transaction, blocks: readonly number[]): Promise<BlockFileRow[]> {
  return tx.all(OF_BLOCKS, { blocks: jsonList(blocks) })
}

const DOCUMENTS_WITH_FILE = statement<{ document: number }>(
  (dialect) => sql`SELECT DISTINCT block.document FROM block_file
    ${dialect.thenJoin} block ON block.n = block_file.block WHERE block_file.file = ${integer('n')} ORDER BY 1`,
)

/** The documents with blocks that show a file. */
export async function documentsReferencingFile(tx: Transaction, n: number): Promise<number[]> {
  return (await tx.all(DOCUMENTS_WITH_FILE, { n })).map(({ document }) => document)
}

const FIRST_SHOWING = statement<{ attributes: string | null }>(
  (dialect) => sql`SELECT block.attributes FROM block_file
    ${dialect.thenJoin} block ON block.n = block_file.block WHERE block_file.file = ${integer('n')} ORDER BY block.n LIMIT 1`,
)

/**
 * The attributes of the first block that shows a file. They contain what the server detected in the file when it was
 * added.
 */
export async function firstAttributesOfFile(tx: Transaction, n: number): Promise<string | undefined> {
  return (await tx.get(FIRST_SHOWING, { n }))?.attributes ?? undefined
}

const UNSET_BLOCK_FILE = deleteWhere(blockFile, ['block'])
const SET_BLOCK_FILE = insertInto(
  blockFile,
  undefined,
  (dialect) =>
    sql`${dialect.onConflict('block')} DO UPDATE SET file = excluded.file WHERE block_file.file <> excluded.file`,
)

/** Sets the file that each of these blocks shows; `file` is undefined to remove it. */
export async function setBlockFiles(
  tx: Transaction,
  blocks: readonly { block: number; file: number | undefined }[],
): Promise<void> {
  const unset = blocks.filter(({ file }) => file === undefined)
  const set = blocks.filter(({ file }) => file !== undefined)
  const changes =
    (unset.length > 0 ? await tx.batch(UNSET_BLOCK_FILE, unset) : 0) +
    (set.length > 0 ? await tx.batch(SET_BLOCK_FILE, set) : 0)
  if (changes > 0) await markListingChanged(tx)
}

/** Files shown by blocks within reach and not in the trash, after the number `after`, oldest first. */
export function referencedFiles(tx: Transaction, reach: Reach, after: number, limit: number): Promise<FileRow[]> {
  const find = statement<FileRow>(
    (dialect) => sql`SELECT ${columnsOf(file)} FROM file WHERE file.n > ${integerValue(after)} AND EXISTS (
      SELECT 1 FROM block_file ${dialect.thenJoin} block ON block.n = block_file.block
      ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE block_file.file = file.n AND place.location <> 'trash' AND ${documentWithinReach(dialect, reach)})
    ORDER BY file.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

/** A file that a block shows. */
export interface ShownFile {
  /** The numbers of the block and of its document. */
  block: number
  document: number
  id: number
  name: string
}

const SHOWN = statement<ShownFile>(
  (dialect) => sql`SELECT block_file.block, block.document, file.id, file.name FROM block_file
    ${dialect.thenJoin} file ON file.n = block_file.file ${dialect.thenJoin} block ON block.n = block_file.block
    WHERE block_file.block > ${integer('after')} ORDER BY block_file.block LIMIT ${integer('limit')}`,
)

/** The files that blocks show, in batches: at most `limit` after the block `after`. */
export const shownFiles = (tx: Transaction, after: number, limit: number): Promise<ShownFile[]> =>
  tx.all(SHOWN, { after, limit })

const DELETE_UNREFERENCED = statement(
  (dialect) => sql`DELETE FROM file WHERE n NOT IN (SELECT file FROM block_file)
    AND n NOT IN (SELECT CAST(${dialect.jsonField(sql`before`, 'file')} AS bigint) FROM change
      WHERE tbl = 'block_file' AND before IS NOT NULL)`,
)

/** Deletes the rows of files that no block shows any more, and that undo could not bring back. */
export async function deleteUnreferencedFiles(tx: Transaction): Promise<void> {
  await tx.run(DELETE_UNREFERENCED)
}

/** One row per hash, so one row for each distinct content. */
const BYTES_OF_FILES = statement<Pick<FileRow, 'hash' | 'name' | 'size'>>(
  () => sql`SELECT hash, min(name) AS name, min(size) AS size FROM file GROUP BY hash ORDER BY min(n)`,
)

/** The distinct contents of all files of the space, each with the name of one file that has it, oldest first. */
export const bytesOfFiles = (tx: Transaction): Promise<Pick<FileRow, 'hash' | 'name' | 'size'>[]> =>
  tx.all(BYTES_OF_FILES)

const HASHES = statement<{ hash: string }>(() => sql`SELECT hash FROM file UNION SELECT hash FROM proposal_file`)

/** The hashes of all files, and of those that proposals would add. */
export async function referencedHashes(tx: Transaction): Promise<Set<string>> {
  return new Set((await tx.all(HASHES)).map(({ hash }) => hash))
}

/** An upload URL that was issued for one file. */
export interface UploadRow {
  link: string
  asked: string
  expiresAt: number
}

const DELETE_EXPIRED_UPLOADS = statement(() => sql`DELETE FROM upload WHERE expires_at <= ${integer('now')}`)
const INSERT_UPLOAD = statement(
  () => sql`INSERT INTO upload (secret_hash, link, asked, expires_at)
    VALUES (${param('hash')}, ${param('link')}, ${param('asked')}, ${param('expiresAt')})`,
)

export async function insertUpload(tx: Transaction, hash: string, row: UploadRow, now: number): Promise<void> {
  await tx.run(DELETE_EXPIRED_UPLOADS, { now })
  await tx.run(INSERT_UPLOAD, { ...row, hash })
}

const UPLOAD = statement<UploadRow>(
  () => sql`SELECT link, asked, expires_at AS "expiresAt" FROM upload WHERE secret_hash = ${param('hash')}`,
)

export function uploadByHash(tx: Transaction, hash: string): Promise<UploadRow | undefined> {
  return tx.get(UPLOAD, { hash })
}

const DELETE_UPLOAD = statement(() => sql`DELETE FROM upload WHERE secret_hash = ${param('hash')}`)

export async function deleteUpload(tx: Transaction, hash: string): Promise<void> {
  await tx.run(DELETE_UPLOAD, { hash })
}
