/** The menu that `/` opens in a text: changes the kind of the block, or inserts one. */
import { type EditorState, type Plugin, Selection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { isTextNode, nodeOf } from '../model/page-block.ts'
import { text } from '../page-text.ts'
import { setKind } from './block-fields.ts'
import { blockAround, endOf } from './block-place.ts'
import { type InsertedKind, kindsFor, type SlashKind } from './slash-kinds.ts'
import { emptyText } from './split-blocks.ts'
import { suggestionMenu, type TypedQuery, typedBefore } from './suggestion-menu.ts'

/** At the start or after a space. */
const SLASH = /(?:^|(?<=[\s\ufffc]))(\/)([\p{L}\d ]{0,20})$/u

/** @param onInsert  adds what the page makes by a call of its own, after the block with this ID */
export const slashMenu = (onInsert: (kind: InsertedKind, after: string) => void): Plugin =>
  suggestionMenu({
    id: 'kinds',
    label: text('Kinds of blocks'),
    match: slashBefore,
    find: (query) =>
      kindsFor(query).map((kind) => ({ ...kind, choose: (view, typed) => choose(view, kind, typed, onInsert) })),
  })

function choose(
  view: EditorView,
  kind: SlashKind,
  { from, to }: TypedQuery,
  onInsert: (kind: InsertedKind, after: string) => void,
): void {
  view.dispatch(view.state.tr.delete(from, to))
  if (kind.fields !== undefined) setKind(kind.fields)(view.state, view.dispatch)
  else if (kind.block !== undefined) view.dispatch(insertBlock(view.state, kind.block))
  else if (kind.inserts !== undefined)
    onInsert(kind.inserts, String(blockAround(view.state.selection.$from).node.attrs.id))
}

/** Finds `/` at the start or after a space, and the letters between it and the caret. */
export const slashBefore = (state: EditorState): TypedQuery | undefined =>
  isTextNode(state.selection.$from.parent) ? typedBefore(state, SLASH) : undefined

/** Inserts a block below the one with the caret, or in place of an empty one. */
export function insertBlock(state: EditorState, { fields, markdown }: NonNullable<SlashKind['block']>): Transaction {
  const place = blockAround(state.selection.$from)
  const { tr } = state
  const node = nodeOf({ id: '', fields, markdown })
  const isEmpty = place.node.content.size === 0
  const at = isEmpty ? place.pos : endOf(place)
  const added =
    node.isAtom && at + (isEmpty ? place.node.nodeSize : 0) >= state.doc.content.size ? [node, emptyText()] : [node]
  tr.replaceWith(at, isEmpty ? endOf(place) : at, added)
  const inside = node.isAtom ? at + node.nodeSize : at
  return tr.setSelection(Selection.near(tr.doc.resolve(inside + 1), 1)).scrollIntoView()
}
