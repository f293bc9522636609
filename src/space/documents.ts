/** Documents: made, moved, thrown away and restored. Source: the interface, "Documents", and its shapes, 2. */
import { type DocumentPlace, setDocumentPlace, trashDocument } from '../../storage/documents.ts'
import type { BlockRow } from '../../storage/schema.ts'
import { eachInTurn } from '../breathe.ts'
import { invalid } from '../errors.ts'
import type { Block } from '../markdown/block.ts'
import { checkCount, countBlocks } from '../markdown/block-count.ts'
import { readAside } from '../markdown/read-aside.ts'
import { plainTitle } from '../markdown/title.ts'
import { copyContent } from './blocks/copy.ts'
import { insertTree } from './blocks/insert.ts'
import { appLink } from './deep-links.ts'
import { makeDocument } from './documents-make.ts'
import { findFolder } from './folders.ts'
import type { Space } from './space.ts'

/** Where documents can be put: never the trash (that is documents_delete) nor among the daily notes. */
export type Destination = { destination: 'unsorted' | 'templates' } | { folderId: string }

interface AskedDocument {
  title: string
  markdown?: string | undefined
  templateId?: string | undefined
}

/** A document to make, its Markdown read. */
interface NewDocument {
  title: string
  content: readonly Block[]
  templateId?: string | undefined
}

/** @throws VALIDATION_ERROR for Markdown that cannot be read, or more blocks than one call may write */
export async function prepareDocuments(documents: readonly AskedDocument[]): Promise<NewDocument[]> {
  const prepared: NewDocument[] = []
  for await (const { title, markdown = '', templateId } of eachInTurn(documents)) {
    prepared.push({ title, content: await readAside(markdown), templateId })
  }
  checkCount(countBlocks(prepared.flatMap(({ content }) => content)))
  return prepared
}

/**
 * @throws NOT_FOUND_ERROR for a folder or template that there is not; VALIDATION_ERROR for a template that is an
 *   ordinary document
 */
export async function addDocuments(
  space: Space,
  documents: readonly NewDocument[],
  destination: Destination,
  answer: 'documents' | 'ids',
) {
  const place = await placeOf(space, destination)
  const items: { id: string; rootBlockId?: string; title?: string; clickableLink?: string }[] = []
  for await (const { title, content, templateId } of eachInTurn(documents)) {
    const template = templateId === undefined ? undefined : await templateRoot(space, templateId)
    const root = await makeDocument(space, title, { ...place, dailyNoteDate: null })
    const end = { parent: root, at: 'end' } as const
    if (template !== undefined) await copyContent(space, template, end)
    if (content.length > 0) await insertTree(space, content, end)
    items.push(answer === 'ids' ? { id: root.id } : addedDocument(space, root))
  }
  return { items }
}

const addedDocument = ({ info }: Space, { id, text }: BlockRow) => ({
  id,
  rootBlockId: id,
  title: plainTitle(text),
  clickableLink: appLink(info, { documentId: id }),
})

async function templateRoot(space: Space, id: string): Promise<BlockRow> {
  const template = await space.document(id)
  if (template.location !== 'templates') {
    throw invalid(
      `Expected the ID of a template as templateId, found ${id}, a document in another place; list templates with documents_list and location templates.`,
    )
  }
  return space.block(id)
}

/** Throw documents away: they keep all they hold, and their IDs. Those in the trash already stay there. */
export async function deleteDocuments(space: Space, documentIds: readonly string[]) {
  const documents = await space.documents(documentIds)
  for await (const { n } of eachInTurn(documents)) await trashDocument(space.tx, n, space.now)
  return { items: documents.map(({ id }) => id) }
}

/**
 * Move documents, out of the trash too. A daily note that was thrown away comes back as an ordinary document.
 *
 * @throws VALIDATION_ERROR for a daily note that is in its place
 */
export async function moveDocuments(space: Space, documentIds: readonly string[], destination: Destination) {
  const place = await placeOf(space, destination)
  const documents = await space.documents(documentIds)
  for await (const { n, id, location, dailyNoteDate } of eachInTurn(documents)) {
    if (location === 'daily_notes') {
      throw invalid(
        `Expected documents that can be moved, found ${id}, the daily note of ${dailyNoteDate}; daily notes stay where they are, move their blocks with blocks_move.`,
      )
    }
    await setDocumentPlace(space.tx, n, { ...place, dailyNoteDate: null })
  }
  return { items: documents.map(({ id }) => ({ id, destination })) }
}

async function placeOf(space: Space, destination: Destination): Promise<Omit<DocumentPlace, 'dailyNoteDate'>> {
  if ('destination' in destination) return { location: destination.destination, folder: null }
  return { location: 'folder', folder: (await findFolder(space, destination.folderId)).n }
}
