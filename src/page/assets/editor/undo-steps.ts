/** Undo in steps of a word or a pause, and one for each change of the structure. */
import { closeHistory, history } from 'prosemirror-history'
import type { EditorState, Plugin, Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'

/** Milliseconds of a pause. */
const PAUSE_MS = 500

export const undoHistory = (): Plugin => history({ newGroupDelay: PAUSE_MS })

/** Begins a new step of undo before a word, and before and after the structure changes. */
export function withUndoStep(transaction: Transaction, before: EditorState): Transaction {
  if (!transaction.docChanged || transaction.getMeta('addToHistory') === false) return transaction
  return beginsWord(transaction, before) || changesBlocks(transaction, before) ? closeHistory(transaction) : transaction
}

/** True if a letter is typed after white space. */
function beginsWord({ steps }: Transaction, { doc }: EditorState): boolean {
  const [step] = steps
  if (steps.length !== 1 || !(step instanceof ReplaceStep) || step.from !== step.to) return false
  const typed = step.slice.content.firstChild
  if (!typed?.isText || /^\s/.test(typed.text ?? '')) return false
  const $from = doc.resolve(step.from)
  return /\s$/.test($from.parent.textBetween(Math.max(0, $from.parentOffset - 1), $from.parentOffset, '', ' '))
}

const changesBlocks = ({ doc }: Transaction, before: EditorState): boolean => doc.childCount !== before.doc.childCount
