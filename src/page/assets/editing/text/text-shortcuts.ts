/** Shortcuts while typing: marks around words. */
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { KeyMark } from './title-marks.ts'

/** By key pressed with Ctrl: the name of the mark in titles, and its Markdown. */
const MARKS: ReadonlyMap<string, { type: KeyMark; mark: string }> = new Map(
  Object.entries({
    b: { type: 'bold', mark: '**' },
    i: { type: 'italic', mark: '*' },
    e: { type: 'code', mark: '`' },
  }),
)

/** The mark that belongs to a key press. */
export const markOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey ? MARKS.get(key.toLowerCase()) : undefined

/** Adds marks around the selection, or removes them. At the end of what was marked, the caret leaves it. */
export function toggleMark(view: EditorView, mark: string): void {
  const { state } = view
  const { from, to } = markable(state, mark)
  const { length } = mark
  const isBefore = state.sliceDoc(from - length, from) === mark
  const isAfter = state.sliceDoc(to, to + length) === mark
  if (from === to && isAfter && !isBefore && state.sliceDoc(0, from).includes(mark)) {
    view.dispatch({ selection: { anchor: to + length } })
    return
  }
  view.dispatch({
    changes:
      isBefore && isAfter
        ? [
            { from: from - length, to: from },
            { from: to, to: to + length },
          ]
        : [
            { from, insert: mark },
            { from: to, insert: mark },
          ],
    ...(!(isBefore && isAfter) && { selection: { anchor: from + length, head: to + length } }),
    userEvent: 'input',
  })
}

/** The selection without the spaces at its ends, beside which marks other than those of code mean nothing. */
function markable({ doc, selection }: EditorState, mark: string): { from: number; to: number } {
  const { from, to } = selection.main
  const text = doc.sliceString(from, to)
  if (mark === '`' || text.trim() === '') return { from, to }
  return { from: from + text.length - text.trimStart().length, to: to - text.length + text.trimEnd().length }
}
