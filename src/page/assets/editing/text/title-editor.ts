/** Edits the title of a page in place. Its marks follow the text, and are set by keys. */
import type { EditorView } from '@codemirror/view'
import type { Title, TitleAttribute } from '../../../../markdown/inline-title.ts'
import { textChange } from '../../model/order-merge.ts'
import type { UnsavedText } from '../../sync/unsaved-text.ts'
import { blocksIn, hasEditableText } from '../blocks/block-element.ts'
import { styledNodes } from '../blocks/inline-styles.ts'
import { type CaretPlace, openInlineEditor, placeCaret } from './inline-editor.ts'
import type { TextEditor } from './text-editor.ts'
import { markOf } from './text-shortcuts.ts'
import { addAtEnd } from './text-structure.ts'
import {
  appearanceOf,
  isSameTitle,
  onOneLine,
  titleEffects,
  titleIn,
  titleMarks,
  titleSaved,
  toggleTitleMark,
} from './title-marks.ts'

export interface TitleEditor {
  /** Applies the title that the server has. */
  take(title: Title, html: string): void
  /** Sends typed text. */
  save(): void
}

export function startTitle(editor: TextEditor): TitleEditor {
  const { writer } = editor
  const { article, pageId } = writer.page
  const heading = article.querySelector<HTMLElement>(':scope > h1')
  const { title: value, titleAttributes = '[]' } = article.dataset
  if (heading === null || value === undefined) return { take() {}, save() {} }
  let title: Title = { value, attributes: JSON.parse(titleAttributes) as TitleAttribute[] }
  let view: EditorView | undefined
  /** The content of the heading without the caret. */
  let shown: Node[] = []
  heading.classList.add('editable')
  heading.tabIndex = 0

  const keep = (typed: Title) => {
    const { value: words, attributes } = typed
    const isSent = isSameTitle(typed, title)
    // Keep the draft of a sent title until its call is queued.
    const draft = writer.store.get('draft', pageId)
    if (isSent && draft !== undefined && isSameTitle(typed, titleOf(draft))) return
    // An empty title is not saved: the page keeps the previous one.
    if (isSent || words === '') return writer.store.remove('draft', pageId)
    const fields = { type: 'page' } as const
    writer.store.put('draft', { blockId: pageId, fields, words, attributes, expected: title.value })
  }
  const save = () => {
    if (view === undefined) return
    const changes = onOneLine(view.state.doc.toString())
    if (changes.length > 0) view.dispatch({ changes, userEvent: 'remote' })
    const typed = titleIn(view.state)
    keep(typed)
    if (isSameTitle(typed, title) || typed.value === '') return
    writer.changeTitle(typed, title.value)
    title = typed
    shown = titleNodes(typed)
    view.dispatch({ effects: titleSaved() })
  }
  const close = () => {
    if (view === undefined) return
    save()
    view.destroy()
    view = undefined
    heading.tabIndex = 0
    heading.replaceChildren(...shown)
  }
  /** @returns true if the key undoes the last change */
  const undoes = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean => {
    if (!(ctrlKey || metaKey) || altKey || !/^[zy]$/i.test(key)) return false
    save()
    editor.onUndo(shiftKey || key.toLowerCase() === 'y')
    return true
  }
  const onKey = (event: KeyboardEvent, opened: EditorView) => {
    const { key } = event
    const marking = markOf(event)
    if (undoes(event)) return true
    if (marking !== undefined) {
      opened.dispatch(toggleTitleMark(opened.state, marking.type))
      keep(titleIn(opened.state))
    } else if (key === 'Escape') {
      close()
      heading.focus()
    } else if (key === 'Enter' || key === 'ArrowDown') {
      close()
      const first = blocksIn(article)[0]
      if (first !== undefined && hasEditableText(first)) editor.open(first, { offset: 0 })
      else if (first === undefined) addAtEnd(editor)
    } else return false
    return true
  }
  const open = (place: CaretPlace) => {
    if (view !== undefined) return
    editor.close()
    shown = [...heading.childNodes]
    heading.replaceChildren()
    heading.removeAttribute('tabindex')
    const opened = openInlineEditor(heading, {
      text: title.value,
      label: 'Title',
      isPlain: false,
      styles: titleMarks(title.attributes),
      onKey,
      onInput: ({ state }) => keep(titleIn(state)),
      onPaste: () => false,
      onBlur: () => setTimeout(() => view === opened && close()),
    })
    view = opened
    placeCaret(opened, place)
  }
  heading.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
    if (!(target instanceof Element && target.closest('a'))) open({ point: { x, y } })
  })
  heading.addEventListener('keydown', (event) => {
    if (view !== undefined || (event.key !== 'Enter' && !undoes(event))) return
    event.preventDefault()
    if (event.key === 'Enter') open({ offset: title.value.length })
  })

  const takeOpen = (opened: EditorView, now: Title) => {
    const isTyped = opened.state.doc.toString() !== title.value
    const isOther = now.value !== title.value
    // Typed text will be sent with the title that it was based on, refused, and shown as a conflict.
    if (isOther && isTyped) return
    const change = isOther ? textChange(title.value, now.value) : undefined
    opened.dispatch({
      ...(change !== undefined && { changes: change }),
      effects: titleEffects(now.attributes, isOther),
      userEvent: 'remote',
    })
    title = now
  }
  return {
    take(now, html) {
      article.dataset.title = now.value
      const template = document.createElement('template')
      template.innerHTML = now.value === '' ? 'Untitled' : html
      shown = [...template.content.childNodes]
      if (view !== undefined) return takeOpen(view, now)
      title = now
      if (heading.innerHTML !== template.innerHTML) heading.replaceChildren(...shown)
    },
    save,
  }
}

const titleOf = ({ words, attributes = [] }: UnsavedText): Title => ({ value: words, attributes: [...attributes] })

/** Renders a title without the caret until the server has rendered it. */
const titleNodes = ({ value, attributes }: Title): Node[] =>
  styledNodes(
    value,
    attributes.map((attribute) => ({ from: attribute.start, to: attribute.end, ...appearanceOf(attribute) })),
  )
