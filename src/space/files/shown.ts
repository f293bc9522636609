/** Which blocks show which files. */
import { documentsWithFile, fileById, filesOfBlocks, setBlockFile } from '../../../storage/files.ts'
import type { BlockRow, FileRow } from '../../../storage/schema.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { mayDelete, refuseDeletion } from '../access.ts'
import { fieldsOf } from '../blocks/rows.ts'
import type { Space } from '../space.ts'
import { fileToken, idInShown, idInStored, storedAddress } from './addresses.ts'

const MEDIA: ReadonlySet<string> = new Set(['image', 'video', 'file'])

/** The address of a file as this connection is shown it. */
export function shownAddress({ info, link }: Space, { id, name }: Pick<FileRow, 'id' | 'name'>): string {
  const { files } = link
  if (files === undefined) return storedAddress(id)
  return `${files.origin}/files/${fileToken(info, files.key, id)}/${encodeURIComponent(name)}`
}

/** The addresses of the files that these blocks show; none for other blocks. */
export async function shownAddresses(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow) => string | undefined> {
  const media = rows.filter(({ type }) => MEDIA.has(type)).map(({ n }) => n)
  if (media.length === 0) return () => undefined
  const files = new Map((await filesOfBlocks(space.tx, media)).map((file) => [file.block, file]))
  return ({ n }) => {
    const file = files.get(n)
    return file && shownAddress(space, file)
  }
}

/** Whether a block is of a type that shows a file. */
export const canShowFile = ({ type }: Pick<BlockRow, 'type'>): boolean => MEDIA.has(type)

/**
 * A block's fields with the address of a file as blocks keep it. Who has the address of a file over HTTP may show the
 * file, since whoever has it may read it.
 */
export function withStoredAddress<Fields extends BlockFields>(space: Space, fields: Fields): Fields {
  const id = fields.url === undefined || !MEDIA.has(fields.type) ? undefined : idInShown(space.info, fields.url)
  if (id === undefined) return fields
  space.givenFiles.add(id)
  return { ...fields, url: storedAddress(id) }
}

/**
 * Note which file a block shows, once it is stored: one that the connection may read, or none.
 *
 * @throws FORBIDDEN for a block that showed another file, where the link may not delete: a file that no block shows is
 *   forgotten, with its bytes
 */
export async function noteFile(space: Space, row: BlockRow): Promise<void> {
  if (!canShowFile(row)) return
  const id = idInStored(fieldsOf(row).url ?? '')
  const file = id === undefined ? undefined : await readableFile(space, id)
  if (!mayDelete(space.link)) await refuseLostFile(space, row, file)
  await setBlockFile(space.tx, row.n, file?.n)
}

/** Whether other blocks show the file does not count: this connection might not see them. */
async function refuseLostFile(space: Space, { n, id }: BlockRow, file: FileRow | undefined): Promise<void> {
  const lost = (await filesOfBlocks(space.tx, [n])).filter((shown) => shown.n !== file?.n)
  refuseDeletion(space.link, lost.length, {
    expected: 'a block that keeps its file',
    found: `another url on ${id}`,
    instead: 'leave url as it is and add the other file with files_add',
  })
}

/** The file of an ID, where a block within reach shows it or its address was given. */
export async function readableFile(space: Space, id: string): Promise<FileRow | undefined> {
  const file = await fileById(space.tx, id)
  if (file === undefined || space.givenFiles.has(id)) return file
  for (const document of await documentsWithFile(space.tx, file.n)) {
    if (await space.reaches(document)) return file
  }
  return undefined
}
