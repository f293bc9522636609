/** A CodeMirror view for the text of one block, without its own undo. */
import { standardKeymap } from '@codemirror/commands'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import './adopted-styles.ts'
import type { CellPlace } from '../../model/table-change.ts'
import { inlineStyles } from '../blocks/inline-styles.ts'

/** The initial position of the caret. */
export type CaretPlace =
  | { offset: number }
  | { cell: CellPlace; offset: number }
  | { point: { x: number; y: number } }
  /** In the first or last line, at the same horizontal position as before. */
  | { line: 'first' | 'last'; x: number }

export interface InlineEditorOptions {
  text: string
  label: string
  /** True if the text is shown verbatim, with line breaks: code and tables. */
  isPlain: boolean
  /** Styling; by default, that of inline Markdown. */
  styles?: Extension
  /** @returns true if the key was handled */
  onKey(event: KeyboardEvent, view: EditorView): boolean
  onInput(view: EditorView, isTyped: boolean): void
  onPaste(data: DataTransfer, view: EditorView): boolean
  onBlur(): void
}

export function openInlineEditor(parent: HTMLElement, options: InlineEditorOptions): EditorView {
  const { text, label, isPlain, onKey, onInput, onPaste, onBlur } = options
  const styles = options.styles ?? (isPlain ? [] : inlineStyles)
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          EditorView.domEventHandlers({
            keydown: (event, view) => !view.composing && onKey(event, view),
            paste: (event, view) => event.clipboardData !== null && onPaste(event.clipboardData, view),
            // The page handles dropped files.
            drop: (event) => event.dataTransfer?.types.includes('Files') === true,
            blur: () => onBlur(),
          }),
        ),
        keymap.of([...standardKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          spellcheck: isPlain ? 'false' : 'true',
          autocapitalize: isPlain ? 'off' : 'sentences',
          autocorrect: isPlain ? 'off' : 'on',
        }),
        EditorView.updateListener.of(({ docChanged, transactions, view }) => {
          if (!docChanged || transactions.every((one) => one.isUserEvent('remote'))) return
          onInput(
            view,
            transactions.some((one) => one.isUserEvent('input')),
          )
        }),
        styles,
      ],
    }),
  })
  return view
}

export function placeCaret(view: EditorView, place: CaretPlace): void {
  view.focus()
  view.dispatch({ selection: { anchor: offsetOf(view, place) }, scrollIntoView: true })
}

function offsetOf(view: EditorView, place: CaretPlace): number {
  const { length } = view.state.doc
  if ('offset' in place) return Math.min(place.offset, length)
  if ('point' in place) return view.posAtCoords(place.point, false)
  const end = place.line === 'first' ? 0 : length
  const line = view.coordsAtPos(end)
  if (line === null) return end
  return view.posAtCoords({ x: place.x, y: (line.top + line.bottom) / 2 }, false)
}

/** True if the caret is in the first or last visual line. */
export function isOnEdge(view: EditorView, edge: 'first' | 'last'): boolean {
  const { main } = view.state.selection
  const caret = view.coordsAtPos(main.head)
  const end = view.coordsAtPos(edge === 'first' ? 0 : view.state.doc.length)
  if (caret === null || end === null) return true
  const height = caret.bottom - caret.top
  return Math.abs(caret.top - end.top) < height / 2
}

/** The horizontal position of the caret, for moving it to the same place in another block. */
export const caretX = (view: EditorView): number => view.coordsAtPos(view.state.selection.main.head)?.left ?? 0
