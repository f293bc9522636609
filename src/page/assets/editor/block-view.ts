/** The element of a block in the editor, as the server renders it for pages that are edited. */
import type { Node } from 'prosemirror-model'
import type { Decoration, EditorView, NodeView, ViewMutationRecord } from 'prosemirror-view'
import { directionOf } from '../../blocks/direction.ts'
import type { Fields } from '../model/block-text.ts'
import { fieldsOfNode, idOf } from '../model/page-block.ts'
import type { About, BlockAbout } from './block-about.ts'

/** What stands at tables for those who point at one, or have the caret in it. */
export interface TableTools {
  /** Elements of the block of a table. @param wide  the element around the table */
  tableTools(view: EditorView, wide: HTMLElement): HTMLElement[]
}

/** What the views of blocks share. */
export interface ViewContext {
  view: EditorView
  about: BlockAbout
  /** The views by the IDs of their blocks. */
  views: Map<string, BlockView>
  /** Resolves once what stands at tables is loaded. */
  tools: Promise<TableTools>
  /** Called for the box of a task. */
  onTick: (id: string) => void
  /** Moves the caret into the code at a position. */
  onOpenCode: (position: number) => void
  /** Called for the triangle of a toggle. */
  onFold: (id: string) => void
  /** Called for a block that could not be updated now. */
  onStale: (id: string) => void
}

/** The ID of the element of a block. */
export const elementId = (id: string): string => `b${id.replace(/[^\w-]/g, '')}`

const LISTS = { bullet: 'bullets', numbered: 'numbers', task: 'tasks', toggle: 'toggles' } as const

/** The classes that follow from the fields. Those of colors, fonts and alignment come from the server. */
export function classesOf({ decorations, listStyle, taskInfo, indentationLevel }: Fields): string[] {
  return [
    ...(decorations?.callout ? ['callout'] : []),
    ...(decorations?.quote ? ['quote'] : []),
    ...(listStyle === 'task' ? ['task', taskInfo?.state ?? 'todo'] : []),
    ...(listStyle === undefined ? [] : ['listed', LISTS[listStyle]]),
    ...(indentationLevel ? [`level-${indentationLevel}`] : []),
  ]
}

export abstract class BlockView implements NodeView {
  readonly dom: HTMLElement = document.createElement('div')
  abstract contentDOM: HTMLElement | null
  protected node: Node
  protected readonly context: ViewContext
  #id = ''
  #classes: string[] = []
  #attributes: string[] = []

  constructor(node: Node, context: ViewContext) {
    this.node = node
    this.context = context
    this.dom.classList.add('block')
  }

  /** Places what the server renders about the block around its text. */
  protected abstract place(about: About): void

  /** Draws the block for the first time. */
  protected start(): void {
    this.#frame(this.node)
    this.#placeAll(this.context.about.of(idOf(this.node)))
  }

  update(node: Node, decorations: readonly Decoration[]): boolean {
    if (node.type !== this.node.type || !this.accepts(node, decorations)) return false
    const before = this.node
    this.node = node
    if (node.attrs !== before.attrs) this.#frame(node)
    if (idOf(node) !== idOf(before)) this.#becomeOther(idOf(before))
    return true
  }

  /** The editor may use the view of one block for another, while others move and change both. */
  #becomeOther(before: string): void {
    const { about } = this.context
    const { above, inLine, below, beside } = about.of(before)
    for (const part of [...above, ...inLine, ...below, beside]) if (this.dom.contains(part ?? null)) part?.remove()
    this.#placeAll(about.of(idOf(this.node)))
  }

  #placeAll(about: About): void {
    this.place(about)
    if (about.beside !== undefined) this.dom.append(about.beside)
  }

  /** True if this view can show the node: false makes a new one. */
  protected abstract accepts(node: Node, decorations: readonly Decoration[]): boolean

  /** Shows what the server renders now about the block. */
  showAbout(before: About, about: About): void {
    const isSame = before.element === about.element
    if (!isSame) for (const old of [...before.above, ...before.inLine, ...before.below]) old.remove()
    before.beside?.remove()
    this.#frame(this.node)
    if (!isSame) this.place(about)
    if (about.beside !== undefined) this.dom.append(about.beside)
  }

  /** Stands around the element with the text. That stays where it is, since moving it would move the caret. */
  protected surround(main: HTMLElement, above: readonly HTMLElement[], below: readonly HTMLElement[]): void {
    if (main.parentElement !== this.dom) this.dom.prepend(main)
    main.before(...above)
    main.after(...below)
  }

  #frame(node: Node): void {
    const { dom, context } = this
    const id = idOf(node)
    if (id !== this.#id) {
      if (context.views.get(this.#id) === this) context.views.delete(this.#id)
      this.#id = id
      dom.id = elementId(id)
    }
    context.views.set(id, this)
    const fields = fieldsOfNode(node)
    const about = context.about.of(id)
    const classes = [...classesOf(fields), ...about.classes]
    // Classes of decorations are the editor's.
    dom.classList.remove(...this.#classes.filter((name) => !classes.includes(name)))
    dom.classList.add(...classes)
    this.#classes = classes
    dom.dir = directionOf(fields)
    for (const name of this.#attributes) dom.removeAttribute(name)
    for (const [name, value] of about.attributes) dom.setAttribute(name, value)
    this.#attributes = about.attributes.map(([name]) => name)
  }

  /** Events in what stands around the text are not the editor's. */
  stopEvent(event: Event): boolean {
    const { target } = event
    if (!(target instanceof Element) || this.contentDOM?.contains(target)) return false
    return (
      target.closest(
        '.callout-title, .who, .comments, .linked, .versions, .due, .box, .code-language, .table-menu, .table-grip, form',
      ) !== null
    )
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    if (mutation.type === 'selection') return false
    return this.contentDOM === null || !this.contentDOM.contains(mutation.target)
  }

  destroy(): void {
    if (this.context.views.get(this.#id) === this) this.context.views.delete(this.#id)
  }
}
