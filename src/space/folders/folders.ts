/** The tree of folders, and the built-in locations listed with it. Source: the interface, "Folders". */

import { documentsByLocation, moveFolderDocuments } from '../../../storage/documents.ts'
import {
  deleteFolder,
  folderById,
  folderLevel,
  folderSubtree,
  insertFolder,
  listFolderRows,
  moveSubfolders,
  setFolderNames,
  setFolderParent,
} from '../../../storage/folders.ts'
import type { FolderRow } from '../../../storage/schema.ts'
import { invalid, notFound, type ScriptoriumError } from '../../base/errors.ts'
import { FOLDER_LEVELS, ITEMS_PER_CALL } from '../../base/limits.ts'
import { iterateCooperatively, timeSliceExpired, yieldToEventLoop } from '../../base/scheduling.ts'
import { type Expected, entriesAsExpected, type FoundFields } from '../model/conditions.ts'
import { type AnyId, idNumber, uniqueIds } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/** Locations that always exist. They are listed with the folders, but are not folders. */
export const BUILT_IN_LOCATIONS = { unsorted: 'Unsorted', trash: 'Trash', templates: 'Templates' } as const
const LISTED = Object.keys(BUILT_IN_LOCATIONS) as (keyof typeof BUILT_IN_LOCATIONS)[]
const RESERVED_FOLDER_IDS: ReadonlySet<string> = new Set([...Object.keys(BUILT_IN_LOCATIONS), 'daily_notes'])

export interface FolderTree {
  id: string
  name: string
  /** Documents directly in this folder, without those in subfolders. */
  documentCount: number
  folders: FolderTree[]
}

/** Where folders can be moved. */
export type FolderDestination = { destination: 'root' } | { parentFolderId: AnyId }

/** Returns all folders as a tree, with the built-in locations first. */
export async function listFolders(space: Space) {
  const counts = await documentsByLocation(space.tx)
  const builtIn = LISTED.map((id) => {
    return { id, name: BUILT_IN_LOCATIONS[id], documentCount: counts.get(id) ?? 0, folders: [] as FolderTree[] }
  })
  const rows = await listFolderRows(space.tx)
  const trees = new Map<number, FolderTree>()
  for (const { n, id, name, documentCount } of rows)
    trees.set(n, { id: space.spellId(id), name, documentCount, folders: [] })
  const top: FolderTree[] = []
  for (const { n, parent } of rows) {
    const siblings = parent === null ? top : trees.get(parent)?.folders
    const tree = trees.get(n)
    if (tree !== undefined) siblings?.push(tree)
  }
  return { items: [...builtIn, ...top] }
}

export interface NewFolder {
  name: string
  parentFolderId?: AnyId | undefined
  /** Folders to create inside it. */
  folders?: readonly NewFolder[] | undefined
}

/**
 * Creates folders. In the response, each folder comes before its subfolders.
 *
 * @throws VALIDATION_ERROR if the parent is a built-in location, the tree would be deeper than {@link FOLDER_LEVELS},
 *   or one call adds too many folders; NOT_FOUND_ERROR if the parent does not exist
 */
export async function addFolders(space: Space, newFolders: readonly NewFolder[]) {
  const count = countFolders(newFolders)
  if (count > ITEMS_PER_CALL) {
    throw invalid(
      `Expected at most ${ITEMS_PER_CALL} folders in one call, found ${count}; add the rest in further calls.`,
    )
  }
  const ids = await space.newIds(count)
  const items: { id: string; name: string; parentFolderId?: string }[] = []
  const left = [...newFolders]
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { name, parentFolderId, folders = [] } = next
    const parent = parentFolderId === undefined ? null : await getUserFolder(space, parentFolderId, 'hold no folders')
    if (parent !== null && (await folderLevel(space.tx, parent.n)) >= FOLDER_LEVELS) throw tooDeepError(space, parent)
    const id = ids[items.length] ?? 0
    await insertFolder(space.tx, { id, name, parent: parent?.n ?? null, createdAt: space.now })
    const added = { id: space.spellId(id), name }
    items.push(parent === null ? added : { ...added, parentFolderId: space.spellId(parent.id) })
    left.unshift(...folders.map((folder) => ({ ...folder, parentFolderId: id })))
    if (timeSliceExpired()) await yieldToEventLoop()
  }
  return { items }
}

const countFolders = (folders: readonly NewFolder[]): number =>
  folders.reduce((sum, { folders: inner = [] }) => sum + 1 + countFolders(inner), 0)

/** How many documents are moved before yielding to other calls. */
const DOCUMENTS_PER_BATCH = 1_000

/**
 * Deletes folders. Their documents and subfolders move up to the parent folder. From a top-level folder, documents move
 * to Unsorted and subfolders become top-level folders.
 */
export async function deleteFolders(space: Space, folderIds: readonly AnyId[]) {
  const ids = uniqueIds(folderIds)
  for await (const id of iterateCooperatively(ids)) await getUserFolder(space, id, 'cannot be deleted')
  for await (const id of iterateCooperatively(ids)) {
    // Read again: if its parent was just deleted, this folder has moved up.
    const { n, parent } = await findFolder(space, id)
    while ((await moveFolderDocuments(space.tx, n, parent, DOCUMENTS_PER_BATCH)) === DOCUMENTS_PER_BATCH)
      await yieldToEventLoop()
    await moveSubfolders(space.tx, n, parent)
    await deleteFolder(space.tx, n)
  }
  return { items: ids.map((id) => space.spellId(idNumber(id))) }
}

/** A new name of a folder. */
interface FolderName {
  id: AnyId
  name: string
  expected?: Expected | undefined
}

/**
 * @param isPartial  true to rename the other folders if conditions of some do not hold
 * @throws NOT_FOUND_ERROR; CONFLICT for a folder that is not as its caller expects; VALIDATION_ERROR for a built-in
 *   location, or if a folder is named twice
 */
export async function renameFolders(space: Space, names: readonly FolderName[], isPartial = false) {
  const items: { id: string; name: string }[] = []
  const rows: { n: number; name: string }[] = []
  const { held, conflicts } = await entriesAsExpected({
    ...{ entries: names, noun: 'folder', isPartial },
    pathOf: (index) => `folders[${index}]`,
    idOf: ({ id }) => space.spellId(idNumber(id)),
    expectedOf: ({ expected }) => expected,
    async read(some) {
      const found: FoundFields[] = []
      for (const { id } of some) found.push({ name: (await getUserFolder(space, id, 'keep their names')).name })
      return found
    },
  })
  for await (const { id, name } of iterateCooperatively(held)) {
    const { n } = await getUserFolder(space, id, 'keep their names')
    if (rows.some((row) => row.n === n))
      throw invalid(`Expected each folder once, found ${id} twice; give it one name.`)
    rows.push({ n, name })
    items.push({ id: space.spellId(idNumber(id)), name })
  }
  await setFolderNames(space.tx, rows)
  return { items, ...(conflicts.length > 0 && { conflicts }) }
}

/**
 * @throws VALIDATION_ERROR for a built-in location, if a folder would be inside itself, or if folders would be deeper
 *   than {@link FOLDER_LEVELS}
 */
export async function moveFolders(space: Space, folderIds: readonly AnyId[], destination: FolderDestination) {
  const parent =
    'parentFolderId' in destination ? await getUserFolder(space, destination.parentFolderId, 'hold no folders') : null
  const level = parent === null ? 0 : await folderLevel(space.tx, parent.n)
  const ids = uniqueIds(folderIds)
  for await (const id of iterateCooperatively(ids)) {
    const { n } = await getUserFolder(space, id, 'cannot be moved')
    const subtree = parent === null ? [] : await folderSubtree(space.tx, n)
    if (parent !== null && subtree.some((folder) => folder.n === parent.n)) {
      throw invalid(
        `Expected a destination outside of the moved folders, found ${space.spellId(parent.id)}, which is ${id} or stands in it; name another parentFolderId, or { "destination": "root" }.`,
      )
    }
    const levels = 1 + subtree.reduce((most, { depth }) => Math.max(most, depth), 0)
    if (parent !== null && level + levels > FOLDER_LEVELS) throw tooDeepError(space, parent)
    await setFolderParent(space.tx, n, parent?.n ?? null)
  }
  const spelled = parent === null ? { destination: 'root' as const } : { parentFolderId: space.spellId(parent.id) }
  return { items: ids.map((id) => ({ id: space.spellId(idNumber(id)), destination: spelled })) }
}

const tooDeepError = (space: Space, { id }: FolderRow): ScriptoriumError =>
  invalid(
    `Expected folders nested at most ${FOLDER_LEVELS} levels deep, found more under ${space.spellId(id)}; name a parentFolderId further up.`,
  )

/** @throws NOT_FOUND_ERROR if there is no such folder */
export async function findFolder(space: Space, id: AnyId): Promise<FolderRow> {
  const folder = await folderById(space.tx, idNumber(id))
  if (folder !== undefined) return folder
  throw notFound(`Expected the ID of a folder, found ${id}; read IDs with folders_list and name one of those.`)
}

/** Returns a folder. For a built-in location, it throws an error with the given reason. */
async function getUserFolder(space: Space, id: AnyId, reason: string): Promise<FolderRow> {
  if (RESERVED_FOLDER_IDS.has(String(id)))
    throw invalid(`Expected a folder ID, found \`${id}\`; built-in locations ${reason}.`)
  return findFolder(space, id)
}
