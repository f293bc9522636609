/** Undo in steps of a word or a pause, and one for each change of the structure. */
import { closeHistory, history } from 'prosemirror-history'
import type { EditorState, Plugin, Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'

/** Milliseconds of a pause. */
const PAUSE_MS = 500

export const undoHistory = (): Plugin => history({ newGroupDelay: PAUSE_MS })

/** Begins a new step of undo before a word with the space before it, and before and after the structure changes. */
export function withUndoStep(transaction: Transaction, before: EditorState): Transaction {
  if (!transaction.docChanged || transaction.getMeta('addToHistory') === false) return transaction
  return beginsWord(transaction, before) || changesBlocks(transaction, before) ? closeHistory(transaction) : transaction
}

/** True for a space after a word, and for what is typed first in a block. */
function beginsWord({ steps }: Transaction, { doc }: EditorState): boolean {
  const [step] = steps
  if (steps.length !== 1 || !(step instanceof ReplaceStep) || step.from !== step.to) return false
  const typed = step.slice.content.firstChild
  if (!typed?.isText) return false
  const { parent, parentOffset } = doc.resolve(step.from)
  if (parentOffset === 0) return true
  const before = parent.textBetween(parentOffset - 1, parentOffset, '', 'x')
  return /^\s/.test(typed.text ?? '') && !/\s/.test(before)
}

const changesBlocks = ({ doc }: Transaction, before: EditorState): boolean => doc.childCount !== before.doc.childCount
