/** Tab and Shift Tab in code. */
import { type Command, TextSelection } from 'prosemirror-state'

const STEP = '  '

/** Indents the selected lines of code by two spaces, or takes them away. Without a selection, Tab adds spaces. */
export const indentCode =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from, $to, empty } = state.selection
    if (!$from.sameParent($to)) return false
    const { tr } = state
    if (by === 1 && empty) {
      dispatch?.(tr.insertText(STEP))
      return true
    }
    for (const at of lineStarts($from.parent.textContent, $from.parentOffset, $to.parentOffset).toReversed()) {
      const position = $from.start() + at
      if (by === 1) tr.insertText(STEP, position)
      else {
        const [spaces = ''] = /^(?: {1,2}|\t)/.exec($from.parent.textContent.slice(at)) ?? []
        if (spaces !== '') tr.delete(position, position + spaces.length)
      }
    }
    if (by === 1) {
      // A selection that begins with its first line goes on to do so.
      tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map($from.pos, -1), tr.mapping.map($to.pos)))
    }
    dispatch?.(tr)
    return true
  }

function lineStarts(text: string, from: number, to: number): number[] {
  const starts = [text.lastIndexOf('\n', from - 1) + 1]
  for (
    let next = text.indexOf('\n', from);
    next !== -1 && next + 1 <= Math.max(from, to - 1);
    next = text.indexOf('\n', next + 1)
  )
    starts.push(next + 1)
  return starts
}
