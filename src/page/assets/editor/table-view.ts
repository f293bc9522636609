/** Shows a table, and its menu while the caret is in it. */
import type { Node } from 'prosemirror-model'
import type { About } from './block-about.ts'
import { BlockView, type ViewContext } from './block-view.ts'
import { tableMenu } from './table-menu.ts'

export class TableView extends BlockView {
  readonly contentDOM: HTMLElement = document.createElement('tbody')
  readonly #menu: HTMLElement
  readonly #wide: HTMLElement = document.createElement('div')

  constructor(node: Node, context: ViewContext) {
    super(node, context)
    this.#menu = tableMenu(() => context.view)
    this.#wide.className = 'wide'
    // Says of what scrolls that the caret reaches it.
    this.#wide.contentEditable = 'true'
    const table = document.createElement('table')
    table.append(this.contentDOM)
    this.#wide.append(table)
    this.start()
  }

  protected accepts(): boolean {
    return true
  }

  protected place({ above, below }: About): void {
    this.surround(this.#wide, [...above, this.#menu], below)
  }
}
