/** Calls on reminders, comments, whiteboards and files. */
import type { Call } from '../model/model.ts'
import type { Chooser } from './chooser.ts'
import type { Pools } from './pools.ts'
import { sentence, title, word } from './texts.ts'
import { idOf, idsOf, position } from './trees.ts'

const TIMES = ['2027-06-01T08:00:00Z', '2026-11-21T12:00:00Z', '2026-11-23T00:00:00Z', '2020-01-01T00:00:00Z', 'soon']

const time = (chooser: Chooser): string => (chooser.once(2) ? '2027-06-01T08:00:00Z' : chooser.one(TIMES))

export function reminders(chooser: Chooser, pools: Pools): Call {
  const which = chooser.number(10)
  if (which < 4 || pools.reminders.length === 0) {
    const blockIds = idsOf(chooser, pools, chooser.once(6) ? pools.documents : pools.blocks)
    const reminders = blockIds.map((blockId) => ({ blockId, ...(chooser.once(2) && { remindAt: time(chooser) }) }))
    return { tool: 'reminders_add', args: { reminders } }
  }
  const ids = idsOf(chooser, pools, pools.reminders)
  if (which < 6) return { tool: 'reminders_delete', args: { idsToDelete: ids } }
  const remindersToUpdate = ids.map((id) => ({
    id,
    ...(chooser.once(2) && { isCompleted: chooser.once(2) }),
    ...(chooser.once(2) && { remindAt: chooser.once(4) ? null : time(chooser) }),
  }))
  return { tool: 'reminders_update', args: { remindersToUpdate } }
}

export function comments(chooser: Chooser, pools: Pools): Call {
  if (pools.comments.length > 0 && chooser.once(2)) {
    const comments = idsOf(chooser, pools, pools.comments).map((commentId) => {
      if (chooser.once(4)) return { commentId, delete: true }
      return {
        commentId,
        ...(chooser.once(2) && { content: sentence(chooser) }),
        ...(chooser.once(2) && { resolved: chooser.once(2) }),
      }
    })
    return { tool: 'comments_update', args: { comments } }
  }
  const ids = idsOf(chooser, pools, chooser.once(8) ? pools.documents : pools.blocks)
  return { tool: 'comments_add', args: { comments: ids.map((blockId) => ({ blockId, content: sentence(chooser) })) } }
}

export function boards(chooser: Chooser, pools: Pools): Call {
  const board = chooser.any(pools.boards)
  if (board === undefined || chooser.once(8))
    return { tool: 'whiteboards_add', args: { position: position(chooser, pools) } }
  const whiteboardBlockId = chooser.once(30) ? idOf(chooser, pools, pools.blocks) : board.id
  const answer = chooser.once(3) ? { answer: 'changed' } : {}
  const which = chooser.number(10)
  if (which < 5) {
    const fileId = chooser.once(3) ? word(chooser) : undefined
    const elements = chooser.times(3, () => ({
      id: `${word(chooser)}${chooser.number(100)}`,
      type: 'rectangle',
      // Without a size it would be a skeleton, which the product expands to more elements or fields.
      y: 0,
      width: 10,
      height: 10,
      x: chooser.number(500),
      ...(fileId !== undefined && { fileId }),
    }))
    const assets = fileId !== undefined && { assets: { [fileId]: { dataURL: title(chooser) } } }
    const state = chooser.once(6) && { appState: { [word(chooser)]: title(chooser) } }
    return { tool: 'elements_add', args: { whiteboardBlockId, elements, ...assets, ...state, ...answer } }
  }
  const ids = [...chooser.some(board.elements), ...(chooser.once(12) ? ['none'] : [])]
  if (which < 8) {
    const elements = ids.map((id) => ({ id, x: chooser.number(500), ...(chooser.once(6) && { version: 9 }) }))
    return { tool: 'elements_update', args: { whiteboardBlockId, elements, ...answer } }
  }
  return { tool: 'elements_delete', args: { whiteboardBlockId, elementIds: ids } }
}

/** Creates a file. This is rare, since the bytes of each file are written to the disk. */
export function files(chooser: Chooser, pools: Pools): Call {
  const fileName = chooser.once(12) ? 'a/b.txt' : `${word(chooser)}.txt`
  return { tool: 'files_add', args: { position: position(chooser, pools), text: sentence(chooser), fileName } }
}
