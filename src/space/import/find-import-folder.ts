/** Finds the destination folder of an import from the text that a person typed. */
import { foldersByIds } from '../../../storage/folders.ts'
import { notFound } from '../../base/errors.ts'
import { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { resolveImportFolder } from './import-folders.ts'

/**
 * Returns the number of a folder; null for the top level.
 *
 * @param text  the ID of a folder, or folder names separated by `/`. Missing folders are created.
 * @throws NOT_FOUND_ERROR if no folder has the ID
 */
export async function findImportFolder(space: Space, text: string): Promise<number | null> {
  const id = new GivenId(text)
  if (id.isShort) {
    const [folder] = await foldersByIds(space.tx, [id.number])
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
