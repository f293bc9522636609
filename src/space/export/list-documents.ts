/** Lists the documents to export, with their folders and the blocks that links lead to. */
import { linkedTargets } from '../../../storage/block-links.ts'
import { blocksByIds, blocksByNumbers, collectionBlocks, waitingTasks } from '../../../storage/blocks.ts'
import { allDocuments, type DocumentRecord } from '../../../storage/documents.ts'
import type { ShownFile } from '../../../storage/files.ts'
import { listFolderRows } from '../../../storage/folders.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { blockLinkTargets } from '../../../storage/values.ts'
import { invalid } from '../../base/errors.ts'
import { chunks } from '../../base/scheduling.ts'
import { readTaskBlockers } from '../blocks/task-blockers.ts'
import { visibleMarkdown } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import { listAnchors } from './list-anchors.ts'
import { listAliases, listShownFiles, listSourcePlaces, type SourcePlace } from './list-sources.ts'
import { ROWS_PER_BATCH, readAll } from './read-all.ts'

export interface DocumentsToExport {
  documents: DocumentRecord[]
  /** The names of a folder and its parents, from the top down, by folder number. */
  folders: ReadonlyMap<number, readonly string[]>
  /** For each block that something links to, or that a task waits for: the number of its document, by block ID. */
  linked: ReadonlyMap<number, number>
  /** How links name each of these blocks: `^` and a name, or the text of a heading. By block ID. */
  anchors: ReadonlyMap<number, string>
  /** All collections, then all items, by number. */
  collections: ReadonlyMap<number, BlockRow>
  items: ReadonlyMap<number, BlockRow>
  /** Where the files of documents were in the sources of imports, by document number. */
  sources: ReadonlyMap<number, SourcePlace>
  /** The properties of documents that may have other names for links, as YAML, by document number. */
  aliases: ReadonlyMap<number, string>
  /** The files that documents show, by document number. */
  files: ReadonlyMap<number, readonly ShownFile[]>
  /** For each linked block inside an item: the number of the item, by block ID. */
  itemsAround: ReadonlyMap<number, number>
}

/** What of the space is exported. */
export interface ExportChoice {
  /** IDs of documents; if absent or empty, all documents outside the trash. */
  documents?: readonly string[]
  /** The ID of a folder: the documents in it, and in the folders below. */
  folder?: string
}

/**
 * Lists what of the choice is within reach, with addresses out of it hidden. Only connections that reach the whole space
 * see folders, as with `folders_list`.
 *
 * @throws VALIDATION_ERROR if an ID is not that of a document or folder within reach
 */
export async function listDocumentsToExport(space: Space, choice: ExportChoice = {}): Promise<DocumentsToExport> {
  const all = await reachedDocuments(space)
  const reached = new Set(all.map(({ n }) => n))
  const isReached = ({ document }: { document: number }) => space.kind === 'full' || reached.has(document)
  const linked = [...(await readLinked(space)).filter(isReached), ...(await readBlockers(space))]
  const rows = await readAll(
    (after) => collectionBlocks(space.tx, after, ROWS_PER_BATCH),
    ({ n }) => n,
  )
  const shown = await withVisibleTitles(space, rows.filter(isReached))
  const [collections, items] = ['collection', 'collectionItem'].map(
    (type) => new Map(shown.filter((row) => row.type === type).map((row) => [row.n, row])),
  ) as [Map<number, BlockRow>, Map<number, BlockRow>]
  const documents = new Set(shown.map(({ document }) => document))
  return {
    documents: await selectDocuments(space, all, choice),
    folders: space.kind === 'full' ? await readFolders(space) : new Map(),
    linked: new Map(linked.map(({ id, document }) => [id, document])),
    anchors: await listAnchors(space, linked),
    ...{ collections, items, sources: await listSourcePlaces(space), files: await listShownFiles(space) },
    aliases: await listAliases(space),
    itemsAround: await findItemsAround(
      space,
      linked.filter(({ document }) => documents.has(document)),
      items,
    ),
  }
}

/** The documents that an export of these choices has, in the order of the export. @throws VALIDATION_ERROR */
export const listExported = async (space: Space, choice: ExportChoice): Promise<DocumentRecord[]> =>
  selectDocuments(space, await reachedDocuments(space), choice)

/** All documents within reach outside the trash, with the inbox and the logbook. */
async function reachedDocuments(space: Space): Promise<DocumentRecord[]> {
  const all = await allDocuments(space.tx)
  if (space.kind === 'full') return all
  const reached = await space.reachableDocuments(all.map(({ n }) => n))
  const documents = all.filter(({ n }) => reached.has(n))
  const visible = await visibleMarkdown(
    space,
    documents.map(({ title }) => title),
  )
  return documents.map((record) => ({ ...record, title: visible(record.title) }))
}

async function withVisibleTitles(space: Space, rows: BlockRow[]): Promise<BlockRow[]> {
  if (space.kind === 'full') return rows
  const visible = await visibleMarkdown(
    space,
    rows.map(({ text }) => text),
  )
  return rows.map((row) => ({ ...row, text: visible(row.text) }))
}

async function selectDocuments(space: Space, all: DocumentRecord[], { documents = [], folder }: ExportChoice) {
  if (folder !== undefined) {
    const folders = await foldersBelow(space, folder)
    return all.filter((record) => record.folder !== null && folders.has(record.folder))
  }
  if (documents.length === 0) return all
  const ids = await space.readIds(documents)
  return documents.map((text) => {
    const found = all.find(({ id }) => id === ids.get(text))
    if (found === undefined) throw invalid(`Expected IDs of documents to export, found ${text}, which is none.`)
    return found
  })
}

/** The numbers of a folder and those inside it. @param text  its ID */
async function foldersBelow(space: Space, text: string): Promise<Set<number>> {
  const rows = space.kind === 'full' ? await listFolderRows(space.tx) : []
  const id = (await space.readIds([text])).get(text)
  const below = new Set(rows.flatMap((row) => (row.id === id ? row.n : [])))
  if (below.size === 0)
    throw invalid(`Expected the ID of a folder to export, found ${text.slice(0, 100)}, which is none.`)
  // A set that grows while it is read.
  for (const n of below) for (const row of rows) if (row.parent === n) below.add(row.n)
  return below
}

async function readFolders({ tx }: Space): Promise<Map<number, readonly string[]>> {
  const rows = new Map((await listFolderRows(tx)).map((row) => [row.n, row]))
  const paths = new Map<number, readonly string[]>()
  for (const { n } of rows.values()) {
    const names: string[] = []
    for (let row = rows.get(n); row !== undefined; row = rows.get(row.parent ?? 0)) names.unshift(row.name)
    paths.set(n, names)
  }
  return paths
}

async function readLinked({ tx }: Space): Promise<BlockRow[]> {
  const same = (id: number) => id
  const ids = [
    ...(await readAll((after) => linkedTargets(tx, after, ROWS_PER_BATCH), same)),
    ...(await readAll((after) => blockLinkTargets(tx, after, ROWS_PER_BATCH), same)),
  ]
  const linked: BlockRow[] = []
  for await (const part of chunks(ids, ROWS_PER_BATCH)) linked.push(...(await blocksByIds(tx, part)))
  return linked
}

/** The tasks that others wait for, within reach. */
async function readBlockers(space: Space): Promise<BlockRow[]> {
  const waiting = await readAll(
    (after) => waitingTasks(space.tx, after, ROWS_PER_BATCH),
    ({ n }) => n,
  )
  const seen = await space.reachableDocuments(waiting.map(({ document }) => document))
  const rows = waiting.filter(({ document }) => seen.has(document))
  return [...(await readTaskBlockers(space, rows)).values()]
}

/**
 * Returns the number of the item that contains each of these blocks, by block ID. Blocks outside items are left out.
 *
 * @param items  by number
 */
async function findItemsAround(
  { tx }: Space,
  blocks: readonly BlockRow[],
  items: ReadonlyMap<number, unknown>,
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  let waiting = blocks.map(({ id, parent }) => ({ id, parent }))
  while (waiting.length > 0) {
    for (const { id, parent } of waiting) if (parent !== null && items.has(parent)) found.set(id, parent)
    const next: typeof waiting = []
    for await (const part of chunks(
      waiting.filter(({ id, parent }) => parent !== null && !found.has(id)),
      ROWS_PER_BATCH,
    )) {
      const rows = await blocksByNumbers(
        tx,
        part.map(({ parent }) => parent ?? 0),
      )
      const parents = new Map(rows.map(({ n, parent }) => [n, parent]))
      for (const { id, parent } of part) next.push({ id, parent: parents.get(parent ?? 0) ?? null })
    }
    waiting = next
  }
  return found
}
