/** Creates, moves, deletes and restores documents. Source: the interface, "Documents", and its shapes, 2. */

import {
  type DocumentPlace,
  type DocumentRecord,
  latestDailyNote,
  setDocumentPlaces,
  trashDocuments,
} from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { readGivenText, UNWRAPPED_NOTE } from '../../markdown/given-text.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import { copyBlockContent } from '../editing/copy-blocks.ts'
import { type BlocksToInsert, idsInReadingOrder, insertAllBlockTrees } from '../editing/insert-blocks.ts'
import { findFolder } from '../folders/folders.ts'
import { type Expected, entriesAsExpected, type FoundFields } from '../model/conditions.ts'
import { createDocuments } from '../model/create-document.ts'
import { deepLinks } from '../model/deep-links.ts'
import { assertUnlocked } from '../model/document-locks.ts'
import { type AnyId, type GivenId, idNumber } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'

/**
 * Where documents can be created or moved to. Trash is excluded, since documents_delete is for that, and so are daily
 * notes.
 */
export type DocumentDestination = { destination: 'unsorted' | 'templates' } | { folderId: AnyId }

interface DocumentInput {
  title: string
  markdown?: string | undefined
  templateId?: AnyId | undefined
  /**
   * As read from another document. A new document can be added to the same place, unless that is the trash or the daily
   * notes.
   */
  location?: string | undefined
  folderId?: GivenId | undefined
  isDeleted?: unknown
  dailyNoteDate?: unknown
}

/** A document to create, with its Markdown parsed. */
interface PreparedDocument {
  title: string
  content: readonly Block[]
  templateId?: AnyId | undefined
  /** True if a fence around all of its Markdown was left out. */
  isUnwrapped: boolean
}

/**
 * Determines where new documents are added: the destination of the call, or the place that the documents were read
 * from, or Unsorted.
 *
 * @throws VALIDATION_ERROR if the documents have different places, or if one is from the trash or a daily note
 */
export function destinationOf(
  documents: readonly DocumentInput[],
  destination: DocumentDestination | undefined,
): DocumentDestination {
  const errors = new InputErrors()
  let found = destination
  for (const [index, { location, folderId, isDeleted, dailyNoteDate }] of documents.entries()) {
    const path = `documents[${index}]`
    if (location === 'trash' || (isDeleted ?? false) !== false) errors.add(path, TRASH_MESSAGE)
    else if (location === 'daily_notes' || dailyNoteDate != null) errors.add(path, DAILY_NOTE_MESSAGE)
    else if (folderId !== undefined || location !== undefined) {
      const place = folderId === undefined ? { destination: location as 'unsorted' | 'templates' } : { folderId }
      found ??= place
      if (JSON.stringify(place) !== JSON.stringify(found)) errors.add(path, otherPlaceMessage(place, found))
    }
    if (errors.hasTooMany) break
  }
  errors.throwIfAny()
  return found ?? { destination: 'unsorted' }
}

const TRASH_MESSAGE =
  'Expected a document to add, found one of the trash; restore that with documents_move, or leave location and isDeleted out.'
const DAILY_NOTE_MESSAGE =
  'Expected a document to add, found a daily note; add blocks with position { date }, which makes the note, or leave location and dailyNoteDate out.'

function otherPlaceMessage(place: DocumentDestination, expected: DocumentDestination): string {
  const name = (one: DocumentDestination) => ('folderId' in one ? `folder ${one.folderId}` : one.destination)
  return `Expected documents of one place (${name(expected)}), found one of ${name(place)}; leave location and folderId out, or add it in another call.`
}

/** @throws VALIDATION_ERROR if Markdown cannot be parsed, or if there are more blocks than one call may write */
export async function prepareDocuments(documents: readonly DocumentInput[]): Promise<PreparedDocument[]> {
  const prepared: PreparedDocument[] = []
  for await (const { title, markdown = '', templateId } of iterateCooperatively(documents)) {
    const { text, isUnwrapped } = readGivenText(markdown, title)
    prepared.push({ title, content: await readMarkdownInWorker(text), isUnwrapped, templateId })
  }
  assertBlockCount(countBlocks(prepared.flatMap(({ content }) => content)))
  return prepared
}

/**
 * @throws NOT_FOUND_ERROR if a folder or template does not exist; VALIDATION_ERROR if the template is an ordinary
 *   document
 */
export async function addDocuments(
  space: Space,
  documents: readonly PreparedDocument[],
  destination: DocumentDestination,
  answer: 'full' | 'ids',
) {
  if (documents.some(({ isUnwrapped }) => isUnwrapped)) space.notes.add(UNWRAPPED_NOTE)
  const place = await resolveDestination(space, destination)
  const titles = documents.map(({ title }) => title)
  const drawn = await drawIds(space, documents)
  const roots = await createDocuments(space, titles, { ...place, dailyNoteDate: null }, drawn?.roots)
  const contents: BlocksToInsert[] = []
  for (const [index, { content, templateId }] of documents.entries()) {
    const target = { parent: roots[index] as BlockRow, at: 'end' } as const
    if (templateId !== undefined) {
      // Insert earlier content first: block numbers must follow the order of the documents, since they decide the order
      // of tasks that are otherwise equal.
      await insertAllBlockTrees(space, contents.splice(0))
      await copyBlockContent(space, await getTemplateRoot(space, templateId), target)
    }
    if (content.length > 0) contents.push({ blocks: content, target, isEmpty: templateId === undefined })
  }
  await insertAllBlockTrees(space, contents, drawn && { ids: drawn.content, areAllDrawn: true })
  return {
    items: roots.map((root) => (answer === 'ids' ? { id: space.spellId(root.id) } : addedDocumentAnswer(space, root))),
  }
}

/**
 * Draws the IDs of several documents and their content, so that those of each document are neighbors: the same documents
 * get the same IDs if they are added one after the other.
 *
 * @returns undefined for a single one, and if templates are copied
 */
async function drawIds(
  space: Space,
  documents: readonly PreparedDocument[],
): Promise<{ roots: number[]; content: Map<Block, number> } | undefined> {
  if (documents.length === 1 || documents.some(({ templateId }) => templateId !== undefined)) return undefined
  const counts = documents.map(({ content }) => countBlocks(content))
  const ids = await space.newIds(counts.reduce((sum, count) => sum + count, documents.length))
  const drawn = { roots: [] as number[], content: new Map<Block, number>() }
  let next = 0
  for (const [index, { content }] of documents.entries()) {
    drawn.roots.push(ids[next++] ?? 0)
    for (const [block, id] of idsInReadingOrder(content, ids.slice(next))) drawn.content.set(block, id)
    next += counts[index] ?? 0
  }
  return drawn
}

const addedDocumentAnswer = (space: Space, { id, text }: BlockRow) => ({
  id: space.spellId(id),
  rootBlockId: space.spellId(id),
  title: plainTitle(text),
  ...deepLinks(space, { documentId: space.spellId(id) }),
})

async function getTemplateRoot(space: Space, id: AnyId): Promise<BlockRow> {
  const template = await space.getDocument(id)
  if (template.location !== 'templates') {
    throw invalid(
      `Expected the ID of a template as templateId, found ${id}, a document in another place; list templates with documents_list and location templates.`,
    )
  }
  return space.getBlock(id)
}

/**
 * Moves documents to the trash. They keep their content and IDs. Documents that are already in the trash stay there.
 */
export async function deleteDocuments(space: Space, documentIds: readonly AnyId[]) {
  const documents = await space.getDocuments(documentIds)
  const numbers = documents.map(({ n }) => n)
  await assertUnlocked(space, numbers)
  await trashDocuments(space.tx, numbers, space.now)
  space.forgetDocumentRows()
  return { items: documents.map(({ id }) => space.spellId(id)) }
}

/**
 * Moves documents, including out of the trash. A daily note that is restored to `unsorted` returns to its day if that
 * day has no other note; otherwise it becomes an ordinary document.
 *
 * @throws VALIDATION_ERROR if a document is a daily note that is not in the trash
 */
export async function moveDocuments(
  space: Space,
  documentIds: readonly AnyId[],
  destination: DocumentDestination,
  { expected, partial: isPartial = false }: MoveCondition = {},
) {
  const place = await resolveDestination(space, destination)
  const { held: documents, conflicts } = await entriesAsExpected({
    ...{ entries: await space.getDocuments(documentIds), noun: 'document', isPartial },
    pathOf: () => '',
    idOf: ({ id }) => space.spellId(id),
    expectedOf: () => expected,
    read: async (some) => readPlaces(space, some),
  })
  for (const { id, location, dailyNoteDate } of documents) {
    if (location === 'daily_notes') {
      throw invalid(
        `Expected documents that can be moved, found ${id}, the daily note of ${dailyNoteDate}; daily notes stay where they are, move their blocks with blocks_move.`,
      )
    }
  }
  await assertUnlocked(
    space,
    documents.map(({ n }) => n),
  )
  const restored = place.location === 'unsorted' ? await restoreDailyNotes(space, documents) : new Map<number, string>()
  await setDocumentPlaces(
    space.tx,
    documents.flatMap(({ n }) => (restored.has(n) ? [] : [n])),
    { ...place, dailyNoteDate: null },
  )
  space.forgetDocumentRows()
  const spelledDestination =
    'folderId' in destination ? { folderId: space.spellId(idNumber(destination.folderId)) } : destination
  return {
    items: documents.map(({ id, n }) => {
      const dailyNoteDate = restored.get(n)
      const own = dailyNoteDate === undefined ? spelledDestination : { destination: 'daily_notes', dailyNoteDate }
      return { id: space.spellId(id), destination: own }
    }),
    ...(conflicts.length > 0 && { conflicts }),
  }
}

/** Where the documents are believed to be, and whether to move the others if some are elsewhere. */
interface MoveCondition {
  expected?: Expected | undefined
  partial?: boolean
}

/** What conditions can name of a document that is moved, as documents_list shows it. */
function readPlaces(space: Space, documents: readonly DocumentRecord[]): FoundFields[] {
  return documents.map(({ location, folderId, dailyNoteDate }) => ({
    location: location === 'folder' ? null : location,
    folderId: folderId === null ? null : space.spellId(folderId),
    dailyNoteDate,
  }))
}

/** Restores daily notes to their days if those are free. Returns the restored days by document number. */
async function restoreDailyNotes(space: Space, documents: readonly DocumentRecord[]): Promise<Map<number, string>> {
  const restored = new Map<number, string>()
  for (const { n, location, dailyNoteDate } of documents) {
    if (location !== 'trash' || dailyNoteDate === null) continue
    if ((await latestDailyNote(space.tx, dailyNoteDate)) !== undefined) continue
    await setDocumentPlaces(space.tx, [n], { location: 'daily_notes', folder: null, dailyNoteDate })
    restored.set(n, dailyNoteDate)
  }
  return restored
}

async function resolveDestination(
  space: Space,
  destination: DocumentDestination,
): Promise<Omit<DocumentPlace, 'dailyNoteDate'>> {
  if ('destination' in destination) return { location: destination.destination, folder: null }
  return { location: 'folder', folder: (await findFolder(space, destination.folderId)).n }
}
