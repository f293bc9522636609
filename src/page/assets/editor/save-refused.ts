/** Gives the text of refused calls another chance, and shows what cannot be saved. */
import { announce } from '../announcement.ts'
import { fieldsOfNode, idOf } from '../model/page-block.ts'
import type { EditedPage } from '../sync/edited-page.ts'
import type { PageQueue } from '../sync/page-queue.ts'
import { RefusedChanges } from '../sync/refused-changes.ts'
import type { PageEditor } from './page-editor.ts'
import { readCaret } from './read-caret.ts'

/** @param onConflict  shows text of a block that could not be saved */
export function refusedChangesOf(
  page: EditedPage,
  queue: PageQueue,
  editor: PageEditor,
  onConflict: (id: string) => void,
): RefusedChanges {
  const { model, store } = queue
  const nodes = () => editor.view.state.doc.content.content
  /** The previous IDs of blocks that were added again. Their new versions contain what was changed under these IDs. */
  const addedAgain = new Set<string>()
  return new RefusedChanges({
    ...{ page, store, onConflict, announce },
    keep: (steps, typedIn) => queue.keep(steps, typedIn),
    onGone(id) {
      if (addedAgain.has(id)) return true
      readCaret(editor.view)
      const transaction = model.addAgain(editor.view.state, id)
      if (transaction === undefined) return false
      addedAgain.add(id)
      editor.dispatch(transaction)
      queue.flush()
      return true
    },
    fieldsOf(id) {
      const node = nodes().find((one) => idOf(one) === id)
      return node && fieldsOfNode(node)
    },
    blockBefore(id) {
      const index = nodes().findIndex((one) => idOf(one) === id)
      if (index === -1) return undefined
      const before = nodes()[index - 1]
      return before === undefined ? 'start' : idOf(before)
    },
    removeBlock(name) {
      readCaret(editor.view)
      const transaction = model.remove(editor.view.state, name)
      if (transaction !== undefined) editor.dispatch(transaction)
    },
  })
}
