/** Buttons above a selection of text: marks, a link, and a comment. On a phone they stand above its keyboard, with more. */
import { type Command, type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { HighlightColor } from '../../../markdown/block.ts'
import type { IconName } from '../../icon-names.ts'
import { drawnIcon } from '../drawn-icon.ts'
import { schema } from '../model/editor-schema.ts'
import { isCodeNode } from '../model/page-block.ts'
import { text } from '../page-text.ts'
import { aboveKeyboard, isPhone } from './above-keyboard.ts'
import { nest, setKind } from './block-fields.ts'
import { blockAround } from './block-place.ts'
import { type CommentedWords, selectedWords } from './commented-words.ts'
import { openLinkField } from './link-field.ts'
import {
  isMarked,
  setHighlight,
  toggleBold,
  toggleCode,
  toggleHighlight,
  toggleItalic,
  toggleStrike,
} from './text-marks.ts'

const { marks } = schema

const MARKS = [
  [text('Bold'), 'bold', marks.bold, toggleBold],
  [text('Italic'), 'italic', marks.italic, toggleItalic],
  [text('Strike'), 'strikethrough', marks.strike, toggleStrike],
  [text('Code'), 'inline-code', marks.code, toggleCode],
  [text('Highlight'), 'highlight', marks.highlight, toggleHighlight],
] as const

/** What a phone's keyboard has no keys for. */
const BLOCKS: readonly (readonly [name: string, icon: IconName, Command])[] = [
  [text('Task'), 'task', setKind({ listStyle: 'task', taskInfo: { state: 'todo' } })],
  [text('Bulleted list'), 'bullets', setKind({ listStyle: 'bullet' })],
  [text('One level out'), 'outdent', nest(-1)],
  [text('One level in'), 'indent', nest(1)],
]

/** @param onComment  opens the form for a comment on a block, or on words in it */
export function selectionToolbar(onComment: (id: string, words?: CommentedWords) => void): Plugin {
  return new Plugin({
    view(view) {
      const bar = document.createElement('div')
      bar.className = 'text-toolbar'
      bar.setAttribute('role', 'toolbar')
      bar.setAttribute('aria-label', text('Format'))
      bar.hidden = true
      const run = (command: Command) => () => {
        command(view.state, view.dispatch, view)
        view.focus()
      }
      const buttons = MARKS.map(([name, icon, , command]) => button(name, icon, run(command)))
      bar.append(
        ...BLOCKS.map(([name, icon, command]) =>
          Object.assign(button(name, icon, run(command)), { className: 'of-phone' }),
        ),
        ...buttons,
        colorMenu((color) => run(setHighlight(color))()),
        button(text('Link'), 'links', () => openLinkField(view)),
        button(text('Comment'), 'comment', () => {
          const { state } = view
          onComment(String(blockAround(state.selection.$from).node.attrs.id), selectedWords(state))
        }),
      )
      document.getElementById('main')?.append(bar)
      let isPressed = false
      const draw = () => {
        const { selection } = view.state
        const isShown = isPhone() ? selection instanceof TextSelection : !isPressed && isFormattable(view.state)
        bar.hidden = !isShown || !view.hasFocus()
        document.documentElement.classList.toggle('writes', isPhone() && !bar.hidden)
        if (bar.hidden) return
        for (const [index, [, , type]] of MARKS.entries())
          buttons[index]?.setAttribute('aria-pressed', String(isMarked(view.state, type)))
        if (!isPhone()) placeAbove(view, bar)
      }
      const down = () => {
        isPressed = true
      }
      const up = () => {
        isPressed = false
        draw()
      }
      const closed = new AbortController()
      const { signal } = closed
      view.dom.addEventListener('pointerdown', down, { signal })
      document.addEventListener('pointerup', up, { signal })
      for (const type of ['focus', 'blur'] as const) view.dom.addEventListener(type, draw, { signal })
      aboveKeyboard(bar, draw, signal)
      draw()
      return {
        update: draw,
        destroy() {
          closed.abort()
          document.documentElement.classList.remove('writes')
          bar.remove()
        },
      }
    },
  })
}

function button(name: string, icon: IconName | undefined, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  if (icon !== undefined) made.append(drawnIcon(icon))
  made.title = name
  made.setAttribute('aria-label', name)
  // Keeps the selection.
  made.addEventListener('pointerdown', (event) => event.preventDefault())
  made.addEventListener('click', act)
  return made
}

const COLORS: readonly HighlightColor[] = ['yellow', 'green', 'cyan', 'blue', 'purple', 'pink', 'red', 'gray']

/** The colors of highlights. */
function colorMenu(choose: (color: HighlightColor | undefined) => void): HTMLElement {
  const box = document.createElement('details')
  box.className = 'colors'
  const summary = Object.assign(document.createElement('summary'), {
    title: text('Color of the highlight'),
  })
  summary.append(drawnIcon('chevron-down'))
  summary.setAttribute('aria-label', text('Color of the highlight'))
  summary.addEventListener('pointerdown', (event) => event.preventDefault())
  const list = document.createElement('div')
  const pick = (color: HighlightColor | undefined) => () => {
    box.open = false
    choose(color)
  }
  for (const color of COLORS) {
    const one = button(color, undefined, pick(color))
    one.className = `hl-${color}`
    list.append(one)
  }
  list.append(button(text('No highlight'), 'x', pick(undefined)))
  box.append(summary, list)
  return box
}

const isFormattable = ({ selection }: EditorState): boolean =>
  selection instanceof TextSelection && !selection.empty && !isCodeNode(selection.$from.parent)

function placeAbove(view: EditorView, bar: HTMLElement): void {
  const { from, to } = view.state.selection
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
  const top = start.top - bar.offsetHeight - 8
  bar.style.top = `${top > 4 ? top : end.bottom + 8}px`
  bar.style.left = `${Math.max(8, Math.min(start.left, innerWidth - bar.offsetWidth - 8))}px`
}
