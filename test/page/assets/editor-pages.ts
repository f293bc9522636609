/** Documents of the editor as text, one line a block, with `[` and `]` around the selection. */
import type { Node } from 'prosemirror-model'
import { type Command, EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { blockIds } from '../../../src/page/assets/editor/block-ids.ts'
import { undoHistory, withUndoStep } from '../../../src/page/assets/editor/undo-steps.ts'
import type { Fields } from '../../../src/page/assets/model/block-text.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { blockOf, nodeOf } from '../../../src/page/assets/model/page-block.ts'

/** A block whose ID is its place, from 1. */
export interface Given {
  text?: string
  fields?: Partial<Fields>
  markdown?: string
}

export const text = (text: string, fields: Partial<Fields> = {}): Given => ({ text, fields })
export const bullet = (content: string, indentationLevel?: number): Given =>
  text(content, { listStyle: 'bullet', ...(indentationLevel && { indentationLevel }) })

/** Opens a page. New blocks get the IDs `n1`, `n2`. */
export function openPage(given: readonly Given[]): EditorState {
  let made = 0
  const blocks = given.map(({ text = '', fields, markdown }, index) => {
    const all: Fields = { type: 'text', ...fields }
    const node = nodeOf({ id: String(index + 1), fields: all, markdown: markdown ?? '' })
    if (markdown !== undefined) return node
    return node.type.create(node.attrs, text === '' ? null : schema.text(text))
  })
  const doc = schema.nodes.doc.create(null, blocks)
  const state = EditorState.create({
    doc,
    plugins: [blockIds(() => `n${++made}`), undoHistory()],
  })
  return withSelection(state)
}

/** Takes the brackets out of the text, and selects what is between them. */
function withSelection(state: EditorState): EditorState {
  const found: number[] = []
  let { doc } = state
  for (const sign of ['[', ']']) {
    doc.descendants((node, position) => {
      const at = node.isText ? (node.text ?? '').indexOf(sign) : -1
      if (at >= 0) found.push(position + at)
    })
    const position = found.at(-1)
    if (position === undefined) return state
    const tr = state.tr.delete(position, position + 1).setMeta('addToHistory', false)
    state = state.apply(tr)
    doc = state.doc
  }
  return state.apply(state.tr.setSelection(TextSelection.create(doc, found[0] ?? 0, found[1])))
}

export const press = (state: EditorState, ...commands: Command[]): EditorState =>
  commands.reduce((now, command) => {
    let next = now
    command(now, (transaction) => {
      next = apply(now, transaction)
    })
    return next
  }, state)

export const apply = (state: EditorState, transaction: Transaction): EditorState =>
  state.apply(withUndoStep(transaction, state))

/** The blocks with their IDs: `1 - one`. */
export const linesOf = (doc: Node): string[] =>
  doc.content.content.map((node) => {
    const { id, markdown } = blockOf(node)
    return `${id} ${markdown}`
  })

/** The block with the caret, and the offset in its text. */
export function caretOf({ selection: { $head } }: EditorState): string {
  return `${$head.node(1).attrs.id}:${$head.parentOffset}`
}
