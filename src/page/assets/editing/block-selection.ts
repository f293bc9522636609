/**
 * Selects whole blocks by their handles or by keys, and moves, indents, copies and deletes them.
 *
 *     arrows              another block          Shift and arrows     extend the selection
 *     Alt and arrows      move them              Tab, Shift Tab       indent, outdent
 *     Enter               edit the text          Delete, Backspace    delete them
 *
 * In one-by-one mode, which is meant for touch (selection-bar.ts), arrows keep the selection, Space selects or
 * deselects a block, and Tab moves the focus.
 */

import { joinedMarkdown } from '../model/block-text.ts'
import {
  blockId,
  blocksIn,
  fieldsOf,
  hasEditableText,
  isAllMarkdown,
  levelOf,
  markdownOf,
  nextBlock,
  previousBlock,
  renumber,
  runsOf,
  withNested,
} from './blocks/block-element.ts'
import { announce } from './blocks/edited-page.ts'
import { deleteSteps } from './changes/delete-steps.ts'
import type { PageWriter } from './changes/page-writer.ts'
import type { TextEditor } from './text/text-editor.ts'
import { nestBlocks } from './text/text-structure.ts'

export class BlockSelection {
  readonly #editor: TextEditor
  readonly #writer: PageWriter
  #anchor: HTMLElement | undefined
  #head: HTMLElement | undefined
  /** True if the block got the focus by Tab: the person may only be passing through. */
  #isPassing = false
  /** True in one-by-one mode. */
  isOneByOne = false
  /** Called after each change of the selection. */
  onChange: () => void = () => {}

  constructor(editor: TextEditor) {
    this.#editor = editor
    this.#writer = editor.writer
  }

  start(): void {
    const { article } = this.#writer.page
    article.addEventListener('keydown', (event) => {
      if (event.target instanceof HTMLElement && event.target.matches('.block') && this.#key(event)) {
        event.preventDefault()
        event.stopPropagation()
      }
    })
    article.addEventListener('focusin', ({ target }) => {
      if (this.isOneByOne || !(target instanceof HTMLElement) || !target.matches('.block')) return
      if (this.elements.includes(target)) return
      this.select(target)
      this.#isPassing = true
    })
    document.addEventListener('copy', (event) => this.#copy(event))
    document.addEventListener('cut', (event) => {
      if (!this.#copy(event)) return
      if (this.withNested.every(isAllMarkdown)) this.delete()
      else announce('Copied, but not deleted: pages, whiteboards and collections cannot be pasted.')
    })
    document.addEventListener('pointerdown', ({ target }) => {
      if (!this.isOneByOne && target instanceof Element && target.closest('.block-handle, .selected, dialog') === null)
        this.clear()
    })
    this.makeReachable()
  }

  /** Makes one block reachable by Tab: the one that was selected last, or the first. */
  makeReachable(): void {
    const { article } = this.#writer.page
    const first = article.querySelector<HTMLElement>('.part > .block')
    if (article.querySelector('.part > .block[tabindex="0"]') === null && first !== null) first.tabIndex = 0
  }

  get elements(): HTMLElement[] {
    return [...this.#writer.page.article.querySelectorAll<HTMLElement>('.part > .block.selected')]
  }

  /** The selected blocks, with everything nested below them. */
  get withNested(): HTMLElement[] {
    return withAllNested(this.elements)
  }

  /** @param isMore  true to extend the selection up to this block */
  select(element: HTMLElement, isMore = false): void {
    this.#editor.close()
    this.#isPassing = false
    const anchor = (isMore && this.#anchor?.isConnected && this.#anchor) || element
    const blocks = blocksIn(this.#writer.page.article)
    const [from = 0, to = 0] = [blocks.indexOf(anchor), blocks.indexOf(element)].sort((a, b) => a - b)
    for (const old of this.elements) old.classList.remove('selected')
    for (const one of blocks.slice(from, to + 1)) one.classList.add('selected')
    this.#anchor = anchor
    this.#focus(element)
    const count = to - from + 1
    if (count > 1 && !this.isOneByOne) announce(`${count} blocks selected`)
    this.onChange()
  }

  /** Selects a block in addition, or deselects it. */
  toggle(element: HTMLElement): void {
    element.classList.toggle('selected')
    this.#anchor = element
    this.#focus(element)
    this.onChange()
  }

  #focus(element: HTMLElement): void {
    for (const old of this.#writer.page.article.querySelectorAll<HTMLElement>('.part > .block[tabindex]')) {
      old.removeAttribute('tabindex')
    }
    this.#head = element
    element.tabIndex = 0
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }

  clear(): void {
    for (const old of this.elements) old.classList.remove('selected')
    this.onChange()
  }

  #copy(event: ClipboardEvent): boolean {
    const { elements } = this
    if (elements.length === 0 || this.#editor.element !== undefined || event.clipboardData === null) return false
    if (window.getSelection()?.toString() !== '' && !document.activeElement?.matches('.block.selected')) return false
    event.clipboardData.setData('text/plain', this.#markdown)
    event.preventDefault()
    return true
  }

  /** Copies the selected blocks without a copy event, such as by a button. */
  async copy(): Promise<void> {
    const { length: count } = this.withNested
    if (count === 0) return
    try {
      await navigator.clipboard.writeText(this.#markdown)
      announce(count === 1 ? 'Copied' : `${count} blocks copied`)
    } catch {
      announce('The browser did not allow copying.')
    }
  }

  get #markdown(): string {
    return joinedMarkdown(this.withNested.map((one) => ({ markdown: markdownOf(one), level: levelOf(one) })))
  }

  #key(event: KeyboardEvent): boolean {
    const { key, shiftKey, altKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    const head = this.#head?.isConnected ? this.#head : (event.target as HTMLElement)
    if (isCommand && key.toLowerCase() === 'z') this.#editor.onUndo(shiftKey)
    else if (isCommand && key.toLowerCase() === 'y') this.#editor.onUndo(true)
    else if (isCommand && key.toLowerCase() === 'a') this.#selectAll()
    else if (isCommand) return false
    else if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) this.move(this.elements, key === 'ArrowUp' ? -1 : 1)
    else if (altKey) return false
    else if (key === 'ArrowUp' || key === 'ArrowDown') {
      const step = key === 'ArrowUp' ? previousBlock : nextBlock
      let next = step(head)
      while (next?.hidden) next = step(next)
      if (next !== undefined && this.isOneByOne && !shiftKey) this.#focus(next)
      else if (next !== undefined) this.select(next, shiftKey)
    } else if (key === ' ' && this.isOneByOne) {
      this.toggle(head)
    } else if (key === 'Tab') {
      // Tab indents only selected blocks. Otherwise it moves the focus, such as to the bar of one-by-one mode.
      if (this.elements.length === 0 || this.#isPassing || this.isOneByOne) return false
      nestBlocks(this.#editor, this.elements, shiftKey ? -1 : 1)
    } else if (key === 'Enter') this.#openText(head)
    else if (key === 'Backspace' || key === 'Delete') this.delete()
    else if (key === 'Escape') {
      this.clear()
      head.blur()
    } else return false
    return true
  }

  #selectAll(): void {
    const blocks = blocksIn(this.#writer.page.article)
    const [first] = blocks
    const last = blocks.at(-1)
    if (first === undefined || last === undefined) return
    this.select(first)
    this.select(last, true)
  }

  #openText(element: HTMLElement): void {
    this.clear()
    if (hasEditableText(element)) {
      this.#editor.open(element, { offset: fieldsOf(element).type === 'table' ? 0 : Number.MAX_SAFE_INTEGER })
      return
    }
    const link = element.querySelector<HTMLAnchorElement>('a[href]')
    if (link !== null) link.click()
    else this.#editor.add({ position: 'after', siblingId: blockId(element) })
  }

  /** Moves blocks past the ones above or below them. Separate blocks are brought together. */
  move(elements: readonly HTMLElement[], direction: -1 | 1): void {
    const group = withAllNested(elements)
    const [first] = group
    const last = group.at(-1)
    if (first === undefined || last === undefined) return
    const neighbor = direction === -1 ? previousBlock(first) : nextBlock(last)
    if (neighbor === undefined) {
      const runs = runsOf(group)
      const [top = []] = runs
      const bottom = runs.at(-1) ?? []
      if (direction === -1) this.put(group.slice(top.length), top.at(-1) ?? first, 'after')
      else this.put(group.slice(0, -bottom.length), bottom[0] ?? last, 'before')
      return
    }
    const past = direction === 1 ? (withNested(neighbor).at(-1) ?? neighbor) : neighbor
    this.put(group, past, direction === -1 ? 'before' : 'after')
  }

  /** Moves blocks before or after another one. */
  put(group: readonly HTMLElement[], sibling: HTMLElement, position: 'before' | 'after'): void {
    if (group.length === 0 || group.includes(sibling)) return
    const open = this.#editor.element
    const { place } = this.#editor
    const focused = document.activeElement
    const ids = group.map(blockId)
    this.#writer.write({
      tool: 'blocks_move',
      arguments: { blockIds: ids, position: { position, siblingId: blockId(sibling) }, answer: 'ids' },
    })
    if (position === 'before') sibling.before(...group)
    else sibling.after(...group)
    renumber(this.#writer.page.article)
    if (open !== undefined && group.includes(open)) this.#editor.open(open, place)
    else if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    group[0]?.scrollIntoView({ block: 'nearest' })
    announce(group.length === 1 ? 'Moved' : `${group.length} blocks moved`)
  }

  delete(): void {
    const group = this.withNested
    const [first] = group
    const last = group.at(-1)
    if (first === undefined || last === undefined) return
    const next = nextBlock(last) ?? previousBlock(first)
    this.#writer.write(...deleteSteps(group))
    for (const element of group) element.remove()
    renumber(this.#writer.page.article)
    const deleted = group.length === 1 ? 'Deleted' : `${group.length} blocks deleted`
    announce(`${deleted}. ${this.isOneByOne ? 'Undo restores' : 'Press Ctrl Z to restore'} what was deleted.`)
    if (this.isOneByOne) this.onChange()
    else if (next !== undefined) this.select(next)
  }

  /** The blocks that are dragged together with this one. */
  groupOf(element: HTMLElement): HTMLElement[] {
    return withAllNested(this.elements.includes(element) ? this.elements : [element])
  }
}

const withAllNested = (elements: readonly HTMLElement[]): HTMLElement[] => [...new Set(elements.flatMap(withNested))]
