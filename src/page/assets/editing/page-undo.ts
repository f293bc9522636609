/** Undo based on the history of the space. It works across reloads, and does not undo changes of others. */
import { CallError, calls } from '../calls.ts'
import { announce } from './blocks/edited-page.ts'
import type { TextEditor } from './text/text-editor.ts'
import { type UndoItem, undoTarget } from './undo-target.ts'

/** Number of calls to search. */
const LOOKED_THROUGH = 100

export async function undo(editor: TextEditor, isRedo: boolean): Promise<void> {
  const { documentId, connection } = editor.writer.page
  if (!(await editor.sendAll())) return announce('You are offline. Undo works again when the server is reached.')
  try {
    const { items } = await calls.read<{ items: UndoItem[] }>({
      tool: 'history_list',
      arguments: { documentId, limit: LOOKED_THROUGH },
    })
    const target = undoTarget(items, connection, isRedo)
    if (target === undefined) return announce(isRedo ? 'Nothing to redo' : 'Nothing of yours to undo here')
    await calls.make({ document: documentId, tool: 'history_undo', arguments: { calls: [target] } })
    announce(isRedo ? 'Redone' : 'Undone')
  } catch (error) {
    if (!(error instanceof CallError)) return announce('The server cannot be reached. Try again.')
    announce(
      error.code === 'CONFLICT'
        ? 'Others changed this later, so it stays. The history of the document can take back more.'
        : error.message,
    )
  }
}
