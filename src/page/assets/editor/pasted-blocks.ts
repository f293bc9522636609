/** Blocks that were pasted, as nodes of the editor. */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type EditorState, Selection, type Transaction } from 'prosemirror-state'
import type { Block } from '../../../markdown/block.ts'
import type { Fields } from '../model/block-text.ts'
import { schema } from '../model/editor-schema.ts'
import { blockOf, fieldsOfNode, isCodeNode, isTextNode, nodeOf } from '../model/page-block.ts'
import { blockAround, endOf } from './block-place.ts'
import { BlockRange } from './block-range.ts'

function fieldsOf(block: Block): Fields {
  const { type, indentationLevel, listStyle, number, decorations, textStyle, taskInfo } = block
  const given = { indentationLevel, listStyle, number, decorations, textStyle, taskInfo, ...codeOf(block) }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { type, ...Object.fromEntries(known) }
}

const codeOf = ({ language, info }: Block): Pick<Fields, 'language' | 'info'> => ({
  ...(language !== undefined && { language }),
  ...(info !== undefined && { info }),
})

/**
 * The nodes of blocks. Their IDs are given later.
 *
 * @param blockMarkdown  writes one block as Markdown
 */
export const nodesOf = (blocks: readonly Block[], blockMarkdown: (block: Block) => string): Node[] =>
  blocks.map((block) => nodeOf({ id: '', fields: fieldsOf(block), markdown: blockMarkdown(block) }))

/**
 * Inserts pasted blocks: one plain text goes into the text at the caret. Others divide it, and an empty text makes way.
 * In a cell of a table, all of it is one line.
 */
export function insertPasted(state: EditorState, nodes: readonly Node[]): Transaction {
  const { tr, selection } = state
  const [first] = nodes
  if (first === undefined) return tr
  if (selection instanceof BlockRange) return select(tr.insert(selection.to, nodes), selection.to, nodes)
  tr.deleteSelection()
  const { $from } = tr.selection
  if ($from.depth > 1 || isCodeNode($from.parent)) return insertLine(tr, nodes)
  const place = blockAround($from)
  if (!isTextNode(place.node)) return select(tr.insert(endOf(place), nodes), endOf(place), nodes)
  const isPlain = (node: Node) => isTextNode(node) && Object.keys(fieldsOfNode(node)).length === 1
  if (nodes.length === 1 && isPlain(first) && place.node.content.size > 0)
    return tr.replaceSelection(new Slice(first.content, 0, 0))
  if (place.node.content.size === 0) {
    const isKept = isPlain(first) && !isPlain(place.node)
    // The kind that was chosen for the empty text stays.
    const own = isKept ? [place.node.type.create(place.node.attrs, first.content), ...nodes.slice(1)] : nodes
    return select(tr.replaceWith(place.pos, endOf(place), own), place.pos, own)
  }
  if ($from.parentOffset === 0) return select(tr.insert(place.pos, nodes), place.pos, nodes)
  if ($from.parentOffset < $from.parent.content.size) {
    const { taskInfo, ...fields } = fieldsOfNode(place.node)
    const rest = { ...fields, ...(taskInfo && { taskInfo: { state: 'todo' } }) }
    tr.split($from.pos, 1, [{ type: place.node.type, attrs: { id: '', fields: rest } }])
  }
  const after = $from.pos + 1
  return select(tr.insert(after, nodes), after, nodes)
}

/** The caret goes to the end of what was inserted. */
function select(tr: Transaction, position: number, nodes: readonly Node[]): Transaction {
  const end = nodes.reduce((sum, { nodeSize }) => sum + nodeSize, position)
  return tr.setSelection(Selection.near(tr.doc.resolve(end), -1))
}

function insertLine(tr: Transaction, nodes: readonly Node[]): Transaction {
  const isCode = isCodeNode(tr.selection.$from.parent)
  if (isCode) return tr.insertText(nodes.map((node) => blockOf(node).markdown).join('\n\n'))
  const content = nodes.flatMap((node, index) => [
    ...(index > 0 ? [schema.text(' ')] : []),
    ...(isTextNode(node) ? node.content.content : textIn(lineOf(node))),
  ])
  return tr.replaceSelection(new Slice(Fragment.fromArray(content), 0, 0))
}

/** What is no text, as one line: cells of a table beside each other, and Markdown of what is edited elsewhere. */
function lineOf(node: Node): string {
  const text = node.isAtom ? blockOf(node).markdown : node.textBetween(0, node.content.size, ' ', ' ')
  return text.replace(/\s+/g, ' ').trim()
}

const textIn = (text: string): Node[] => (text === '' ? [] : [schema.text(text)])
