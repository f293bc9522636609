/** Commands that change the kind, the level or the place of blocks. */
import { Fragment, Slice } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import { nestedLevels } from '../model/block-levels.ts'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode, isTextNode } from '../model/page-block.ts'
import {
  type BlockPlace,
  blockAfter,
  blockAround,
  blockBefore,
  blockWithId,
  endOf,
  levelOfNode,
  runsOfBlocks,
  selectedBlocks,
  withNested,
} from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { sayMoved } from './spoken-changes.ts'

export const changeFields = (transaction: Transaction, { pos }: BlockPlace, fields: Fields): Transaction =>
  transaction.setNodeAttribute(pos, 'fields', fields)

/** Gives the selected blocks of text another kind. Their level stays, except for headings. */
export const setKind =
  (kind: Partial<Fields>): Command =>
  (state, dispatch) => {
    const places = selectedBlocks(state).filter(({ node }) => isTextNode(node))
    if (places.length === 0) return false
    const { tr } = state
    for (const place of places) changeFields(tr, place, kindOn(fieldsOfNode(place.node), kind))
    dispatch?.(tr.scrollIntoView())
    return true
  }

function kindOn({ indentationLevel }: Fields, kind: Partial<Fields>): Fields {
  const isOutside = kind.textStyle !== undefined && kind.textStyle !== 'caption'
  return { type: 'text', ...(!isOutside && indentationLevel && { indentationLevel }), ...kind }
}

/** Indents the selected blocks with everything nested below them, or outdents them. */
export const nest =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const tr = nestPlaces(state, selectedBlocks(state), by)
    if (tr.docChanged) dispatch?.(tr.scrollIntoView())
    return true
  }

export function nestPlaces(state: EditorState, places: readonly BlockPlace[], by: -1 | 1): Transaction {
  const { tr, doc } = state
  for (const run of runsOfBlocks(withNested(doc, places))) {
    const [first] = run
    const before = first && blockBefore(doc, first)
    const levels = run.map(({ node }) => levelOfNode(node))
    const nested = nestedLevels({ before: before && levelOfNode(before.node), levels }, by)
    for (const [index, place] of run.entries()) {
      const { indentationLevel: _, ...fields } = fieldsOfNode(place.node)
      const level = nested[index] ?? 0
      if (level !== levels[index]) changeFields(tr, place, level > 0 ? { ...fields, indentationLevel: level } : fields)
    }
  }
  return tr
}

/** Moves the selected blocks, with everything nested below them, past the block above or below. */
export const move =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { doc } = state
    const group = withNested(doc, selectedBlocks(state))
    const [first] = group
    const last = group.at(-1)
    const neighbor = direction === -1 ? first && blockBefore(doc, first) : last && blockAfter(doc, last)
    if (neighbor === undefined) return true
    const past = direction === 1 ? (withNested(doc, [neighbor]).at(-1) ?? neighbor) : neighbor
    dispatch?.(moveTo(state, group, direction === -1 ? past.pos : endOf(past)).scrollIntoView())
    return true
  }

/**
 * Moves blocks to a position between blocks. They keep their IDs, and the selection stays in them. Separate blocks are
 * brought together.
 */
export function moveTo(state: EditorState, group: readonly BlockPlace[], target: number): Transaction {
  const { tr, selection } = state
  sayMoved(tr, group.length)
  for (const place of group.toReversed()) tr.step(new ReplaceStep(place.pos, endOf(place), Slice.empty))
  const at = tr.mapping.map(target)
  tr.step(new ReplaceStep(at, at, new Slice(Fragment.fromArray(group.map(({ node }) => node)), 0, 0)))
  const movedTo = (position: number) => {
    let start = at
    for (const place of group) {
      if (position >= place.pos && position < endOf(place)) return start + position - place.pos
      start += place.node.nodeSize
    }
    return undefined
  }
  if (selection instanceof BlockRange) {
    const starts = selection.positions.flatMap((position) => movedTo(position) ?? [])
    if (starts.length > 0) tr.setSelection(BlockRange.create(tr.doc, starts, movedTo(selection.head)))
  } else if (selection instanceof TextSelection) {
    const [anchor, head] = [movedTo(selection.anchor), movedTo(selection.head)]
    if (head !== undefined) tr.setSelection(TextSelection.create(tr.doc, anchor ?? head, head))
  }
  return tr
}

/** Ctrl Enter in a task ticks it. */
export const tickTask: Command = (state, dispatch) => {
  const place = blockAround(state.selection.$from)
  if (fieldsOfNode(place.node).listStyle !== 'task') return false
  dispatch?.(tick(state, place))
  return true
}

/** Ticks the task with an ID. */
export function tickWithId(state: EditorState, id: string): Transaction | undefined {
  const place = blockWithId(state.doc, id)
  return place && tick(state, place)
}

function tick({ tr }: EditorState, place: BlockPlace): Transaction {
  const fields = fieldsOfNode(place.node)
  const state = (fields.taskInfo?.state ?? 'todo') === 'todo' ? 'done' : 'todo'
  return changeFields(tr, place, { ...fields, taskInfo: { ...fields.taskInfo, state } })
}
