/** Finds the folders of imported documents by name, and creates missing ones. */
import { insertFolder, listFolderRows } from '../../../storage/folders.ts'
import { FOLDER_LEVELS, TITLE_LENGTH } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'

/**
 * Returns the number of the folder at a path of names, creating missing folders; null for the top level.
 *
 * @param into  the folder that the path starts from; null for the top level
 */
export async function resolveImportFolder(
  space: Space,
  into: number | null,
  names: readonly string[],
): Promise<number | null> {
  if (names.length === 0) return into
  const folders = await listFolderRows(space.tx)
  const parents = new Map(folders.map(({ n, parent }) => [n, parent]))
  let [current, level] = [into, 0]
  for (let n = into; n !== null; n = parents.get(n) ?? null) level++
  for (const name of names.map((one) => one.slice(0, TITLE_LENGTH))) {
    // If the path exceeds the maximum depth, the deepest allowed folder is used.
    if (level >= FOLDER_LEVELS) break
    const found = folders.find((folder) => folder.parent === current && folder.name === name)
    if (found === undefined) space.quota?.noteAddition(space.link.id)
    const folder = found ?? (await insertFolder(space.tx, { ...(await newFolder(space, name)), parent: current }))
    current = folder.n
    level++
  }
  return current
}

const newFolder = async (space: Space, name: string) => ({ id: await space.newId(), name, createdAt: space.now })
