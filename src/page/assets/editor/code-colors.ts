/** The colors of code, as the server has rendered them. They follow the text until the server renders it again. */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { idOf, isCodeNode } from '../model/page-block.ts'

type Elements = (id: string) => HTMLElement | undefined

const key = new PluginKey<DecorationSet>('code-colors')

/** @param elements  the server's element of a block */
export const codeColors = (elements: Elements): Plugin =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: (_config, { doc }) => colored(DecorationSet.empty, doc, elements),
      apply(transaction, before) {
        const colors = before.map(transaction.mapping, transaction.doc)
        const fresh: Elements | undefined = transaction.getMeta(key)
        return fresh === undefined ? colors : colored(colors, transaction.doc, fresh)
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

/** @param elements  the server's element of a block that it has rendered again */
export const setCodeColors = ({ tr }: EditorState, elements: Elements): Transaction =>
  tr.setMeta(key, elements).setMeta('addToHistory', false)

function colored(before: DecorationSet, doc: Node, elements: Elements): DecorationSet {
  let colors = before
  doc.forEach((node, position) => {
    if (!isCodeNode(node)) return
    const code = elements(idOf(node))?.querySelector(':scope > pre > code')
    if (!code || code.textContent.trimEnd() !== node.textContent.trimEnd()) return
    colors = colors.remove(colors.find(position, position + node.nodeSize))
    colors = colors.add(doc, rangesIn(code, position + 1, position + node.nodeSize - 1))
  })
  return colors
}

/** @param end  where the text of the block ends. The server's may have one more line end. */
function rangesIn(code: Element, start: number, end: number): Decoration[] {
  const ranges: Decoration[] = []
  let position = start
  const visit = (element: Element) => {
    for (const child of element.childNodes) {
      const from = position
      if (child instanceof Element) visit(child)
      else position += child.textContent?.length ?? 0
      const to = Math.min(position, end)
      if (child instanceof Element && child.className !== '' && from < to)
        ranges.push(Decoration.inline(from, to, { class: child.className }))
    }
  }
  visit(code)
  return ranges
}
