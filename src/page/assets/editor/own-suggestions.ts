/**
 * What a person suggests, as they type it: the text of the editor is what they suggest, with its new words marked and the
 * struck ones of the server beside them.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { visibleText } from '../../../markdown/inline/inline-node.ts'
import { suggestedRuns } from '../../blocks/suggested-words.ts'
import { editableText } from '../model/block-text.ts'
import { blockOf, idOf, isTextNode, type PageBlock, textOf } from '../model/page-block.ts'
import { isSame } from '../model/page-changes.ts'
import { BESIDE } from './suggested-marks.ts'

/** @param sent  the blocks that the server has, in order @param tone  the number of the person's color */
export function ownSuggestions(sent: () => readonly PageBlock[], tone: number): Plugin {
  let drawn: { doc: Node; sent: readonly PageBlock[]; decorations: DecorationSet } | undefined
  return new Plugin({
    props: {
      decorations({ doc }: EditorState) {
        const blocks = sent()
        if (drawn?.doc !== doc || drawn.sent !== blocks)
          drawn = { doc, sent: blocks, decorations: DecorationSet.create(doc, decorationsOf(doc, blocks, tone)) }
        return drawn.decorations
      },
    },
  })
}

function decorationsOf(doc: Node, sent: readonly PageBlock[], tone: number): Decoration[] {
  const before = new Map(sent.map((block) => [block.id, block]))
  const local = new Set(doc.content.content.map(idOf))
  const decorations: Decoration[] = []
  /** The end of each block that the server has, after which what was deleted stood. */
  const ends = new Map<string, number>()
  doc.forEach((node, position) => {
    const id = idOf(node)
    const block = before.get(id)
    ends.set(id, position + node.nodeSize)
    if (block === undefined) {
      const isBlank = node.content.size === 0 && doc.childCount === 1
      if (!isBlank) decorations.push(lookAt(node, position, `is-added by-${tone}`))
    } else decorations.push(...changesOf(node, position, block, tone))
  })
  let place = 0
  for (const block of sent) {
    place = ends.get(block.id) ?? place
    if (!local.has(block.id)) decorations.push(removedAt(place, block, tone))
  }
  return decorations
}

const lookAt = (node: Node, position: number, look: string): Decoration =>
  Decoration.node(position, position + node.nodeSize, { class: `suggested ${look}` })

function changesOf(node: Node, position: number, before: PageBlock, tone: number): Decoration[] {
  const now = blockOf(node)
  if (now.markdown === before.markdown && isSame(now.fields, before.fields)) return []
  const look = lookAt(node, position, `by-${tone}`)
  if (!isTextNode(node)) return [look]
  const marks: Decoration[] = []
  let at = position + 1
  for (const [index, { sign, spans, size }] of suggestedRuns(
    editableText(before.markdown, before.fields),
    textOf(node),
  ).entries()) {
    if (sign === '-') {
      const text = visibleText(spans)
      marks.push(
        Decoration.widget(at, () => struckElement(text, tone), { ...BESIDE, side: -1, key: `-${index} ${text}` }),
      )
      continue
    }
    const end = Math.min(at + size, position + node.nodeSize - 1)
    if (sign === '+' && at < end) marks.push(Decoration.inline(at, end, { nodeName: 'ins', class: `new by-${tone}` }))
    at = end
  }
  return [look, ...marks]
}

function struckElement(text: string, tone: number): HTMLElement {
  const element = document.createElement('del')
  element.className = `old by-${tone}`
  element.contentEditable = 'false'
  element.textContent = text
  return element
}

const removedAt = (position: number, { id, fields, markdown }: PageBlock, tone: number): Decoration =>
  Decoration.widget(
    position,
    () => {
      const element = document.createElement('div')
      element.className = `suggested-below suggested is-removed by-${tone}`
      element.contentEditable = 'false'
      element.append(struckElement(editableText(markdown, fields), tone))
      return element
    },
    { ...BESIDE, side: -1, key: `removed ${id} ${markdown}` },
  )
