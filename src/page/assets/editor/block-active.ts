/** Marks the block with the caret as `open`, selected blocks as `selected`, and what is nested below them as `along`. Letters do not replace those. */
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { blockAround, endOf, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'

export const inBlock = (): Plugin =>
  new Plugin({
    props: { decorations, handleTextInput: ({ state }) => state.selection instanceof BlockRange },
  })

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
