/** The documents that the tree of the pages shows: a few of each folder and location that is open in it. */
import { firstDocuments } from '../../../storage/document-lists.ts'
import { type DocumentRecord, documentRecords } from '../../../storage/documents.ts'
import { foldersByIds } from '../../../storage/folders.ts'
import { visibleTitles } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'

/** Locations whose documents the tree shows as those of folders. */
export const TREE_LOCATIONS = ['unsorted', 'templates'] as const
export type TreeLocation = (typeof TREE_LOCATIONS)[number]

export interface TreeDocument {
  id: string
  title: string
}

export interface TreeInput {
  /** The IDs of open folders, as any connection spells them. Those that are gone are left out. */
  folders: readonly string[]
  /** Whether a location is open. @param holdsShown  true if the shown document is there */
  isOpen(location: TreeLocation, holdsShown: boolean): boolean
  /** The document that the page shows, which is listed in its place even if that has more than `limit` before it. */
  documentId?: string | undefined
  /** Documents of each folder and location, the oldest first. */
  limit: number
}

export interface TreeDocuments {
  /** By the ID of the folder, as the connection spells it, or by the name of the location. */
  documents: ReadonlyMap<string, readonly TreeDocument[]>
  /** Where the shown document is, if it is in no folder. */
  location?: TreeLocation
}

/** For connections with full reach alone: others have no folders. */
export async function treeDocuments(space: Space, input: TreeInput): Promise<TreeDocuments> {
  const { folders, isOpen, documentId, limit } = input
  const ids = await space.readIds(documentId === undefined ? folders : [...folders, documentId])
  const idOf = (text: string) => ids.get(text) ?? 0
  const [block] = documentId === undefined ? [] : await space.findReachableBlocks([idOf(documentId)])
  const [shown] = block === undefined ? [] : await documentRecords(space.tx, [block.document])
  const location = TREE_LOCATIONS.find((one) => one === shown?.location)
  const rows = folders.length === 0 ? [] : await foldersByIds(space.tx, folders.map(idOf))
  const numbers = await firstDocuments(
    space.tx,
    {
      folders: rows.map(({ n }) => n),
      locations: TREE_LOCATIONS.filter((one) => isOpen(one, one === location)),
    },
    limit,
  )
  const found = await documentRecords(space.tx, numbers)
  const known = new Set(rows.map(({ id }) => id))
  // Also one that stands behind those that are listed.
  const isListed =
    shown !== undefined && !numbers.includes(shown.n) && shown.folderId !== null && known.has(shown.folderId)
  const isInLocation =
    shown !== undefined && !numbers.includes(shown.n) && location !== undefined && isOpen(location, true)
  const records = isListed || isInLocation ? [...found, shown] : found
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  space.seenRows.show(records.map(({ id }) => id))
  const placeOf = ({ folderId, location }: DocumentRecord) => (folderId === null ? location : space.spellId(folderId))
  const documents = new Map<string, TreeDocument[]>()
  for (const [place, group] of Map.groupBy(records, placeOf))
    documents.set(
      place,
      group.map(({ id, title }) => ({ id: space.spellId(id), title: titleOf(title) })),
    )
  return { documents, ...(location !== undefined && { location }) }
}
