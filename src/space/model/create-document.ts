/** Makes a document: its root block, and where it is kept. */

import { nextBlockNumber } from '../../../storage/blocks.ts'
import { type DocumentPlace, insertDocuments } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { insertRows } from './block-writes.ts'
import type { Space } from './space.ts'

/** Make an empty document; the root block that is its page. */
export async function createDocument(space: Space, title: string, place: DocumentPlace): Promise<BlockRow> {
  const n = await nextBlockNumber(space.tx)
  const root: BlockRow = {
    n,
    id: space.newId(),
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
  await insertRows(space, [root])
  await insertDocuments(space.tx, [{ n, ...place, createdAt: space.now, modifiedAt: space.now, revision: 1 }])
  return root
}
