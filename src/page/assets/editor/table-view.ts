/** Shows a table, its menu while the caret is in it, and the handles of its rows and columns. */
import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { About } from './block-about.ts'
import { BlockView, type ViewContext } from './block-view.ts'
import { tableGrips } from './table-grips.ts'
import { openTableMenu, tableMenu } from './table-menu.ts'

export class TableView extends BlockView {
  readonly contentDOM: HTMLElement = document.createElement('tbody')
  readonly #wide: HTMLElement = document.createElement('div')

  constructor(node: Node, context: ViewContext) {
    super(node, context)
    this.#wide.className = 'wide'
    // Says of what scrolls that the caret reaches it.
    this.#wide.contentEditable = 'true'
    const table = document.createElement('table')
    table.append(this.contentDOM)
    this.#wide.append(table)
    const view = () => context.view
    const grips = tableGrips(view, this.#wide, (position) => openMenuAt(context.view, position))
    this.start()
    // Once: a handle that is put in its place again loses the pointer that drags it.
    this.dom.append(tableMenu(view), ...grips)
  }

  protected accepts(): boolean {
    return true
  }

  protected place({ above, below }: About): void {
    this.surround(this.#wide, above, below)
  }
}

/** Opens the menu of rows and columns for the cell at a position. */
function openMenuAt(view: EditorView, position: number): void {
  view.focus()
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position)))
  openTableMenu(view.state, undefined, view)
}
