/** Documents, files and whiteboards within reach as clients list and watch them. */
import { blocksByNumbers } from '../../storage/blocks.ts'
import { type BoardPlace, boardsAfter, boardsIn } from '../../storage/changes.ts'
import { type DocumentFilter, documentByNumber, listDocuments as list } from '../../storage/documents.ts'
import { shownFiles } from '../../storage/files.ts'
import { eachInTurn } from '../breathe.ts'
import { moment } from './dates.ts'
import { readableFile } from './files/shown.ts'
import { visibleTitles } from './links.ts'
import { isKept, reachOf, type Space } from './space.ts'

export interface Listed {
  id: string
  /** Where it stands in the list. */
  at: number
  name: string
  mimeType?: string
  /** Bytes. */
  size?: number
  modifiedAt?: string
}

/** Documents in the order in which they were made, without those in the trash. */
export async function listDocuments(space: Space, after: number, limit: number): Promise<Listed[]> {
  const { kind, link } = space
  const filter: DocumentFilter =
    kind === 'selected'
      ? { documents: [...link.documents], notIn: 'trash' }
      : kind === 'daily'
        ? { location: 'daily_notes' }
        : { notIn: 'trash' }
  const records = await list(space.tx, filter, after, limit)
  const titleOf = await visibleTitles(
    space,
    records.map(({ title }) => title),
  )
  const listed: Listed[] = []
  for await (const { id, n, title, modifiedAt } of eachInTurn(records)) {
    const name = titleOf(title)
    listed.push({ id, at: n, name, mimeType: 'text/markdown', modifiedAt: moment(modifiedAt) })
  }
  return listed
}

export async function listFiles(space: Space, after: number, limit: number): Promise<Listed[]> {
  const files = await shownFiles(space.tx, reachOf(space.link), after, limit)
  return files.map(({ n, id, name, mimeType, size }) => ({ id, at: n, name, mimeType, size }))
}

export async function listBoards(space: Space, after: number, limit: number): Promise<Listed[]> {
  const boards = await boardsAfter(space.tx, reachOf(space.link), after, limit)
  const listed: Listed[] = []
  for await (const board of eachInTurn(boards)) listed.push(await describeBoard(space, board))
  return listed
}

async function describeBoard(space: Space, { n, id, document }: BoardPlace): Promise<Listed> {
  const [{ text: title } = { text: '' }] = await blocksByNumbers(space.tx, [document])
  const titleOf = await visibleTitles(space, [title])
  return { id, at: n, name: `Whiteboard in ${titleOf(title)}`, mimeType: 'application/json' }
}

/** Those of these IDs that are documents within reach, in no order. */
export async function documentsWithin(space: Space, ids: readonly string[]): Promise<string[]> {
  const roots = (await space.reachable(ids)).filter(({ n, document }) => n === document)
  return idsReached(space, roots)
}

/** Those of these IDs that are whiteboards within reach, in no order. */
export async function boardsWithin(space: Space, ids: readonly string[]): Promise<string[]> {
  const boards = (await space.reachable(ids)).filter(({ type }) => type === 'whiteboard')
  return idsReached(space, boards)
}

/** Those of these IDs that are files within reach. */
export async function filesWithin(space: Space, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for await (const id of eachInTurn(new Set(ids))) {
    const file = await readableFile(space, id)
    if (file !== undefined) found.push(file.id)
  }
  return found
}

async function idsReached(space: Space, rows: readonly { id: string; document: number }[]): Promise<string[]> {
  const documents = new Set(await reached(space, [...new Set(rows.map(({ document }) => document))]))
  return rows.filter(({ document }) => documents.has(document)).map(({ id }) => id)
}

/** The IDs of those of the documents that are within reach. */
export async function changedDocuments(space: Space, documents: readonly number[]): Promise<string[]> {
  const roots = await blocksByNumbers(space.tx, await reached(space, documents))
  return roots.map(({ id }) => id)
}

/** The IDs of the whiteboards in those of the documents that are within reach. */
export async function changedBoards(space: Space, documents: readonly number[]): Promise<string[]> {
  return boardsIn(space.tx, await reached(space, documents))
}

async function reached(space: Space, documents: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (const n of documents) {
    const document = await documentByNumber(space.tx, n)
    if (document !== undefined && !isKept(document) && (await space.reaches(n))) found.push(n)
  }
  return found
}
