/** Which blocks show which files. */
import {
  documentsReferencingFile,
  fileById,
  filesOfBlocks,
  firstAttributesOfFile,
  setBlockFiles,
} from '../../../storage/files.ts'
import type { BlockRow, FileRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { FILE_FACTS } from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { Space } from '../model/space.ts'
import { createFileToken, fileIdFromStoredAddress, fileIdFromUrl, storedFileAddress } from './file-addresses.ts'

const MEDIA_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'file'])

/** The address of a file as this connection is shown it. */
export function visibleFileAddress(space: Space, { id, name }: Pick<FileRow, 'id' | 'name'>): string {
  const { info, link } = space
  if (link.files === undefined || link.id === undefined) return storedFileAddress(space.spellId(id))
  return `${link.files.origin}/files/${createFileToken(info, { id: String(id), link: link.id })}/${encodeURIComponent(name)}`
}

/** The addresses of the files that these blocks show; none for other blocks. */
export async function visibleFileAddresses(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow) => string | undefined> {
  const media = rows.filter(({ type }) => MEDIA_TYPES.has(type)).map(({ n }) => n)
  if (media.length === 0) return () => undefined
  const files = new Map((await filesOfBlocks(space.tx, media)).map((file) => [file.block, file]))
  return ({ n }) => {
    const file = files.get(n)
    return file && visibleFileAddress(space, file)
  }
}

/** Whether a block is of a type that shows a file. */
export const canReferenceFile = ({ type }: Pick<BlockRow, 'type'>): boolean => MEDIA_TYPES.has(type)

/** A block's fields with the address of a file as blocks keep it, to compare them with others. */
export function withStoredAddress<Fields extends BlockFields>({ info }: Space, fields: Fields): Fields {
  const id = fields.url === undefined || !canReferenceFile(fields) ? undefined : fileIdFromUrl(info, fields.url)
  return id === undefined ? fields : { ...fields, url: storedFileAddress(id) }
}

/**
 * The same to store them, with what is known of the file. The address of a file out of reach stays as it was written, and
 * shows nothing.
 */
export async function withReachableFile<Fields extends BlockFields>(space: Space, fields: Fields): Promise<Fields> {
  if (!canReferenceFile(fields)) return fields
  const file = await findReferencedFile(space, withStoredAddress(space, fields))
  if (file === undefined) return fields
  const facts = { uploaded: true, mimeType: file.mimeType, fileSize: file.size }
  const aspectRatio = fields.aspectRatio ?? (fields.type === 'image' ? await aspectRatioOf(space, file) : undefined)
  return { ...fields, url: storedFileAddress(file.id), ...facts, ...(aspectRatio !== undefined && { aspectRatio }) }
}

/** Fields without what they say of a file: that of another address. */
export function withoutFileFacts<Fields extends BlockFields>(fields: Fields): Fields {
  const result = { ...fields }
  for (const key of FILE_FACTS) delete result[key]
  return result
}

async function aspectRatioOf({ tx }: Space, { n }: FileRow): Promise<number | undefined> {
  const attributes = await firstAttributesOfFile(tx, n)
  return attributes === undefined ? undefined : (JSON.parse(attributes) as BlockFields).aspectRatio
}

/**
 * Note which file a block shows, once it is stored: one that the connection may read, or none.
 *
 * @throws FORBIDDEN for a block that showed another file, where the link may not delete: a file that no block shows is
 *   forgotten, with its bytes
 */
export async function updateFileReference(space: Space, row: BlockRow): Promise<void> {
  if (!canReferenceFile(row)) return
  const file = await findReferencedFile(space, fieldsFromRow(row))
  if (!canDelete(space.link)) await assertFileKept(space, row, file)
  await setBlockFiles(space.tx, [{ block: row.n, file: file?.n }])
}

/** Whether other blocks show the file does not count: this connection might not see them. */
async function assertFileKept(space: Space, { n, id }: BlockRow, file: FileRow | undefined): Promise<void> {
  const lost = (await filesOfBlocks(space.tx, [n])).filter((shown) => shown.n !== file?.n)
  assertDeletionAllowed(space.link, lost.length, {
    expected: 'a block that keeps its file',
    found: `another url on ${id}`,
    instead: 'leave url as it is and add the other file with files_add',
  })
}

async function findReferencedFile(space: Space, { url = '' }: BlockFields): Promise<FileRow | undefined> {
  const id = fileIdFromStoredAddress(url)
  return id === undefined ? undefined : findReachableFile(space, (await space.readId(id)).number)
}

/** The file of an ID, if a block within reach references it or this call added it. */
export async function findReachableFile(space: Space, id: number): Promise<FileRow | undefined> {
  const file = await fileById(space.tx, id)
  if (file === undefined || space.addedFileIds.has(id)) return file
  const documents = await documentsReferencingFile(space.tx, file.n)
  return (await space.reachableDocuments(documents)).size > 0 ? file : undefined
}
