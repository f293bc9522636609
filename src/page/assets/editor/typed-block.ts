/** Enter after ```` ```js ````, which starts code, or after `---`, a divider. */
import { type Command, TextSelection } from 'prosemirror-state'
import { codeFields } from '../../../markdown/blocks/code-block.ts'
import { schema } from '../model/editor-schema.ts'
import { fieldsOfNode, isTextNode, nodeOf } from '../model/page-block.ts'
import { blockAround, endOf } from './block-place.ts'
import { emptyText } from './split-blocks.ts'

export const typedBlock: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || !isTextNode($from.parent)) return false
  const place = blockAround($from)
  const { indentationLevel } = fieldsOfNode(place.node)
  const level = indentationLevel ? { indentationLevel } : {}
  const text = place.node.textContent
  const { tr } = state
  const [, info] = /^```([\w+#-]{0,40})$/.exec(text) ?? []
  if (info !== undefined) {
    const fields = { type: 'code' as const, ...level, ...codeFields(info) }
    tr.replaceWith(place.pos, endOf(place), schema.nodes.code_block.create({ id: '', fields }))
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, place.pos + 1)).scrollIntoView())
    return true
  }
  if (!/^(?:-{3,}|\*{3,})$/.test(text)) return false
  const line = nodeOf({ id: '', fields: { type: 'line', ...level }, markdown: '---' })
  tr.replaceWith(place.pos, endOf(place), [line, emptyText()])
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, place.pos + line.nodeSize + 1)).scrollIntoView())
  return true
}
