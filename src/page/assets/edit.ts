/** Edits a document: connects the modules in `editing`. */
import { startHandle } from './editing/block-handle.ts'
import { BlockSelection } from './editing/block-selection.ts'
import { blockId, fieldsOf, hasEditableText, levelOf, nextBlock } from './editing/blocks/block-element.ts'
import { type EditedPage, findEditedPage } from './editing/blocks/edited-page.ts'
import { PageWriter } from './editing/changes/page-writer.ts'
import { startPeople } from './editing/page-people.ts'
import { PageSync } from './editing/page-sync.ts'
import { undo } from './editing/page-undo.ts'
import { startSelectionBar } from './editing/selection-bar.ts'
import { startKindMenu } from './editing/text/kind-menu.ts'
import { startPasting } from './editing/text/pasting.ts'
import { TextEditor } from './editing/text/text-editor.ts'
import { addAtEnd, reviveBlock } from './editing/text/text-structure.ts'
import { startTitle } from './editing/text/title-editor.ts'
import { hideVersions, showVersions } from './editing/versions.ts'
import { inBackground } from './page-background.ts'
import { flushBeforeSignOut, isHiddenOnly } from './unsent.ts'

/** Pixels within which a press does not count as a drag. */
const SLOP = 4

const page = findEditedPage()
if (page !== undefined) start(page)

function start(page: EditedPage): void {
  const { article } = page
  document.documentElement.classList.add('edits')
  const writer = new PageWriter(page)
  const editor = new TextEditor(writer)
  const selection = new BlockSelection(editor)
  const sync = new PageSync(editor)
  const title = startTitle(editor)
  const { chooseFiles } = startPasting(editor)
  startKindMenu(editor, chooseFiles)
  const bar = startSelectionBar(editor, selection)
  startHandle(editor, selection, bar)
  startPeople(page)
  selection.start()
  editor.onLeave = (element) => selection.select(element)
  editor.onMove = (elements, direction) => selection.move(elements, direction)
  editor.onUndo = (isRedo) => inBackground(() => undo(editor, isRedo))
  editor.onChangedLeft = (id) => sync.request(id)
  sync.onTitle = (now, html) => title.take(now, html)
  const show = (id: string) => {
    const kept = writer.store.conflict(id)
    if (kept !== undefined) showVersions(editor, kept, (id) => sync.request(id))
    return kept !== undefined
  }
  writer.onConflict = (id) => {
    if (!show(id)) return
    editor.dispute(id)
    sync.request(id)
  }
  writer.onSettled = (id) => {
    if (editor.hasConflict && editor.element?.id === `b${id}`) editor.close()
    hideVersions(id)
    sync.request(id)
  }
  sync.onTheirs = show
  writer.onGone = (id) => {
    if (writer.wasAddedAgain(id)) return true
    if (editor.element === undefined || blockId(editor.element) !== id) return false
    reviveBlock(editor)
    return true
  }
  sync.start()
  inBackground(() => writer.start())

  // Handles the boxes of tasks before the form does, which works without scripts.
  article.addEventListener(
    'click',
    (event) => {
      const box = event.target instanceof Element ? event.target.closest('.box:not([data-items] *)') : null
      const element = box?.closest<HTMLElement>('.part > .block')
      if (!element) return
      event.preventDefault()
      event.stopPropagation()
      tick(editor, element)
    },
    true,
  )
  let pressed: { target: EventTarget | null; x: number; y: number } = { target: null, x: 0, y: 0 }
  article.addEventListener('click', (event) => {
    const { target, clientX, clientY, pointerType } = event as PointerEvent
    if (!(target instanceof Element) || event.defaultPrevented) return
    if (target.closest('[data-items]') !== null) return editor.close()
    if (target.closest('a, button, input, label, select, textarea, summary, .cm-editor, .versions, [contenteditable]'))
      return
    // A press on selected text is no drag, although it is still selected during the click.
    const isDrag = Math.hypot(clientX - pressed.x, clientY - pressed.y) > SLOP
    if (window.getSelection()?.type === 'Range' && (isDrag || event.shiftKey)) return
    const element = target.closest<HTMLElement>('.part > .block')
    if (element === null) {
      // After a drag, the target is the parent of what it went over.
      if (target === pressed.target && (target === article || target.matches('.part, .empty'))) addAtEnd(editor)
      return
    }
    const { left, right } = element.getBoundingClientRect()
    const fromStart = element.matches(':dir(rtl)') ? right - clientX : clientX - left
    if (target.closest('.listed.toggles') === element && fromStart < 30) return fold(element)
    if (hasEditableText(element)) editor.open(element, { point: { x: clientX, y: clientY } })
    else if (pointerType === 'touch') bar.select(element)
    else selection.select(element)
  })
  // A click outside of everything removes the caret.
  document.addEventListener('pointerdown', ({ target, clientX: x, clientY: y }) => {
    pressed = { target, x, y }
    if (target instanceof Element && target.closest('article, .kinds, dialog') === null) editor.close()
  })
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (target !== document.body && target !== document.documentElement) return
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() !== 'z') return
      event.preventDefault()
      inBackground(() => undo(editor, event.shiftKey))
    } else if (key === 'e' && !event.altKey) {
      event.preventDefault()
      addAtEnd(editor)
    }
  })
  // Typed text is stored in the browser already. Send what can be sent.
  const flush = () => {
    editor.flush()
    title.save()
  }
  flushBeforeSignOut(() => {
    flush()
    return writer.kept()
  })
  document.addEventListener('visibilitychange', () => {
    if (isHiddenOnly()) flush()
  })
}

function tick(editor: TextEditor, element: HTMLElement): void {
  const fields = fieldsOf(element)
  const state = fields.taskInfo?.state === 'todo' ? 'done' : 'todo'
  if (editor.element === element) {
    editor.setFields({ ...fields, taskInfo: { state } })
    return
  }
  editor.writer.setTask(element, state)
}

/** Folds or unfolds a toggle. */
function fold(element: HTMLElement): void {
  const isFolded = element.classList.toggle('folded')
  const level = levelOf(element)
  for (let next = nextBlock(element); next !== undefined && levelOf(next) > level; next = nextBlock(next)) {
    next.hidden = isFolded
  }
}
