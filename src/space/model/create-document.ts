/** Makes a document: its root block, and where it is kept. */

import { nextBlockNumber } from '../../../storage/blocks.ts'
import { type DocumentPlace, insertDocuments } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { insertRows } from './block-writes.ts'
import type { Space } from './space.ts'

/** Makes an empty document. @returns the root block that is its page */
export async function createDocument(space: Space, title: string, place: DocumentPlace): Promise<BlockRow> {
  const [root] = await createDocuments(space, [title], place)
  if (root === undefined) throw new Error('Expected the root of a new document, found none.')
  return root
}

/** Makes empty documents in one place. @returns their roots, in the order of the titles */
export async function createDocuments(
  space: Space,
  titles: readonly string[],
  place: DocumentPlace,
): Promise<BlockRow[]> {
  const first = await nextBlockNumber(space.tx)
  const ids = await space.newIds(titles.length)
  const roots = titles.map((title, index) => rootRow(space, title, { n: first + index, id: ids[index] ?? 0 }))
  await insertRows(space, roots)
  const { now } = space
  await insertDocuments(
    space.tx,
    roots.map(({ n }) => ({ n, ...place, createdAt: now, modifiedAt: now, revision: 1 })),
  )
  return roots
}

function rootRow(space: Space, title: string, { n, id }: Pick<BlockRow, 'n' | 'id'>): BlockRow {
  return {
    n,
    id,
    document: n,
    parent: null,
    position: 0,
    type: 'page',
    text: titleFromPlain(title),
    indentation: 0,
    listStyle: null,
    attributes: null,
    createdAt: space.now,
    createdBy: space.link.author,
    modifiedAt: null,
    modifiedBy: null,
  }
}
