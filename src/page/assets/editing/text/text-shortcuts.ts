/** What typing makes of a text: marks around words, and another kind of block by its first letters. */
import type { EditorView } from '@codemirror/view'
import type { Fields } from '../blocks/block-text.ts'
import type { KeyMark } from './title-marks.ts'

/** What typing at the front of a text makes of it. */
export const SHORTCUTS: readonly [typed: RegExp, fields: Partial<Fields>][] = [
  [/^# $/, { textStyle: 'h1' }],
  [/^## $/, { textStyle: 'h2' }],
  [/^### $/, { textStyle: 'h3' }],
  [/^#### $/, { textStyle: 'h4' }],
  [/^[-*] $/, { listStyle: 'bullet' }],
  [/^\+ $/, { listStyle: 'toggle' }],
  [/^\d{1,3}[.)] $/, { listStyle: 'numbered' }],
  [/^\[ ?\] $/, { listStyle: 'task', taskInfo: { state: 'todo' } }],
  [/^\[x\] $/i, { listStyle: 'task', taskInfo: { state: 'done' } }],
  [/^> $/, { decorations: { quote: true } }],
]

/** By the key that is pressed with Ctrl: what it is called in a title, and how Markdown writes it. */
const MARKS: Readonly<Record<string, { type: KeyMark; mark: string }>> = {
  b: { type: 'bold', mark: '**' },
  i: { type: 'italic', mark: '*' },
  e: { type: 'code', mark: '`' },
}

/** The mark that a key stands for. */
export const markOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey ? MARKS[key.toLowerCase()] : undefined

/** Puts marks around what is selected, or takes them away. */
export function toggleMark(view: EditorView, mark: string): void {
  const { from, to } = view.state.selection.main
  const around =
    view.state.sliceDoc(from - mark.length, from) === mark && view.state.sliceDoc(to, to + mark.length) === mark
  view.dispatch(
    around
      ? {
          changes: [
            { from: from - mark.length, to: from },
            { from: to, to: to + mark.length },
          ],
          userEvent: 'input',
        }
      : {
          changes: [
            { from, insert: mark },
            { from: to, insert: mark },
          ],
          selection: { anchor: from + mark.length, head: to + mark.length },
          userEvent: 'input',
        },
  )
}
