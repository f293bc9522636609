/** A pure function that determines which call undo or redo applies to. */

export interface UndoItem {
  callId: string
  connection?: string
  undoneBy?: string
  undoes?: string[]
}

/**
 * The call to undo: the last one of this browser that has not been undone. For redo, it is the last undo, if nothing
 * was changed after it.
 *
 * @param items  newest first
 */
export function undoTarget(items: readonly UndoItem[], connection: string, isRedo: boolean): string | undefined {
  const byId = new Map(items.map((item) => [item.callId, item]))
  /** An undo of an undo is a redo. */
  const isUndo = ({ undoes = [] }: UndoItem) => undoes.length > 0 && undoes.every((id) => !byId.get(id)?.undoes)
  for (const item of items) {
    if (item.connection !== connection || item.undoneBy !== undefined) continue
    if (isRedo && isUndo(item)) return item.callId
    if (item.undoes !== undefined) continue
    return isRedo ? undefined : item.callId
  }
  return undefined
}
