/** Documents, files and whiteboards within reach as clients list and watch them. */
import { blocksByNumbers } from '../../storage/blocks.ts'
import { type BoardPlace, boardsAfter, boardsIn } from '../../storage/changes.ts'
import { documentByNumber, listDocuments as list } from '../../storage/documents.ts'
import { shownFiles } from '../../storage/files.ts'
import { plainTitle } from '../markdown/title.ts'
import { moment } from './dates.ts'
import { isKept, type Space } from './space.ts'

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

/** Places that are looked at for one page, as many of them as are out of reach. */
const LOOKED_AT = 2_000

/** Documents in the order in which they were made, without those in the trash. */
export async function listDocuments(space: Space, after: number, limit: number): Promise<Listed[]> {
  const { kind, link } = space
  const filter =
    kind === 'selected'
      ? { documents: [...link.documents] }
      : kind === 'daily'
        ? ({ location: 'daily_notes' } as const)
        : {}
  const records = await list(space.tx, filter, after, limit)
  return records.map(({ id, n, title, location, modifiedAt }) => {
    return {
      id: location === 'trash' ? '' : id,
      at: n,
      name: plainTitle(title),
      mimeType: 'text/markdown',
      modifiedAt: moment(modifiedAt),
    }
  })
}

export async function listFiles(space: Space, after: number, limit: number): Promise<Listed[]> {
  const rows = await shownFiles(space.tx, after, LOOKED_AT)
  const listed = new Map<number, Listed>()
  for (const { n, id, name, mimeType, size, document } of rows) {
    if (listed.size === limit) break
    const reaches = listed.has(n) || (await isShown(space, document))
    if (reaches) listed.set(n, { id, at: n, name, mimeType, size })
  }
  return [...listed.values()]
}

export async function listBoards(space: Space, after: number, limit: number): Promise<Listed[]> {
  const listed: Listed[] = []
  for (const board of await boardsAfter(space.tx, after, LOOKED_AT)) {
    if (listed.length === limit) break
    if (await isShown(space, board.document)) listed.push(await describeBoard(space, board))
  }
  return listed
}

async function describeBoard(space: Space, { n, id, document }: BoardPlace): Promise<Listed> {
  const [root] = await blocksByNumbers(space.tx, [document])
  return { id, at: n, name: `Whiteboard in ${plainTitle(root?.text ?? '')}`, mimeType: 'application/json' }
}

/** Whether what stands in a document is listed: within reach, and not thrown away. */
async function isShown(space: Space, document: number): Promise<boolean> {
  return (await space.reaches(document)) && (await documentByNumber(space.tx, document))?.location !== 'trash'
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
