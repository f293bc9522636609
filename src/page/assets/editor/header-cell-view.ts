/** Shows a cell of the first row of a table. An empty one is not a header of anything. */
import { DOMSerializer, type Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'

export class HeaderCellView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
  #node: Node

  constructor(node: Node) {
    this.#node = node
    const { dom, contentDOM = dom } = DOMSerializer.renderSpec(document, node.type.spec.toDOM?.(node) ?? ['th', 0])
    this.dom = dom as HTMLElement
    this.contentDOM = contentDOM as HTMLElement
    this.#draw()
  }

  update(node: Node): boolean {
    if (!node.sameMarkup(this.#node)) return false
    this.#node = node
    this.#draw()
    return true
  }

  #draw(): void {
    if (this.#node.content.size > 0) this.dom.removeAttribute('role')
    else this.dom.setAttribute('role', 'cell')
  }
}
