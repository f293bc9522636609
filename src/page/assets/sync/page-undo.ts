/** Undo based on the history of the space. It works across reloads, and does not undo changes of others. */
import { announce } from '../announcement.ts'
import { CallError, calls } from '../calls.ts'
import { text } from '../page-text.ts'
import type { EditedPage } from './edited-page.ts'
import type { PageQueue } from './page-queue.ts'
import { type UndoItem, undoTarget } from './undo-target.ts'

/** Number of calls to search. */
const LOOKED_THROUGH = 100

/** Undoes what was changed before the page was opened, or redoes it. */
export async function undoInHistory(page: EditedPage, queue: PageQueue, isRedo: boolean): Promise<void> {
  const { documentId } = page
  if (!(await queue.sendAll())) return announce(text('You are offline. Undo works again once the server is reached.'))
  try {
    const { items } = await calls.read<{ items: UndoItem[] }>({
      tool: 'history_list',
      arguments: { documentId, limit: LOOKED_THROUGH },
    })
    const target = undoTarget(items, { connection: page.connection, isOwn: (id) => calls.isOwn(id) }, isRedo)
    if (target === undefined) return announce(isRedo ? text('Nothing to redo') : text('Nothing of yours to undo here'))
    await calls.make({ document: documentId, tool: 'history_undo', arguments: { calls: [target] } })
    announce(isRedo ? text('Redone') : text('Undone'))
  } catch (error) {
    if (!(error instanceof CallError)) return announce(text('The server cannot be reached. Try again.'))
    announce(
      error.code === 'CONFLICT'
        ? text('Others changed this later, so it stays. The history of the document can take back more.')
        : error.message,
    )
  }
}
