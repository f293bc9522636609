/** Marks the block with the caret as `open`, and selected blocks as `selected`. Letters do not replace those. */
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { blockAround, endOf } from './block-place.ts'
import { BlockRange } from './block-range.ts'

export const inBlock = (): Plugin =>
  new Plugin({
    props: { decorations, handleTextInput: ({ state }) => state.selection instanceof BlockRange },
  })

function decorations({ doc, selection }: EditorState): DecorationSet {
  if (selection instanceof BlockRange) {
    return DecorationSet.create(
      doc,
      selection.positions.map((position) => {
        const { nodeSize = 0 } = doc.nodeAt(position) ?? {}
        return Decoration.node(position, position + nodeSize, { class: 'selected' })
      }),
    )
  }
  const place = blockAround(selection.$head)
  return DecorationSet.create(doc, [Decoration.node(place.pos, endOf(place), { class: 'open' })])
}
