/** Shows a block that is edited elsewhere, such as a board or a collection, as the server renders it. */
import type { Node } from 'prosemirror-model'
import { directionOf } from '../../blocks/direction.ts'
import { fieldsOfNode, idOf } from '../model/page-block.ts'
import type { About } from './block-about.ts'
import { BlockView, type ViewContext } from './block-view.ts'
import { addCollection, followCollection, isCollection } from './embedded-collections.ts'

export class ShownView extends BlockView {
  readonly contentDOM = null
  #element: HTMLElement | undefined

  constructor(node: Node, context: ViewContext) {
    super(node, context)
    this.dom.contentEditable = 'false'
    this.start()
  }

  protected accepts(node: Node): boolean {
    if (this.#element === undefined) this.#wait(node)
    return true
  }

  protected place({ element, content }: About): void {
    this.#element = element
    if (element === undefined) this.#wait(this.node)
    else {
      this.dom.classList.remove('waits')
      this.dom.replaceChildren(...content)
    }
  }

  override showAbout(before: About, about: About): void {
    const { element } = about
    if (element === undefined || element === before.element || !isCollection(this.dom) || !isCollection(element)) {
      super.showAbout(before, about)
      if (element !== before.element && isCollection(this.dom)) addCollection(this.dom)
      return
    }
    // Elements that stay keep the focus and their place. What this view and the editor have set stays, too.
    element.contentEditable = 'false'
    element.className = this.dom.className
    element.id = this.dom.id
    element.dir = directionOf(fieldsOfNode(this.node))
    if (followCollection(this.dom, element)) {
      about.content = [...this.dom.childNodes]
      return
    }
    // Something in it is being dragged.
    this.context.onStale(idOf(this.node))
  }

  /** Shows the Markdown until the server has rendered the block. */
  #wait(node: Node): void {
    const { type } = fieldsOfNode(node)
    this.dom.classList.toggle('waits', type !== 'line')
    if (type === 'line') this.dom.replaceChildren(Object.assign(document.createElement('hr'), { className: 'regular' }))
    else this.dom.textContent = String(node.attrs.markdown) || '…'
  }

  /** Links, fields and buttons inside work as on any page. */
  override stopEvent(event: Event): boolean {
    const { target } = event
    if (!(target instanceof Element)) return false
    if (target.closest('[data-items]') !== null) return true
    return target.closest('a, button, input, select, textarea, label, summary, video, audio, form, .who') !== null
  }

  override ignoreMutation(): boolean {
    return true
  }
}
