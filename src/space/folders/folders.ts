/** The tree of folders, and the built-in locations listed with it. Source: the interface, "Folders". */

import { documentsByLocation } from '../../../storage/documents.ts'
import {
  deleteFolders as deleteFolderRows,
  depthBelow,
  folderPaths,
  foldersByIds,
  insertFolders,
  listFolderRows,
  moveFolderDocuments,
  moveSubfolders,
  setFolderNames,
  setFolderParent,
} from '../../../storage/folders.ts'
import type { FolderRow } from '../../../storage/schema.ts'
import { invalid, notFound, type ScriptoriumError } from '../../base/errors.ts'
import { FOLDER_LEVELS, ITEMS_PER_CALL } from '../../base/limits.ts'
import { timeSliceExpired, yieldNow, yieldToEventLoop } from '../../base/scheduling.ts'
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
  space.seenRows.show(rows.map(({ id }) => id))
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
  const outer = newFolders.flatMap(({ parentFolderId }) => (parentFolderId === undefined ? [] : [parentFolderId]))
  const parents = await getUserFolders(space, uniqueIds(outer), 'hold no folders')
  const numbers = new Map(parents.map(({ id, n }) => [id, n]))
  const paths = await folderPaths(space.tx, [...numbers.values()])
  const levels = new Map(parents.map(({ id, n }) => [id, paths.get(n)?.length ?? 0]))
  const added = flattenFolders(newFolders, await space.newIds(count))
  for (const { id, parent } of added) {
    const level = parent === undefined ? 0 : (levels.get(parent) ?? 0)
    if (parent !== undefined && level >= FOLDER_LEVELS) throw tooDeepError(space, parent)
    levels.set(id, level + 1)
  }
  // Folders of one depth at a time, since those inside them refer to their numbers.
  for (let left = added; left.length > 0; ) {
    const isNext = ({ parent }: AddedFolder) => parent === undefined || numbers.has(parent)
    const next = left.filter(isNext)
    left = left.filter((folder) => !isNext(folder))
    const rows = next.map(({ id, name, parent }) => {
      return { id, name, parent: parent === undefined ? null : (numbers.get(parent) ?? null), createdAt: space.now }
    })
    await insertFolders(space.tx, rows)
    if (left.length > 0) {
      const ids = next.map(({ id }) => id)
      for (const { id, n } of await foldersByIds(space.tx, ids)) numbers.set(id, n)
    }
    if (timeSliceExpired()) await yieldNow()
  }
  const items = added.map(({ id, name, parent }) => {
    const item: { id: string; name: string; parentFolderId?: string } = { id: space.spellId(id), name }
    return parent === undefined ? item : { ...item, parentFolderId: space.spellId(parent) }
  })
  return { items }
}

/** A folder that a call adds, and the IDs of it and of the folder around it. */
interface AddedFolder {
  id: number
  name: string
  parent: number | undefined
}

/** All folders, each before its subfolders. */
function flattenFolders(newFolders: readonly NewFolder[], ids: readonly number[]): AddedFolder[] {
  const added: AddedFolder[] = []
  const left = newFolders.map((folder) => ({
    folder,
    parent: folder.parentFolderId && idNumber(folder.parentFolderId),
  }))
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const { folder, parent } = next
    const id = ids[added.length] ?? 0
    added.push({ id, name: folder.name, parent })
    left.unshift(...(folder.folders ?? []).map((inner) => ({ folder: inner, parent: id })))
  }
  return added
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
  const folders = await getUserFolders(space, uniqueIds(folderIds), 'cannot be deleted')
  const parents = new Map(folders.map(({ n, parent }) => [n, parent]))
  const dissolved = folders.map(({ n, parent }) => {
    let to = parent
    // A parent that is deleted as well moves its content up, too.
    for (let next = to === null ? undefined : parents.get(to); next !== undefined; ) {
      to = next
      next = to === null ? undefined : parents.get(to)
    }
    return { n, to }
  })
  while ((await moveFolderDocuments(space.tx, dissolved, DOCUMENTS_PER_BATCH)) === DOCUMENTS_PER_BATCH)
    await yieldToEventLoop()
  await moveSubfolders(space.tx, dissolved)
  await deleteFolderRows(space.tx, [...parents.keys()])
  return { items: folders.map(({ id }) => space.spellId(id)) }
}

/** A new name of a folder. */
interface FolderName {
  id: AnyId
  name: string
  expected?: Expected | undefined
}

const idOf = ({ id }: FolderName): AnyId => id

/**
 * @param isPartial  true to rename the other folders if conditions of some do not hold
 * @throws NOT_FOUND_ERROR; CONFLICT for a folder that is not as its caller expects; VALIDATION_ERROR for a built-in
 *   location, or if a folder is named twice
 */
export async function renameFolders(space: Space, names: readonly FolderName[], isPartial = false) {
  const { held, conflicts } = await entriesAsExpected({
    ...{ entries: names, noun: 'folder', isPartial },
    pathOf: (index) => `folders[${index}]`,
    idOf: ({ id }) => space.spellId(idNumber(id)),
    expectedOf: ({ expected }) => expected,
    async read(some): Promise<FoundFields[]> {
      const folders = await getUserFolders(space, some.map(idOf), 'keep their names')
      return folders.map(({ name }) => ({ name }))
    },
  })
  const folders = await getUserFolders(space, held.map(idOf), 'keep their names')
  const named = new Set<number>()
  const rows = folders.map(({ n, id }, index) => {
    const { id: given, name } = held[index] as FolderName
    if (named.has(n)) throw invalid(`Expected each folder once, found ${given} twice; give it one name.`)
    named.add(n)
    return { n, id, name }
  })
  await setFolderNames(space.tx, rows)
  const items = rows.map(({ id, name }) => ({ id: space.spellId(id), name }))
  return { items, ...(conflicts.length > 0 && { conflicts }) }
}

/**
 * @throws VALIDATION_ERROR for a built-in location, if a folder would be inside itself, or if folders would be deeper
 *   than {@link FOLDER_LEVELS}
 */
export async function moveFolders(space: Space, folderIds: readonly AnyId[], destination: FolderDestination) {
  const parent =
    'parentFolderId' in destination ? await getUserFolder(space, destination.parentFolderId, 'hold no folders') : null
  const folders = await getUserFolders(space, uniqueIds(folderIds), 'cannot be moved')
  const numbers = folders.map(({ n }) => n)
  if (parent !== null) {
    const path = (await folderPaths(space.tx, [parent.n])).get(parent.n) ?? []
    const around = folders.find(({ n }) => path.includes(n))
    if (around !== undefined) {
      throw invalid(
        `Expected a destination outside of the moved folders, found ${space.spellId(parent.id)}, which is ${space.spellId(around.id)} or stands in it; name another parentFolderId, or { "destination": "root" }.`,
      )
    }
    const levels = 1 + (await depthBelow(space.tx, numbers))
    if (path.length + levels > FOLDER_LEVELS) throw tooDeepError(space, parent.id)
  }
  await setFolderParent(space.tx, numbers, parent?.n ?? null)
  const spelled = parent === null ? { destination: 'root' as const } : { parentFolderId: space.spellId(parent.id) }
  return { items: folders.map(({ id }) => ({ id: space.spellId(id), destination: spelled })) }
}

/** @param id  the folder that would contain too many levels */
const tooDeepError = (space: Space, id: number): ScriptoriumError =>
  invalid(
    `Expected folders nested at most ${FOLDER_LEVELS} levels deep, found more under ${space.spellId(id)}; name a parentFolderId further up.`,
  )

/** @throws NOT_FOUND_ERROR if there is no such folder */
export async function findFolder(space: Space, id: AnyId): Promise<FolderRow> {
  return (await findFolders(space, [id]))[0] as FolderRow
}

/** @throws NOT_FOUND_ERROR if one does not exist */
async function findFolders(space: Space, ids: readonly AnyId[]): Promise<FolderRow[]> {
  const rows = ids.length === 0 ? [] : await foldersByIds(space.tx, ids.map(idNumber))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = ids.find((id) => !byId.has(idNumber(id)))
  if (missing === undefined) return ids.map((id) => byId.get(idNumber(id)) as FolderRow)
  const [block] = await space.findReachableBlocks([idNumber(missing)])
  const found = block === undefined ? missing : `${missing}, which is a ${block.parent === null ? 'document' : 'block'}`
  const instead = block === undefined ? '' : ', or add pages inside it with blocks_add'
  throw notFound(
    `Expected the ID of a folder, found ${found}; read IDs with folders_list and name one of those${instead}.`,
  )
}

/** Returns folders, in the order of the IDs. For a built-in location, it throws an error with the given reason. */
async function getUserFolders(space: Space, ids: readonly AnyId[], reason: string): Promise<FolderRow[]> {
  const reserved = ids.find((id) => RESERVED_FOLDER_IDS.has(String(id)))
  if (reserved === undefined) return findFolders(space, ids)
  throw invalid(`Expected a folder ID, found \`${reserved}\`; built-in locations ${reason}.`)
}

const getUserFolder = async (space: Space, id: AnyId, reason: string): Promise<FolderRow> =>
  (await getUserFolders(space, [id], reason))[0] as FolderRow
