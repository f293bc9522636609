/** Shows a table. Its menu and the handles of its rows and columns are added once they are loaded. */
import type { Node } from 'prosemirror-model'
import { inBackground } from '../page-background.ts'
import type { About } from './block-about.ts'
import { BlockView, type ViewContext } from './block-view.ts'

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
    this.start()
    // Once: a handle that is put in its place again loses the pointer that drags it.
    inBackground(async () => {
      const { tableTools } = await context.tools
      this.dom.append(...tableTools(context.view, this.#wide))
    })
  }

  protected accepts(): boolean {
    return true
  }

  protected place({ above, below }: About): void {
    this.surround(this.#wide, above, below)
  }
}
