/** Blocks that are added by calls of their own: pages, collections, whiteboards and files. */
import type { EditorState, Transaction } from 'prosemirror-state'
import type { Fields } from '../model/block-text.ts'
import { isTextNode, nodeOf } from '../model/page-block.ts'
import type { BlockPosition, Step } from '../model/page-step.ts'
import { newName } from '../unsent/placeholders.ts'
import { type BlockPlace, blockWithId, endOf } from './block-place.ts'
import type { InsertedKind } from './slash-kinds.ts'

/** A block, and the transaction that shows it until the server has rendered it. */
export interface Inserted {
  /** The placeholder for its ID. */
  name: string
  transaction: Transaction
}

/** Shows a block after another one, or before it if that is an empty text. */
export function insertShown(
  state: EditorState,
  beside: BlockPlace,
  { fields, markdown }: { fields: Fields; markdown: string },
): Inserted {
  const name = newName()
  const isEmpty = isTextNode(beside.node) && beside.node.content.size === 0
  const node = nodeOf({ id: name, fields, markdown })
  return { name, transaction: state.tr.insert(isEmpty ? beside.pos : endOf(beside), node) }
}

/** The place of a block by its ID; the last one if it is gone. */
export function placeOrLast({ doc }: EditorState, id: string): BlockPlace {
  const index = doc.childCount - 1
  const last = { node: doc.child(index), pos: doc.content.size - doc.child(index).nodeSize, index }
  return blockWithId(doc, id) ?? last
}

interface InsertedCall {
  fields: Fields
  step: (position: BlockPosition) => Step
}

const added =
  (block: object) =>
  (position: BlockPosition): Step => ({ tool: 'blocks_add', arguments: { blocks: [block], position } })

/** What the slash menu adds by calls. Files are chosen first. */
export const INSERTED: Readonly<Record<Exclude<InsertedKind, 'file'>, InsertedCall>> = {
  page: { fields: { type: 'page' }, step: added({ type: 'page', title: 'Untitled' }) },
  card: {
    fields: { type: 'page', textStyle: 'card' },
    step: added({ type: 'page', title: 'Untitled', textStyle: 'card' }),
  },
  collection: {
    fields: { type: 'collection' },
    step: (position) => ({
      tool: 'collections_add',
      arguments: { schema: { name: 'Collection', properties: [{ name: 'Note', type: 'text' }] }, position },
      idAt: 'collectionBlockId',
    }),
  },
  whiteboard: {
    fields: { type: 'whiteboard' },
    step: (position) => ({ tool: 'whiteboards_add', arguments: { position }, idAt: 'whiteboardBlockId' }),
  },
}
