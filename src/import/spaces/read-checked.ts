/** Reads the bytes of a file that is imported, unless they are of a space. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileOfSpace } from '../../../storage/bytes/local-files.ts'
import { HEADER_SIZE, isHeaderOfSpace } from '../../../storage/bytes/space-files.ts'
import { NESTED_ZIPS } from '../../base/limits.ts'
import type { ImportFile } from '../../space/import/imported-content.ts'
import { isPartOfSpaceExport } from '../json/space-export.ts'
import { ArchiveNotSearched, type SearchLimit, searchLimit, zipHas } from './search-zip.ts'

/** The bytes of a file are of a space. The message is a sentence for the report. */
export class BelongsToSpace extends Error {}

export const OF_SPACE = 'It is a space, or belongs to one, and is no document.'
const HOLDS_SPACE = 'It is an archive that contains a space.'

/** A file whose bytes are checked. */
type CheckedFile = Pick<ImportFile, 'path' | 'open'>

/** Enough for the header of a database, the metadata of an export, and a row with a secret. */
const HEAD_BYTES = 16 * 1024

/**
 * Reads a file. Archives are written to a temporary file first, and searched.
 *
 * @throws BelongsToSpace before the first byte, if they are of a space or an archive that contains one, and for archives
 * that are too large to be searched
 */
export async function* readChecked(file: CheckedFile, limit = searchLimit()): AsyncGenerator<Uint8Array> {
  const parts = partsOf(file)
  try {
    const head = await takeHead(parts)
    assertNotOfSpace(file, head)
    if (isZip(head)) yield* searched(head, parts, limit)
    else {
      if (head.length > 0) yield head
      yield* parts
    }
  } finally {
    await parts.return(undefined)
  }
}

/**
 * Looks at the beginning of a file.
 *
 * @returns false also for a file that cannot be read, which is reported when it is needed
 */
export async function isOfSpace(file: CheckedFile): Promise<boolean> {
  const parts = partsOf(file)
  try {
    assertNotOfSpace(file, await takeHead(parts))
    return false
  } catch (error) {
    return error instanceof BelongsToSpace
  } finally {
    await parts.return(undefined)
  }
}

function assertNotOfSpace({ path }: CheckedFile, head: Buffer): void {
  if (isHeaderOfSpace(head) || isPartOfSpaceExport(path, head)) throw new BelongsToSpace(OF_SPACE)
}

/** The bytes of an archive, once it has been searched. */
async function* searched(
  head: Buffer,
  parts: AsyncIterable<Uint8Array>,
  limit: SearchLimit,
): AsyncGenerator<Uint8Array> {
  if (limit.depth > NESTED_ZIPS) throw new ArchiveNotSearched()
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-searched-'))
  try {
    const zip = join(folder, 'archive.zip')
    await writeFile(zip, counted(head, parts, limit), { flag: 'wx', mode: 0o600 })
    if (await zipHas(zip, holdsSpace, limit)) throw new BelongsToSpace(HOLDS_SPACE)
    yield* createReadStream(zip)
  } catch (error) {
    throw error instanceof ArchiveNotSearched && limit.depth === 0 ? new BelongsToSpace(error.message) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** True for an entry of an archive that is of a space, or an archive that contains one. */
async function holdsSpace(entry: CheckedFile, limit: SearchLimit): Promise<boolean> {
  try {
    for await (const _ of readChecked(entry, limit)) break
    return false
  } catch (error) {
    if (error instanceof ArchiveNotSearched) throw error
    return error instanceof BelongsToSpace
  }
}

async function* partsOf({ open }: CheckedFile): AsyncGenerator<Uint8Array> {
  try {
    yield* open()
  } catch (error) {
    throw error instanceof FileOfSpace ? new BelongsToSpace(OF_SPACE) : error
  }
}

async function takeHead(parts: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  const taken: Uint8Array[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await parts.next()
    if (done === true) break
    taken.push(value)
    size += value.byteLength
  }
  return Buffer.concat(taken)
}

const isZip = (head: Buffer): boolean => head.length >= HEADER_SIZE && head.toString('latin1', 0, 2) === 'PK'

/** The bytes of an archive. Those of an archive in another one count against the limit. */
async function* counted(
  head: Buffer,
  parts: AsyncIterable<Uint8Array>,
  limit: SearchLimit,
): AsyncGenerator<Uint8Array> {
  const count = (bytes: number) => {
    if (limit.depth > 0) limit.left.bytes -= bytes
    if (limit.left.bytes < 0) throw new ArchiveNotSearched()
  }
  count(head.length)
  yield head
  for await (const part of parts) {
    count(part.byteLength)
    yield part
  }
}
