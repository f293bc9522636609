/** Shows a formula within a text as the server renders it. A click, or Enter while it is selected, opens its source. */
import type { Node } from 'prosemirror-model'
import { type Command, NodeSelection, TextSelection } from 'prosemirror-state'
import type { EditorView, NodeView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { schema } from '../model/editor-schema.ts'
import { nodeOf } from '../model/page-block.ts'
import { text } from '../page-text.ts'
import { blockOfElement } from '../sync/rendered-blocks.ts'
import { openTextField } from './text-field.ts'

/** Around the text of a block, and blocks of code that are formulas. */
const OUTSIDE = '.formula, .who, .comments, .linked, .versions, .callout-title'

/** The formulas that the server has rendered, by their sources. */
export class RenderedFormulas {
  readonly #known = new Map<string, Element>()
  readonly #views = new Set<FormulaView>()

  /** Takes the formulas in the server's element of a block. */
  read(element: HTMLElement): void {
    const rendered = [...element.querySelectorAll('math')].filter((one) => one.closest(OUTSIDE) === null)
    if (rendered.length === 0) return
    const sources: string[] = []
    nodeOf(blockOfElement(element)).descendants((node) => {
      if (node.type === schema.nodes.formula) sources.push(String(node.attrs.text))
    })
    // One that cannot be rendered has no element.
    if (sources.length !== rendered.length) return
    for (const [index, one] of rendered.entries()) this.#known.set(sources[index] ?? '', one)
    for (const view of this.#views) view.draw()
  }

  of(source: string): globalThis.Node | undefined {
    return this.#known.get(source)?.cloneNode(true)
  }

  add(view: FormulaView): void {
    this.#views.add(view)
  }

  delete(view: FormulaView): void {
    this.#views.delete(view)
  }
}

export class FormulaView implements NodeView {
  readonly dom = document.createElement('span')
  readonly #formulas: RenderedFormulas
  #node: Node

  constructor(node: Node, view: EditorView, getPos: () => number | undefined, formulas: RenderedFormulas) {
    this.#node = node
    this.#formulas = formulas
    this.dom.className = 'md-formula'
    this.dom.addEventListener('click', () => {
      const position = getPos()
      if (position !== undefined) openFormulaField(view, position, getPos)
    })
    formulas.add(this)
    this.draw()
  }

  draw(): void {
    const source = String(this.#node.attrs.text)
    this.dom.title = source
    this.dom.replaceChildren(this.#formulas.of(source) ?? source)
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const isSame = node.attrs.text === this.#node.attrs.text
    this.#node = node
    if (!isSame) this.draw()
    return true
  }

  ignoreMutation(): boolean {
    return true
  }

  destroy(): void {
    this.#formulas.delete(this)
  }
}

/** Enter, while a formula is selected. */
export const openFormula: Command = ({ selection }, _dispatch, view) => {
  if (!(selection instanceof NodeSelection) || selection.node.type !== schema.nodes.formula || !view) return false
  openFormulaField(view, selection.from, () => selection.from)
  return true
}

/** @param getPos  where the formula is once the field is submitted */
function openFormulaField(view: EditorView, position: number, getPos: () => number | undefined): void {
  const node = view.state.doc.nodeAt(position)
  if (node?.type !== schema.nodes.formula) return
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
  openTextField(view, {
    value: String(node.attrs.text),
    placeholder: text('Formula'),
    label: text('Source of the formula. Empty removes it.'),
    onSubmit(source) {
      if (source.includes('$')) {
        announce(text('A formula within a text cannot contain a $.'))
        return false
      }
      const at = getPos()
      const now = at === undefined ? undefined : view.state.doc.nodeAt(at)
      if (at === undefined || now?.type !== schema.nodes.formula) return true
      const { tr } = view.state
      if (source === '') tr.delete(at, at + 1)
      else tr.setNodeMarkup(at, null, { ...now.attrs, text: source })
      view.dispatch(tr.setSelection(TextSelection.create(tr.doc, at + (source === '' ? 0 : 1))))
      return true
    },
  })
}
