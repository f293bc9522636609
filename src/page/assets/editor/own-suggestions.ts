/**
 * What a person suggests, as they type it: the text of the editor is what they suggest, with its new words marked and the
 * struck ones of the server beside them. Below each block stands a button that takes it back.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { visibleText } from '../../../markdown/inline/inline-node.ts'
import { suggestedRuns } from '../../blocks/suggested-words.ts'
import { editableText } from '../model/block-text.ts'
import { movedIds } from '../model/order-merge.ts'
import { blockOf, idOf, isTextNode, type PageBlock, textOf } from '../model/page-block.ts'
import { isSame } from '../model/page-changes.ts'
import { text } from '../page-text.ts'
import { BESIDE } from './suggested-marks.ts'

export interface OwnSuggestionsOptions {
  /** The blocks that the server has, in order. */
  sent: () => readonly PageBlock[]
  /** The number of the person's color. */
  tone: number
  /** Takes back what is suggested for a block. */
  withdraw: (id: string) => void
}

export function ownSuggestions(options: OwnSuggestionsOptions): Plugin {
  let drawn: { doc: Node; sent: readonly PageBlock[]; decorations: DecorationSet } | undefined
  return new Plugin({
    props: {
      decorations({ doc }: EditorState) {
        const sent = options.sent()
        if (drawn?.doc !== doc || drawn.sent !== sent)
          drawn = { doc, sent, decorations: DecorationSet.create(doc, decorationsOf(doc, sent, options)) }
        return drawn.decorations
      },
    },
  })
}

function decorationsOf(doc: Node, sent: readonly PageBlock[], { tone, withdraw }: OwnSuggestionsOptions): Decoration[] {
  const before = new Map(sent.map((block) => [block.id, block]))
  const order = doc.content.content.map(idOf)
  const local = new Set(order)
  const moved = movedIds(
    sent.map(({ id }) => id).filter((id) => local.has(id)),
    order.filter((id) => before.has(id)),
  )
  const decorations: Decoration[] = []
  /** The end of each block that the server has, after which what was deleted stood. */
  const ends = new Map<string, number>()
  doc.forEach((node, position) => {
    const id = idOf(node)
    const block = before.get(id)
    ends.set(id, position + node.nodeSize)
    const isBlank = block === undefined && node.content.size === 0 && doc.childCount === 1
    const changes =
      block === undefined
        ? isBlank
          ? []
          : [lookAt(node, position, `is-added by-${tone}`)]
        : changesOf(node, position, block, { tone, isMoved: moved.has(id) })
    decorations.push(...changes)
    if (changes.length > 0) decorations.push(below(position + node.nodeSize, id, () => buttonBelow(id, tone, withdraw)))
  })
  let place = 0
  for (const block of sent) {
    place = ends.get(block.id) ?? place
    if (local.has(block.id)) continue
    const { id, markdown, fields } = block
    const draw = () => {
      const element = buttonBelow(id, tone, withdraw)
      element.classList.add('suggested', 'is-removed', `by-${tone}`)
      element.prepend(struckElement(editableText(markdown, fields), tone))
      return element
    }
    decorations.push(below(place, `removed ${id} ${markdown}`, draw))
  }
  return decorations
}

const lookAt = (node: Node, position: number, look: string): Decoration =>
  Decoration.node(position, position + node.nodeSize, { class: `suggested ${look}` })

function changesOf(
  node: Node,
  position: number,
  before: PageBlock,
  { tone, isMoved }: { tone: number; isMoved: boolean },
): Decoration[] {
  const now = blockOf(node)
  if (!isMoved && now.markdown === before.markdown && isSame(now.fields, before.fields)) return []
  const look = lookAt(node, position, `by-${tone}`)
  if (!isTextNode(node)) return [look]
  const marks: Decoration[] = []
  let at = position + 1
  for (const [index, { sign, spans, size }] of suggestedRuns(
    editableText(before.markdown, before.fields),
    textOf(node),
  ).entries()) {
    if (sign === '-') {
      const struck = visibleText(spans)
      marks.push(
        Decoration.widget(at, () => struckElement(struck, tone), { ...BESIDE, side: -1, key: `-${index} ${struck}` }),
      )
      continue
    }
    const end = Math.min(at + size, position + node.nodeSize - 1)
    if (sign === '+' && at < end) marks.push(Decoration.inline(at, end, { nodeName: 'ins', class: `new by-${tone}` }))
    at = end
  }
  return [look, ...marks]
}

function struckElement(struck: string, tone: number): HTMLElement {
  const element = document.createElement('del')
  element.className = `old by-${tone}`
  element.contentEditable = 'false'
  element.textContent = struck
  return element
}

/** What stands after a block. */
const below = (position: number, key: string, draw: () => HTMLElement): Decoration =>
  Decoration.widget(position, draw, { ...BESIDE, side: -1, key: `below ${key}` })

function buttonBelow(id: string, tone: number, withdraw: (id: string) => void): HTMLElement {
  const element = Object.assign(document.createElement('div'), { className: 'suggested-below' })
  element.contentEditable = 'false'
  element.innerHTML = `<div class="suggestion by-${tone}"><p class="by"></p><div class="acts"><button type="button" class="plain"></button></div></div>`
  const [line, button] = [element.querySelector('.by'), element.querySelector('button')]
  if (line !== null) line.textContent = text('You suggest this')
  if (button === null) return element
  button.textContent = text('Withdraw')
  button.setAttribute('aria-label', text('Withdraw what you suggest here'))
  button.addEventListener('click', () => withdraw(id))
  return element
}
