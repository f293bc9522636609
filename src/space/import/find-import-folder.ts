/** The folder that an import goes into, as a person names it. */
import { folderById } from '../../../storage/folders.ts'
import { notFound } from '../../base/errors.ts'
import { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { resolveImportFolder } from './import-folders.ts'

/**
 * The number of a folder.
 *
 * @param text  its ID, or names with `/` between them, of folders that are made where they are not there
 * @throws NOT_FOUND_ERROR for an ID of none
 */
export async function findImportFolder(space: Space, text: string): Promise<number | null> {
  const id = new GivenId(text)
  if (id.isShort) {
    const folder = await folderById(space.tx, id.number)
    if (folder !== undefined) return folder.n
    throw notFound(
      `Expected the ID or the name of a folder, found ${text}, which is no ID of one; folders_list lists them.`,
    )
  }
  const names = text.split('/').map((name) => name.trim())
  return resolveImportFolder(
    space,
    null,
    names.filter((name) => name !== ''),
  )
}
