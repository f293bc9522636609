/** Which call undo takes back, as a function of the history. */

export interface UndoItem {
  callId: string
  connection?: string
  undoneBy?: string
  undoes?: string[]
}

/**
 * The call that is to be taken back: the last of this browser that stands; to redo, the last undo that nothing was
 * changed after.
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
