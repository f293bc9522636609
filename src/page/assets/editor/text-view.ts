/** Shows a block of text: a paragraph, a heading, a caption, or an item of a list with its box. */
import type { Node } from 'prosemirror-model'
import type { Decoration } from 'prosemirror-view'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode, idOf } from '../model/page-block.ts'
import type { About } from './block-about.ts'
import { headingTagIn } from './block-outline.ts'
import { BlockView, type ViewContext } from './block-view.ts'

export class TextView extends BlockView {
  readonly contentDOM: HTMLElement
  readonly #look: string
  readonly #line: HTMLElement | undefined
  #box: HTMLButtonElement | undefined

  constructor(node: Node, decorations: readonly Decoration[], context: ViewContext) {
    super(node, context)
    const fields = fieldsOfNode(node)
    this.#look = lookOf(fields, decorations)
    const [tag = 'p', name = ''] = this.#look.split('.')
    this.contentDOM = document.createElement(tag)
    if (name !== '') this.contentDOM.className = name
    if (isItem(fields)) this.#line = this.#lineElement(fields)
    this.start()
  }

  protected accepts(node: Node, decorations: readonly Decoration[]): boolean {
    const fields = fieldsOfNode(node)
    if (lookOf(fields, decorations) !== this.#look) return false
    if ((fields.listStyle === 'task') !== (this.#box !== undefined)) return false
    this.#drawBox(node)
    return true
  }

  protected place({ above, inLine, below }: About): void {
    this.#line?.append(...inLine)
    this.surround(this.#line ?? this.contentDOM, above, below)
  }

  #lineElement({ listStyle }: Fields): HTMLElement {
    const line = document.createElement('div')
    line.className = 'line'
    if (listStyle === 'task') line.append(this.#boxElement())
    line.append(this.contentDOM)
    if (listStyle === 'toggle') line.addEventListener('mousedown', (event) => this.#foldAt(event))
    return line
  }

  #boxElement(): HTMLButtonElement {
    const box = document.createElement('button')
    box.type = 'button'
    box.className = 'box'
    box.contentEditable = 'false'
    box.setAttribute('role', 'checkbox')
    box.addEventListener('mousedown', (event) => event.preventDefault())
    box.addEventListener('click', (event) => {
      event.preventDefault()
      event.stopPropagation()
      this.context.onTick(idOf(this.node))
    })
    this.#box = box
    this.#drawBox(this.node)
    return box
  }

  #drawBox(node: Node): void {
    const state = fieldsOfNode(node).taskInfo?.state ?? 'todo'
    this.contentDOM.removeAttribute('id')
    if (this.#box === undefined) return
    this.#box.setAttribute('aria-checked', state === 'done' ? 'true' : state === 'canceled' ? 'mixed' : 'false')
    this.contentDOM.id = `t${idOf(node)}`
    this.#box.setAttribute('aria-labelledby', this.contentDOM.id)
  }

  /** The triangle is drawn by the style, before the text. */
  #foldAt(event: MouseEvent): void {
    const { left, right } = this.dom.getBoundingClientRect()
    const fromStart = this.dom.matches(':dir(rtl)') ? right - event.clientX : event.clientX - left
    if (fromStart >= TRIANGLE || this.contentDOM.contains(event.target as Element)) return
    event.preventDefault()
    event.stopPropagation()
    this.context.onFold(idOf(this.node))
  }
}

/** Pixels from the edge of a toggle within which a click folds it. */
const TRIANGLE = 34

const isItem = ({ listStyle }: Fields): boolean => listStyle !== undefined

/** The tag and class of the element with the text, such as `h3.h2`. */
function lookOf(fields: Fields, decorations: readonly Decoration[]): string {
  const { textStyle = '' } = fields
  if (isItem(fields)) return 'span.item-text'
  if (textStyle === 'caption') return 'p.caption'
  return /^h[1-4]$/.test(textStyle) ? `${headingTagIn(decorations) ?? 'h2'}.${textStyle}` : 'p'
}
