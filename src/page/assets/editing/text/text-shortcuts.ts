/** Shortcuts while typing: marks around words, and other kinds of blocks by their first characters. */
import type { EditorView } from '@codemirror/view'
import type { Fields } from '../blocks/block-text.ts'
import type { KeyMark } from './title-marks.ts'

/** Maps text typed at the start of a block to fields. */
const SHORTCUTS: readonly [typed: RegExp, fields: Partial<Fields>][] = [
  [/^# $/, { textStyle: 'h1' }],
  [/^## $/, { textStyle: 'h2' }],
  [/^### $/, { textStyle: 'h3' }],
  [/^#### $/, { textStyle: 'h4' }],
  [/^[-*] $/, { listStyle: 'bullet' }],
  [/^\+ $/, { listStyle: 'toggle' }],
  [/^1[.)] $/, { listStyle: 'numbered' }],
  [/^\[ ?\] $/, { listStyle: 'task', taskInfo: { state: 'todo' } }],
  [/^\[x\] $/i, { listStyle: 'task', taskInfo: { state: 'done' } }],
  [/^> $/, { decorations: { quote: true } }],
]

/**
 * The fields for text typed at the start of a block. A number makes an item only if it is 1 or continues the list above:
 * `24. ` begins a date.
 *
 * @param above  the number of the item above on the same level
 */
export function shortcutFor(typed: string, above: number | undefined): Partial<Fields> | undefined {
  const number = /^(\d{1,9})[.)] $/.exec(typed)?.[1]
  if (number !== undefined && above !== undefined && Number(number) === above + 1) return { listStyle: 'numbered' }
  return SHORTCUTS.find(([pattern]) => pattern.test(typed))?.[1]
}

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

/** Adds marks around the selection, or removes them. */
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
