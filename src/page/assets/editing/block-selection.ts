/**
 * Blocks as wholes: chosen by their handles or by keys, several at once, moved, nested, copied and deleted.
 *
 *     arrows              another block          Shift and arrows     more of them
 *     Alt and arrows      move them              Tab, Shift Tab       nest them
 *     Enter               edit the text          Delete, Backspace    delete them
 *
 * While blocks are selected one by one, as by a finger (selection-bar.ts), arrows leave the others selected, Space adds
 * a block or takes it away, and Tab goes on.
 */

import {
  blockId,
  blocksIn,
  fieldsOf,
  hasWords,
  markdownOf,
  nextBlock,
  previousBlock,
  renumber,
  runsOf,
  withNested,
} from './blocks/block-element.ts'
import { say } from './blocks/edited-page.ts'
import { deleteSteps } from './changes/delete-steps.ts'
import type { PageWriter } from './changes/page-writer.ts'
import type { TextEditor } from './text/text-editor.ts'
import { nestBlocks } from './text/text-structure.ts'

export class BlockSelection {
  readonly #editor: TextEditor
  readonly #writer: PageWriter
  #anchor: HTMLElement | undefined
  #head: HTMLElement | undefined
  /** Whether somebody came to the block by Tab, who may only be on the way to what comes after it. */
  #isPassing = false
  /** Whether blocks are added and taken away one by one. */
  isOneByOne = false
  /** After each change of what is selected. */
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
      if (this.#copy(event)) this.delete()
    })
    document.addEventListener('pointerdown', ({ target }) => {
      if (!this.isOneByOne && target instanceof Element && target.closest('.block-handle, .selected, dialog') === null)
        this.clear()
    })
    this.makeReachable()
  }

  /** One block can be come to by Tab: the one that was chosen last, or the first. */
  makeReachable(): void {
    const { article } = this.#writer.page
    const first = article.querySelector<HTMLElement>('.part > .block')
    if (article.querySelector('.part > .block[tabindex="0"]') === null && first !== null) first.tabIndex = 0
  }

  get elements(): HTMLElement[] {
    return [...this.#writer.page.article.querySelectorAll<HTMLElement>('.part > .block.selected')]
  }

  /** What is selected, with what is nested below. */
  get withNested(): HTMLElement[] {
    return withAllNested(this.elements)
  }

  /** @param isMore  whether what was chosen stays, up to this block */
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
    if (count > 1 && !this.isOneByOne) say(`${count} blocks selected`)
    this.onChange()
  }

  /** Adds a block to what is selected, or takes it away. */
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
    event.clipboardData.setData('text/plain', elements.map(markdownOf).join('\n\n'))
    event.preventDefault()
    return true
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
      // Only what was chosen is nested: otherwise Tab goes on, as to the bar that nests what is selected one by one.
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
    if (hasWords(element)) {
      this.#editor.open(element, { offset: fieldsOf(element).type === 'table' ? 0 : Number.MAX_SAFE_INTEGER })
      return
    }
    const link = element.querySelector<HTMLAnchorElement>('a[href]')
    if (link !== null) link.click()
    else this.#editor.add({ position: 'after', siblingId: blockId(element) })
  }

  /** Moves blocks past the ones above or below them. Those that stand apart come together. */
  move(elements: readonly HTMLElement[], direction: -1 | 1): void {
    const group = withAllNested(elements)
    const [first] = group
    const last = group.at(-1)
    if (first === undefined || last === undefined) return
    const beside = direction === -1 ? previousBlock(first) : nextBlock(last)
    if (beside === undefined) {
      const runs = runsOf(group)
      const [top = []] = runs
      const bottom = runs.at(-1) ?? []
      if (direction === -1) this.put(group.slice(top.length), top.at(-1) ?? first, 'after')
      else this.put(group.slice(0, -bottom.length), bottom[0] ?? last, 'before')
      return
    }
    const past = direction === 1 ? (withNested(beside).at(-1) ?? beside) : beside
    this.put(group, past, direction === -1 ? 'before' : 'after')
  }

  /** Puts blocks before or after another one. */
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
    say(group.length === 1 ? 'Moved' : `${group.length} blocks moved`)
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
    say(`${deleted}. ${this.isOneByOne ? 'Undo' : 'Ctrl Z'} brings back.`)
    if (this.isOneByOne) this.onChange()
    else if (next !== undefined) this.select(next)
  }

  /** The blocks that go along when this one is dragged. */
  groupOf(element: HTMLElement): HTMLElement[] {
    return withAllNested(this.elements.includes(element) ? this.elements : [element])
  }
}

const withAllNested = (elements: readonly HTMLElement[]): HTMLElement[] => [...new Set(elements.flatMap(withNested))]
