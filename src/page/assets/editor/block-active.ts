/** Marks the block with the caret as `open`, selected blocks as `selected`, and what is nested below them as `along`. */
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { blockAround, endOf, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { addBelow } from './split-blocks.ts'

export const inBlock = (): Plugin =>
  new Plugin({
    props: { decorations, handleTextInput: (view, _from, _to, typed) => writeBelow(view, typed) },
  })

/** What is typed while blocks are selected does not replace them: it is a text of its own below them. */
function writeBelow(view: EditorView, typed: string): boolean {
  const { state } = view
  const { selection, doc } = state
  if (!(selection instanceof BlockRange)) return false
  const last = blockAround(doc.resolve(selection.positions.at(-1) ?? 0))
  if (typed.trim() !== '') view.dispatch(addBelow(state, last).insertText(typed))
  return true
}

function decorations({ doc, selection }: EditorState): DecorationSet {
  if (selection instanceof BlockRange) {
    const chosen = new Set(selection.positions)
    const places = selection.positions.map((position) => blockAround(doc.resolve(position)))
    return DecorationSet.create(
      doc,
      withNested(doc, places).map((place) =>
        Decoration.node(place.pos, endOf(place), { class: chosen.has(place.pos) ? 'selected' : 'along' }),
      ),
    )
  }
  const place = blockAround(selection.$head)
  return DecorationSet.create(doc, [Decoration.node(place.pos, endOf(place), { class: 'open' })])
}
