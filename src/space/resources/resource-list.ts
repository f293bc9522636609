/** Lists documents, files and whiteboards within reach, for clients that list and watch resources. */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import { type WhiteboardPlace, whiteboardsAfter, whiteboardsIn } from '../../../storage/changes.ts'
import { type DocumentFilter, listDocuments as list } from '../../../storage/document-lists.ts'
import { referencedFiles } from '../../../storage/files.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { findReachableFile } from '../content/file-references.ts'
import { visiblePlainText, visibleTitles } from '../model/block-links.ts'
import { formatTimestamp } from '../model/dates.ts'
import { isSystemDocument, reachOf, type Space } from '../model/space.ts'

export interface ResourceEntry {
  id: string
  /** The position in the list. */
  at: number
  name: string
  mimeType?: string
  /** In bytes. Absent if the content would have to be written to find out, as for documents and whiteboards. */
  size?: number
  modifiedAt?: string
}

/** The name for a document with a blank title, because hosts list resources by name. */

/** Documents in the order in which they were created, without those in the trash. */
export async function listDocumentResources(space: Space, after: number, limit: number): Promise<ResourceEntry[]> {
  const { kind, link } = space
  const filter: DocumentFilter =
    kind === 'selected'
      ? { documents: [...link.documents], exceptLocation: 'trash' }
      : kind === 'daily'
        ? { location: 'daily_notes' }
        : { exceptLocation: 'trash' }
  const records = await list(space.tx, filter, 'created', { n: after, key: after }, limit)
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  const entries: ResourceEntry[] = []
  for await (const { id, n, title, modifiedAt } of iterateCooperatively(records)) {
    entries.push({
      id: space.spellId(id),
      at: n,
      name: shownTitle(titleOf(title).trim()),
      mimeType: 'text/markdown',
      modifiedAt: formatTimestamp(modifiedAt),
    })
  }
  return entries
}

export async function listFileResources(space: Space, after: number, limit: number): Promise<ResourceEntry[]> {
  const files = await referencedFiles(space.tx, reachOf(space.link), after, limit)
  const visible = await visiblePlainText(
    space,
    files.map(({ name }) => name),
  )
  return files.map(({ n, id, name, mimeType, size }) => {
    return { id: space.spellId(id), at: n, name: visible.text(name), mimeType, size }
  })
}

export async function listWhiteboardResources(space: Space, after: number, limit: number): Promise<ResourceEntry[]> {
  const boards = await whiteboardsAfter(space.tx, reachOf(space.link), after, limit)
  const entries: ResourceEntry[] = []
  for await (const board of iterateCooperatively(boards)) entries.push(await whiteboardEntry(space, board))
  return entries
}

async function whiteboardEntry(space: Space, { n, id, document }: WhiteboardPlace): Promise<ResourceEntry> {
  const [{ text: title } = { text: '' }] = await blocksByNumbers(space.tx, [document])
  const titleOf = await visibleTitles(space, [title])
  return {
    id: space.spellId(id),
    at: n,
    name: `Whiteboard in ${shownTitle(titleOf(title).trim())}`,
    mimeType: 'application/json',
  }
}

/** Returns those of the given IDs that are documents within reach, in no particular order. */
export async function filterReachableDocuments(space: Space, ids: readonly string[]): Promise<string[]> {
  const roots = (await findBlocks(space, ids)).filter(({ n, document }) => n === document)
  return reachableIds(space, roots)
}

/** Returns those of the given IDs that are whiteboards within reach, in no particular order. */
export async function filterReachableWhiteboards(space: Space, ids: readonly string[]): Promise<string[]> {
  const boards = (await findBlocks(space, ids)).filter(({ type }) => type === 'whiteboard')
  return reachableIds(space, boards)
}

/** Returns those of the given IDs that are files within reach. */
export async function filterReachableFiles(space: Space, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const numbers = await space.readIds(ids)
  for await (const id of iterateCooperatively(new Set(numbers.values()))) {
    const file = await findReachableFile(space, id)
    if (file !== undefined) found.push(space.spellId(file.id))
  }
  return found
}

const findBlocks = async (space: Space, ids: readonly string[]) =>
  space.findReachableBlocks([...new Set((await space.readIds(ids)).values())])

async function reachableIds(space: Space, rows: readonly { id: number; document: number }[]): Promise<string[]> {
  const documents = new Set(await reachableDocuments(space, [...new Set(rows.map(({ document }) => document))]))
  return rows.filter(({ document }) => documents.has(document)).map(({ id }) => space.spellId(id))
}

/** Returns the IDs of those of the given documents that are within reach. */
export async function listChangedDocuments(space: Space, documents: readonly number[]): Promise<string[]> {
  const roots = await blocksByNumbers(space.tx, await reachableDocuments(space, documents))
  return roots.map(({ id }) => space.spellId(id))
}

/** Returns the IDs of the whiteboards in those of the given documents that are within reach. */
export async function listChangedWhiteboards(space: Space, documents: readonly number[]): Promise<string[]> {
  const ids = await whiteboardsIn(space.tx, await reachableDocuments(space, documents))
  return ids.map((id) => space.spellId(id))
}

async function reachableDocuments(space: Space, documents: readonly number[]): Promise<number[]> {
  const rows = await space.documentRows(documents)
  const within = await space.reachableDocuments(documents)
  return documents.filter((n) => {
    const row = rows.get(n)
    return row !== undefined && !isSystemDocument(row) && within.has(n)
  })
}
