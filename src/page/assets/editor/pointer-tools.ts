/**
 * What is shown around the text for those who point at it or have chosen something in it: the handle of a block, buttons
 * above a selection, the menu of a link, the menu and the handles of tables, the bar for touch, and the line where a drag ends.
 */
import { dropCursor } from 'prosemirror-dropcursor'
import type { EditorView } from 'prosemirror-view'
import type { CommentedWords } from './commented-words.ts'
import { blockHandle } from './drag-handle.ts'
import { linkBar } from './link-bar.ts'
import { selectionToolbar } from './selection-toolbar.ts'
import { touchBar } from './touch-bar.ts'

export { tableTools } from './table-tools.ts'
export { startTouch } from './touch-bar.ts'

export interface PointerActions {
  /** Asks for a document, and moves blocks there. */
  onMoveTo: (ids: readonly string[]) => void
  /** Opens the form for a comment on a block. */
  onComment: (id: string, words?: CommentedWords) => void
  /** Undo when nothing of this session is left. */
  onUndo?: (isRedo: boolean) => void
}

/** Loads their style, which comes before that of phones, since that changes it. @throws Error without a connection */
export const loadToolStyle = (article: HTMLElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    const { tools: href = '' } = article.dataset
    Object.assign(link, { rel: 'stylesheet', href, onload: resolve })
    link.onerror = () => {
      link.remove()
      reject(new Error('The style of the tools was not loaded.'))
    }
    document.querySelector('link[media]')?.before(link)
  })

/** Adds the tools to an editor. They keep no state in its document. */
export function addPointerTools(view: EditorView, article: HTMLElement, actions: PointerActions): void {
  const { onComment, onMoveTo, onUndo } = actions
  view.setProps({
    plugins: [
      selectionToolbar(onComment),
      blockHandle(article, onMoveTo),
      touchBar(onUndo),
      linkBar(),
      dropCursor({ class: 'drop-line', color: false }),
    ],
  })
}
