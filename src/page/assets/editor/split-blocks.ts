/** Enter, Backspace and Delete: splits blocks, ends lists, and joins blocks. */
import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { continueDecorations } from '../../../markdown/callout-levels.ts'
import type { Fields } from '../model/block-text.ts'
import { schema } from '../model/editor-schema.ts'
import { fieldsOfNode, isCodeNode, isTextNode } from '../model/page-block.ts'
import { changeFields, nestPlaces } from './block-fields.ts'
import { type BlockPlace, blockAfter, blockAround, blockBefore, endOf, levelOfNode, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { sayDeleted } from './spoken-changes.ts'

const { nodes } = schema

/** An empty block of text, whose ID is given to it later. */
export const emptyText = (fields: Fields = { type: 'text' }): Node => nodes.text_block.create({ id: '', fields })

/** Enter in a text: what is after the caret becomes the next block. */
export const splitBlock: Command = (state, dispatch) => {
  if (!isTextNode(state.selection.$from.parent) || !(state.selection instanceof TextSelection)) return false
  const { tr } = state
  if (!state.selection.empty) tr.deleteSelection()
  const { $from } = tr.selection
  if (!isTextNode($from.parent)) {
    dispatch?.(tr)
    return true
  }
  const place = blockAround($from)
  const fields = fieldsOfNode(place.node)
  const isPlain = fields.listStyle === undefined && fields.decorations === undefined
  if (place.node.content.size === 0 && !isPlain) {
    dispatch?.(endList(state, tr, place).scrollIntoView())
    return true
  }
  const next = fieldsOfNext(fields)
  if ($from.parentOffset === 0 && place.node.content.size > 0) {
    // Above the beginning of a callout is outside of it.
    const { callout, ...outside } = next.decorations ?? {}
    const startsHere = typeof callout === 'object' && JSON.stringify(fields).includes('"starts"')
    tr.insert(place.pos, emptyText(startsHere ? withDecorations(next, outside) : next))
  } else {
    // A folded toggle keeps what is nested in it.
    tr.split($from.pos, 1, [{ type: nodes.text_block, attrs: { id: '', fields: next } }])
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

function withDecorations({ decorations: _, ...fields }: Fields, decorations: object): Fields {
  return Object.keys(decorations).length > 0 ? { ...fields, decorations } : fields
}

function fieldsOfNext(fields: Fields): Fields {
  const { textStyle, taskInfo, number: _number, details: _details, ...others } = fields
  return {
    ...(textStyle === undefined ? others : { type: 'text' as const }),
    ...(others.decorations && { decorations: continueDecorations(others.decorations) }),
    ...(taskInfo && { taskInfo: { state: 'todo' as const } }),
  }
}

/** An empty item goes one level out, and ends its list at the outermost level. */
function endList(state: EditorState, tr: Transaction, place: BlockPlace): Transaction {
  if (levelOfNode(place.node) > 0 && !tr.docChanged) return nestPlaces(state, [place], -1)
  return changeFields(tr, place, { type: 'text' })
}

/** Shift Enter: a new line in the same block. */
export const breakLine: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!$from.parent.inlineContent || isCodeNode($from.parent)) return false
  // A line that has nothing yet would be gone without the backslash.
  dispatch?.(state.tr.replaceSelectionWith(nodes.line_break.create(), true).scrollIntoView())
  return true
}

/** Backspace at the start of a text: resets its kind, then outdents it, then joins it with the block above. */
export const joinBackward: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0 || $from.depth !== 1) return false
  const place = blockAround($from)
  const { tr, doc } = state
  const fields = fieldsOfNode(place.node)
  const { indentationLevel } = fields
  if (isCodeNode(place.node)) {
    if (place.node.content.size > 0) return true
    dispatch?.(toText(tr, place))
    return true
  }
  if (fields.listStyle !== undefined || fields.textStyle !== undefined || fields.decorations !== undefined) {
    dispatch?.(changeFields(tr, place, { type: 'text', ...(indentationLevel && { indentationLevel }) }))
    return true
  }
  if (indentationLevel) {
    dispatch?.(nestPlaces(state, [place], -1))
    return true
  }
  const before = blockBefore(doc, place)
  if (before === undefined) return true
  if (isTextNode(before.node)) dispatch?.(joinPlaces(tr, before, place).scrollIntoView())
  else {
    if (place.node.content.size === 0) tr.delete(place.pos, endOf(place))
    dispatch?.(tr.setSelection(BlockRange.create(tr.doc, [before.pos])).scrollIntoView())
  }
  return true
}

function toText(tr: Transaction, { node, pos }: BlockPlace): Transaction {
  tr.replaceWith(pos, pos + node.nodeSize, nodes.text_block.create({ id: node.attrs.id, fields: { type: 'text' } }))
  return tr.setSelection(TextSelection.create(tr.doc, pos + 1))
}

/** Delete at the end of a text: joins it with the next one. */
export const joinForward: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.depth !== 1 || $from.parentOffset < $from.parent.content.size) return false
  const place = blockAround($from)
  const after = blockAfter(state.doc, place)
  if (!isTextNode(place.node)) return true
  if (after === undefined) return true
  if (isTextNode(after.node)) dispatch?.(joinPlaces(state.tr, place, after).scrollIntoView())
  else {
    const { tr } = state
    const isEmpty = place.node.content.size === 0
    if (isEmpty) tr.delete(place.pos, endOf(place))
    dispatch?.(tr.setSelection(BlockRange.create(tr.doc, [isEmpty ? place.pos : after.pos])).scrollIntoView())
  }
  return true
}

/** The first block keeps its ID and its kind. */
function joinPlaces(tr: Transaction, first: BlockPlace, second: BlockPlace): Transaction {
  const at = endOf(first) - 1
  tr.join(second.pos)
  return tr.setSelection(TextSelection.create(tr.doc, at))
}

/** Deletes the selected blocks with everything nested below them. A page keeps one block. */
export const deleteBlocks: Command = (state, dispatch) => {
  const { selection, doc, tr } = state
  if (!(selection instanceof BlockRange)) return false
  const group = withNested(
    doc,
    selection.positions.map((position) => blockAround(doc.resolve(position))),
  )
  dispatch?.(sayDeleted(removePlaces(tr, group), group.length).scrollIntoView())
  return true
}

export function removePlaces(tr: Transaction, group: readonly BlockPlace[]): Transaction {
  const [first] = group
  const isAll = group.length === tr.doc.childCount
  for (const place of group.toReversed()) tr.delete(place.pos, endOf(place))
  if (isAll) {
    tr.replaceWith(0, tr.doc.content.size, emptyText())
    return tr.setSelection(Selection.atStart(tr.doc))
  }
  const position = Math.min(first?.pos ?? 0, tr.doc.content.size)
  return tr.setSelection(BlockRange.create(tr.doc, [blockAround(tr.doc.resolve(position)).pos]))
}

/** Adds an empty text below a block, and moves the caret there. */
export function addBelow(state: EditorState, place: BlockPlace): Transaction {
  const { tr } = state
  tr.insert(endOf(place), emptyText())
  return tr.setSelection(TextSelection.create(tr.doc, endOf(place) + 1)).scrollIntoView()
}

/** Ctrl Enter in code, and Enter on a block without text: an empty text below it. */
export const leaveBelow: Command = (state, dispatch) => {
  const place = blockAround(state.selection.$head)
  if (!isCodeNode(place.node) && !(state.selection instanceof BlockRange)) return false
  dispatch?.(addBelow(state, place))
  return true
}
