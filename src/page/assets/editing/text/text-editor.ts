/**
 * Edits the text of blocks in place. One block has the caret. Typed text is sent when the person pauses, leaves the
 * block, or creates another one.
 */
import type { EditorView } from '@codemirror/view'
import { fenceLabel } from '../../../../markdown/blocks/code-block.ts'
import { calls } from '../../calls.ts'
import { shortcutFor } from '../../model/block-shortcuts.ts'
import { type Fields, markdownFor } from '../../model/block-text.ts'
import { textChange } from '../../model/order-merge.ts'
import type { BlockPosition } from '../../model/page-step.ts'
import type { CellPlace } from '../../model/table-change.ts'
import {
  applyFields,
  blockId,
  fieldsOf,
  hasEditableText,
  markdownOf,
  newElement,
  numberAbove,
  renumber,
} from '../blocks/block-element.ts'
import type { PageWriter } from '../changes/page-writer.ts'
import { languageField } from './code-language.ts'
import { type EditedPart, editedPart } from './edited-part.ts'
import { type CaretPlace, openInlineEditor, placeCaret } from './inline-editor.ts'
import { tableMenu } from './table-editing.ts'
import { handleKey, type TextWithKeys } from './text-keys.ts'

/** Milliseconds without a key press after which typed text is sent, and the maximum delay while typing goes on. */
const PAUSE_MS = 600
const LONGEST_MS = 3_000

interface Open {
  element: HTMLElement
  view: EditorView
  part: EditedPart
  /** An element that is shown next to the text while it has the caret. */
  tool?: HTMLElement | undefined
  /** The original content of the host, which is restored if nothing was changed. */
  shown: Node[]
  /** The original text, and the text that was sent last. */
  first: string
  sent: string
  /** True if others changed the block while it was being edited, so that typed text waits for a decision. */
  hasConflict: boolean
}

export class TextEditor implements TextWithKeys {
  readonly writer: PageWriter
  #open: Open | undefined
  #pause: ReturnType<typeof setTimeout> | undefined
  #typedSince: number | undefined
  /** Lets a menu handle keys first. @returns true if it handled the key */
  onMenuKey: (event: KeyboardEvent) => boolean = () => false
  /** Called after each change of the edited text. */
  onTyped: (view: EditorView) => void = () => {}
  /** @returns true if the pasted content became blocks */
  onPaste: (data: DataTransfer, view: EditorView) => boolean = () => false
  /** Called on Escape, and on other keys that leave the text. */
  onLeave: (element: HTMLElement) => void = () => {}
  /** Called when the caret has left a block that was changed, or that has two versions. */
  onChangedLeft: (id: string) => void = () => {}
  onUndo: (isRedo: boolean) => void = () => {}
  onMove: (elements: HTMLElement[], direction: -1 | 1) => void = () => {}

  constructor(writer: PageWriter) {
    this.writer = writer
  }

  /** The block with the caret. */
  get element(): HTMLElement | undefined {
    return this.#open?.element
  }

  get view(): EditorView | undefined {
    return this.#open?.view
  }

  /** True if there is typed text that is not queued yet. */
  get isDirty(): boolean {
    return this.#open !== undefined && this.words !== this.#open.sent
  }

  /** True if the block with the caret has two versions. */
  get hasConflict(): boolean {
    return this.#open?.hasConflict === true
  }

  /** The text of the block with the caret, and the text that was sent last. */
  get words(): string {
    return this.#open?.part.textWith(this.#open.view.state.doc.toString()) ?? ''
  }

  /** True if the caret is in code. */
  get isCode(): boolean {
    return this.#open?.part.isCode === true
  }

  /** The table cell with the caret. */
  get cell(): CellPlace | undefined {
    return this.#open?.part.cell
  }

  /** The caret position, for restoring it later. */
  get place(): CaretPlace {
    const offset = this.view?.state.selection.main.head ?? 0
    return this.cell === undefined ? { offset } : { cell: this.cell, offset }
  }

  open(element: HTMLElement, place: CaretPlace): void {
    if (this.#open?.element === element && editedPart(element, place)?.host === this.#open.part.host) {
      placeCaret(this.#open.view, place)
      return
    }
    // If another cell of the same block is opened, the element next to the text stays.
    const tool = this.#open?.element === element ? this.#open.tool : undefined
    this.close(tool)
    const part = hasEditableText(element) ? editedPart(element, place) : undefined
    if (part === undefined) return
    const { host, text, label, isCode } = part
    const shown = [...host.childNodes]
    host.replaceChildren()
    element.classList.add('open')
    host.classList.toggle('plain', isCode)
    const view = openInlineEditor(host, {
      text,
      label,
      isPlain: isCode,
      onKey: (event, view) => handleKey(this, event, view),
      onInput: (view, isTyped) => this.#input(view, isTyped),
      onPaste: (data, view) => this.onPaste(data, view),
      onBlur: () => this.flush(),
    })
    const words = part.textWith(text)
    this.#open = { element, view, part, shown, first: words, sent: words, hasConflict: false }
    this.#open.tool = tool ?? this.#toolFor(element)
    if (tool === undefined && this.#open.tool !== undefined) element.prepend(this.#open.tool)
    placeCaret(view, place)
  }

  #toolFor(element: HTMLElement): HTMLElement | undefined {
    const { type } = fieldsOf(element)
    if (type === 'table') return tableMenu(this)
    if (type !== 'code') return undefined
    const set = (fields: Fields) => this.writer.changeText(element, fields, this.words)
    return languageField(element, set, () => this.open(element, { offset: Number.MAX_SAFE_INTEGER }))
  }

  /** Sends typed text, and removes the caret. @param kept  the element to keep next to the text */
  close(kept?: HTMLElement): void {
    const open = this.#open
    if (open === undefined) return
    this.flush()
    const text = open.view.state.doc.toString()
    const { part } = open
    const isChanged = this.words !== open.first
    this.#open = undefined
    open.view.destroy()
    if (open.tool !== kept) open.tool?.remove()
    open.element.classList.remove('open')
    part.host.classList.remove('plain')
    if (isChanged) part.host.replaceChildren(...part.nodes(text))
    else part.host.replaceChildren(...open.shown)
    const isRecolored = part.isCode && fenceLabel(fieldsOf(open.element)) !== part.host.dataset.language
    if (open.hasConflict || isChanged || isRecolored) this.onChangedLeft(blockId(open.element))
  }

  /** Queues typed text as a call. */
  flush(): void {
    clearTimeout(this.#pause)
    this.#typedSince = undefined
    const open = this.#open
    if (open === undefined) return
    const words = this.words
    if (words === open.sent) return
    open.sent = words
    const id = blockId(open.element)
    const { store } = this.writer
    const conflict = store.conflict(id)
    if (conflict === undefined || !open.hasConflict) {
      this.writer.changeText(open.element, fieldsOf(open.element), words)
      return
    }
    // The block has two versions, so the new text waits for the decision as well.
    const { earlier: _ofOthers, ...shared } = conflict
    const own = store.get('conflict', id) ?? shared
    store.put('conflict', { ...own, words: markdownFor(fieldsOf(open.element), words) })
    store.remove('draft', id)
    this.writer.onConflict(id)
  }

  #input(view: EditorView, isTyped: boolean): void {
    const open = this.#open
    if (open === undefined) return
    if (isTyped && this.#shortcut(open)) return
    this.#keepDraft(open)
    clearTimeout(this.#pause)
    this.#typedSince ??= performance.now()
    const left = this.#typedSince + LONGEST_MS - performance.now()
    this.#pause = setTimeout(() => this.flush(), Math.max(0, Math.min(PAUSE_MS, left)))
    this.onTyped(view)
  }

  #keepDraft({ element, sent }: Open): void {
    const { words, writer } = this
    const id = blockId(element)
    // Unchanged text needs no draft, unless its call is still being queued.
    if (words === sent && writer.store.get('draft', id)?.words !== words) writer.store.remove('draft', id)
    if (words === sent) return
    writer.store.put('draft', { blockId: id, fields: fieldsOf(element), words, expected: markdownOf(element) })
  }

  /** Typing `# ` at the start of a text makes it a heading. @returns true if a shortcut applied */
  #shortcut({ element, view }: Open): boolean {
    const { listStyle, textStyle, decorations, type } = fieldsOf(element)
    const isBullet = listStyle === 'bullet'
    if (type !== 'text' || textStyle !== undefined || decorations?.quote) return false
    if (listStyle !== undefined && !isBullet) return false
    const { head } = view.state.selection.main
    const typed = view.state.sliceDoc(0, head)
    const found = shortcutFor(typed, numberAbove(element), isBullet)
    if (found === undefined) return false
    const fields = { ...fieldsOf(element), ...found }
    if (found.textStyle) delete fields.indentationLevel
    this.setFields(fields, view.state.sliceDoc(head))
    return true
  }

  /** Gives the edited block other fields, and keeps the caret in it. */
  setFields(fields: Fields, words = this.words): void {
    const open = this.#open
    if (open === undefined) return
    const { element } = open
    const offset = Math.max(0, open.view.state.selection.main.head - (this.words.length - words.length))
    this.writer.store.remove('draft', blockId(element))
    const isSent = words === open.sent && JSON.stringify(fields) === element.dataset.fields
    if (!isSent) this.writer.changeText(element, fields, words)
    this.#redraw(element, fields, words, offset)
  }

  /** Renders a block again after its kind has changed. */
  #redraw(element: HTMLElement, fields: Fields, words: string, offset: number): void {
    this.stopEditing()
    const fresh = newElement(blockId(element), fields, words)
    const about = element.querySelectorAll(':scope > :is(.who, .comments, .linked, .versions)')
    element.replaceChildren(...fresh.childNodes, ...about)
    applyFields(element, fields)
    renumber(this.writer.page.article)
    this.open(element, { offset })
  }

  /** Removes the caret without rendering the block. */
  stopEditing(): void {
    const open = this.#open
    this.#open = undefined
    clearTimeout(this.#pause)
    open?.view.destroy()
    open?.tool?.remove()
    open?.element.classList.remove('open')
  }

  /** Marks a block as having two versions. If it has the caret, typed text now waits for the decision. */
  dispute(id: string): void {
    if (this.#open !== undefined && blockId(this.#open.element) === id) this.#open.hasConflict = true
  }

  /**
   * Replaces the text of the edited block.
   *
   * @param words  the server's text, with what was typed since
   * @param theirs  the server's text
   */
  takeRemote(words: string, theirs: string): void {
    const open = this.#open
    if (open === undefined) return
    const change = textChange(this.words, words)
    open.sent = theirs
    open.first = ''
    if (change !== undefined) open.view.dispatch({ changes: change, userEvent: 'remote' })
    this.#keepDraft(open)
  }

  /** Records that this text of the edited block has been queued. */
  markQueued(words: string): void {
    const open = this.#open
    if (open === undefined) return
    clearTimeout(this.#pause)
    this.#typedSince = undefined
    this.writer.store.remove('draft', blockId(open.element))
    open.sent = words
    const change = textChange(this.words, words)
    if (change !== undefined) open.view.dispatch({ changes: change, userEvent: 'remote' })
  }

  get sentText(): string | undefined {
    return this.#open?.sent
  }

  /** Adds an empty text block at a position, and moves the caret there. */
  add(position: BlockPosition, fields: Fields = { type: 'text' }): void {
    this.close()
    const { step, element } = this.writer.addStep(position, fields, '')
    this.writer.write(step)
    this.open(element, { offset: 0 })
  }

  /** Sends everything and waits until it has arrived. @returns true if it has arrived */
  async sendAll(): Promise<boolean> {
    this.flush()
    await this.writer.kept()
    if (calls.connection !== 'online') return false
    await calls.settled(this.writer.page.documentId)
    return true
  }
}
