/** Tracks which blocks show which files. */

import {
  documentsReferencingFile,
  fileById,
  filesOfBlocks,
  firstAttributesOfFile,
  setBlockFiles,
} from '../../../storage/files.ts'
import type { BlockRow, FileRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { coverAddress, withCoverAddress } from '../../markdown/page-cover.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import { createFileToken, fileIdFromStoredAddress, fileIdFromUrl, storedFileAddress } from './file-addresses.ts'

/** Returns the address of a file for this connection. */
export function visibleFileAddress(space: Space, { id, name }: Pick<FileRow, 'id' | 'name'>): string {
  const { info, link } = space
  if (link.files === undefined || link.id === undefined) return storedFileAddress(space.spellId(id))
  return `${link.files.origin}/files/${createFileToken(info, { id: String(id), link: link.id })}/${encodeURIComponent(name)}`
}

/** Returns the addresses of the files that these blocks show, and undefined for blocks without a file. */
export async function visibleFileAddresses(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow) => string | undefined> {
  const media = rows.filter(mayShowFile).map(({ n }) => n)
  if (media.length === 0) return () => undefined
  const files = new Map((await filesOfBlocks(space.tx, media)).map((file) => [file.block, file]))
  return ({ n }) => {
    const file = files.get(n)
    return file && visibleFileAddress(space, file)
  }
}

/** True if blocks of this type can show a file. */
export const canReferenceFile = ({ type }: Pick<BlockRow, 'type'>): boolean => traitsOf(type).url !== 'link'

/** The same, and for pages with a cover. */
const mayShowFile = (row: BlockRow): boolean =>
  canReferenceFile(row) || (row.type === 'page' && row.attributes?.includes('"coverImage":') === true)

/** The address of what a block shows: its own, or that of the cover of a page. */
export const shownAddress = (fields: BlockFields): string | undefined =>
  canReferenceFile(fields) ? fields.url : coverAddress(fields)

/** Returns the fields with the address of a file in its stored form, so that they can be compared. */
export function withStoredAddress<Fields extends BlockFields>({ info }: Space, fields: Fields): Fields {
  const cover = coverAddress(fields)
  const coverId = cover === undefined ? undefined : fileIdFromUrl(info, cover)
  if (coverId !== undefined) return withCoverAddress(fields, storedFileAddress(coverId))
  const id = fields.url === undefined || !canReferenceFile(fields) ? undefined : fileIdFromUrl(info, fields.url)
  return id === undefined ? fields : { ...fields, url: storedFileAddress(id) }
}

/** True if a new block shows a file, so that it must be recorded. */
export const showsFile = (row: BlockRow): boolean =>
  canReferenceFile(row) || coverAddress(fieldsFromRow(row)) !== undefined

/**
 * Prepares fields for storage: the address in its stored form, and facts about the file. If the file is out of reach,
 * the address is stored as it was written, and the block shows no file.
 */
export async function withReachableFile<Fields extends BlockFields>(space: Space, fields: Fields): Promise<Fields> {
  if (!canReferenceFile(fields)) return withStoredAddress(space, fields)
  const file = await findReferencedFile(space, withStoredAddress(space, fields))
  if (file === undefined) return fields
  const facts = { uploaded: true, mimeType: file.mimeType, fileSize: file.size }
  const aspectRatio = fields.aspectRatio ?? (fields.type === 'image' ? await aspectRatioOf(space, file) : undefined)
  return { ...fields, url: storedFileAddress(file.id), ...facts, ...(aspectRatio !== undefined && { aspectRatio }) }
}

async function aspectRatioOf({ tx }: Space, { n }: FileRow): Promise<number | undefined> {
  const attributes = await firstAttributesOfFile(tx, n)
  return attributes === undefined ? undefined : (JSON.parse(attributes) as BlockFields).aspectRatio
}

/**
 * Records which file a stored block shows: one that the connection may read, or none.
 *
 * @throws FORBIDDEN if the block showed another file and the link may not delete. A file that no block shows is deleted
 *   with its bytes.
 */
export async function updateFileReference(space: Space, row: BlockRow): Promise<void> {
  if (!canReferenceFile(row) && row.type !== 'page') return
  const file = await findReferencedFile(space, fieldsFromRow(row))
  if (!canDelete(space.link)) await assertFileKept(space, row, file)
  await setBlockFiles(space.tx, [{ block: row.n, file: file?.n }])
}

/** Throws even if other blocks show the file too: this connection may not be able to see them. */
async function assertFileKept(space: Space, { n, id }: BlockRow, file: FileRow | undefined): Promise<void> {
  const lost = (await filesOfBlocks(space.tx, [n])).filter((shown) => shown.n !== file?.n)
  assertDeletionAllowed(space.link, lost.length, {
    expected: 'a block that keeps its file',
    found: `another url on ${id}`,
    instead: 'leave url as it is and add the other file with files_add',
  })
}

async function findReferencedFile(space: Space, fields: BlockFields): Promise<FileRow | undefined> {
  const id = fileIdFromStoredAddress(shownAddress(fields) ?? '')
  return id === undefined ? undefined : findReachableFile(space, (await space.readId(id)).number)
}

/** Returns the file with this ID if a block within reach references it, or if this call added it. */
export async function findReachableFile(space: Space, id: number): Promise<FileRow | undefined> {
  const file = await fileById(space.tx, id)
  if (file === undefined || space.addedFileIds.has(id)) return file
  const documents = await documentsReferencingFile(space.tx, file.n)
  return (await space.reachableDocuments(documents)).size > 0 ? file : undefined
}
