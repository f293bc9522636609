/**
 * Selects blocks one by one, for touch: each tap on a block selects or deselects it, and a bar at the edge of the
 * window offers actions. Started from the handle of a block, or from the menu of the document.
 */
import { inBackground } from '../page-background.ts'
import type { BlockSelection } from './block-selection.ts'
import type { TextEditor } from './text/text-editor.ts'
import { nestBlocks } from './text/text-structure.ts'

export interface SelectionBar {
  /** Starts selecting, with or without a first block. If already started, selects or deselects the block. */
  select(element?: HTMLElement): void
}

export function startSelectionBar(editor: TextEditor, selection: BlockSelection): SelectionBar {
  const { article } = editor.writer.page
  const bar = document.createElement('section')
  bar.className = 'selection-bar'
  bar.hidden = true
  bar.setAttribute('aria-label', 'Selected blocks')
  const words = document.createElement('p')
  words.setAttribute('role', 'status')
  bar.append(words)
  /** Buttons that need a selected block. */
  const needy: HTMLButtonElement[] = []
  const button = (text: string, act: () => void, label?: string): HTMLButtonElement => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = text
    if (label !== undefined) {
      made.setAttribute('aria-label', label)
      made.title = label
    }
    made.addEventListener('click', act)
    bar.append(made)
    return made
  }
  button('Undo', () => editor.onUndo(false))
  button('Done', () => end()).classList.add('go')
  needy.push(
    button('↑', () => selection.move(selection.elements, -1), 'Move up'),
    button('↓', () => selection.move(selection.elements, 1), 'Move down'),
    button('←', () => nestBlocks(editor, selection.elements, -1), 'One level out'),
    button('→', () => nestBlocks(editor, selection.elements, 1), 'One level in'),
    button('Copy', () => inBackground(() => selection.copy())),
    button('Delete', () => selection.delete()),
  )
  document.getElementById('main')?.append(bar)

  const draw = () => {
    const group = selection.withNested
    const count = group.length
    const text = count === 0 ? 'Tap blocks to select them' : `${count} ${count === 1 ? 'block' : 'blocks'} selected`
    if (words.textContent !== text) words.textContent = text
    showAlong(group.filter((element) => !element.classList.contains('selected')))
    // Not `disabled`, since a disabled button would lose the focus.
    for (const one of needy) one.setAttribute('aria-disabled', String(count === 0))
  }
  const showAlong = (nested: readonly HTMLElement[]) => {
    for (const old of article.querySelectorAll('.part > .block.along')) old.classList.remove('along')
    for (const element of nested) element.classList.add('along')
  }
  // Others may delete selected blocks, and undo may restore them.
  const observer = new MutationObserver(draw)
  const end = () => {
    if (!selection.isOneByOne) return
    selection.isOneByOne = false
    observer.disconnect()
    document.documentElement.classList.remove('selects')
    bar.hidden = true
    selection.clear()
    showAlong([])
  }
  const select = (element?: HTMLElement) => {
    if (!selection.isOneByOne) {
      editor.close()
      selection.clear()
      selection.isOneByOne = true
      observer.observe(article, { childList: true, subtree: true })
      document.documentElement.classList.add('selects')
      bar.hidden = false
    }
    if (element === undefined) draw()
    else selection.toggle(element)
  }
  selection.onChange = () => selection.isOneByOne && draw()

  // Runs before other click handlers of a document.
  document.addEventListener(
    'click',
    (event) => {
      if (!selection.isOneByOne || !(event.target instanceof Element) || !article.contains(event.target)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      const element = event.target.closest<HTMLElement>('.part > .block')
      if (element !== null) selection.toggle(element)
    },
    { capture: true },
  )
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-select]') !== null) select()
  })
  for (const place of [article, bar])
    place.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { capture: true })
  // A key press may start editing a text.
  article.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest('.cm-editor') !== null) end()
  })
  return { select }
}
