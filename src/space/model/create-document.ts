/** Creates a document: its root block and its location. */

import type { DocumentPlace } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { insertDocumentRows } from './block-writes.ts'
import type { NewBlocks } from './new-ids.ts'
import type { Space } from './space.ts'

/** Creates an empty document in which a call puts something, such as the inbox. @returns its root block */
export async function createDocument(space: Space, title: string, place: DocumentPlace): Promise<BlockRow> {
  const [root] = await insertRoots(space, [title], place, await space.newBlocks(1, undefined, true))
  if (root === undefined) throw new Error('Expected the root of a new document, found none.')
  return root
}

/**
 * Creates empty documents in one location.
 *
 * @param givenIds  their IDs, if they were drawn beforehand
 * @returns their root blocks, in the order of the titles
 */
export async function createDocuments(
  space: Space,
  titles: readonly string[],
  place: DocumentPlace,
  givenIds?: readonly number[],
): Promise<BlockRow[]> {
  return insertRoots(space, titles, place, await space.newBlocks(titles.length, givenIds))
}

async function insertRoots(
  space: Space,
  titles: readonly string[],
  place: DocumentPlace,
  { firstNumber, ids }: NewBlocks,
): Promise<BlockRow[]> {
  const { now } = space
  const roots = titles.map((title, index) => rootRow(space, title, { n: firstNumber + index, id: ids[index] ?? 0 }))
  const rows = roots.map(({ n }) => ({ n, ...place, createdAt: now, modifiedAt: now, revision: 1, trashedAt: null }))
  await insertDocumentRows(space, roots, rows)
  space.rememberDocumentRows(rows)
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
    number: null,
    attributes: null,
    createdAt: space.now,
    createdBy: space.link.author,
    modifiedAt: null,
    modifiedBy: null,
  }
}
