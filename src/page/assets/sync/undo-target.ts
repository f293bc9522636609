/** A pure function that determines which call undo or redo of the history applies to. */

export interface UndoItem {
  callId: string
  connection?: string
  undoneBy?: string
  undoes?: string[]
}

/** Who asks. */
export interface UndoCaller {
  /** The connection of this browser. */
  connection: string
  /** True for calls that this page made since it was opened, which the editor takes back itself. */
  isOwn(callId: string): boolean
}

/**
 * The call to undo: the last one that this browser made, not this page, and that has not been undone. For
 * redo, it is the last undo of such a call, if nothing was changed after it.
 *
 * @param items  newest first
 */
export function undoTarget(
  items: readonly UndoItem[],
  { connection, isOwn }: UndoCaller,
  isRedo: boolean,
): string | undefined {
  const byId = new Map(items.map((item) => [item.callId, item]))
  const isEarlier = ({ callId }: UndoItem) => !isOwn(callId)
  /** An undo of an undo is a redo. */
  const isUndo = ({ undoes = [] }: UndoItem) => undoes.length > 0 && undoes.every((id) => !byId.get(id)?.undoes)
  /** Bringing back what was deleted in the editor is a change of the editor. */
  const isOfHistory = ({ undoes }: UndoItem) =>
    undoes?.every((id) => {
      const undone = byId.get(id)
      return undone === undefined || isEarlier(undone) || undone.undoes !== undefined
    }) === true
  for (const item of items) {
    if (item.connection !== connection || item.undoneBy !== undefined) continue
    if (isRedo && isUndo(item) && isOfHistory(item)) return item.callId
    if (isEarlier(item) ? item.undoes !== undefined : !isRedo || isOfHistory(item)) continue
    return isRedo ? undefined : item.callId
  }
  return undefined
}
