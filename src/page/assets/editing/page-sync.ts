/** Merges changes of others into the page. */
import { ChangeSet } from '@codemirror/state'
import { mergeTexts } from '../../../difference/merge-texts.ts'
import type { Title } from '../../../markdown/inline-title.ts'
import type { DocumentBlocks } from '../../blocks/document-blocks.ts'
import { isName } from '../calls.ts'
import { isSameKind } from '../model/block-text.ts'
import { movedIds, textChange } from '../model/order-merge.ts'
import { cellText, followCell, mergeTables } from '../model/table-change.ts'
import { inBackground } from '../page-background.ts'
import { PageReader } from '../sync/page-reader.ts'
import {
  blockElement,
  blockId,
  blocksIn,
  editableTextOf,
  fieldsOf,
  markdownOf,
  renumber,
} from './blocks/block-element.ts'
import { announce } from './blocks/edited-page.ts'
import { addCollection, followCollection, isCollection, prepareCollections } from './embedded-collections.ts'
import type { TextEditor } from './text/text-editor.ts'
import { discardBlock, reviveBlock } from './text/text-structure.ts'

/** Number of blocks that the browser lays out together. */
const BLOCKS_PER_PART = 80

export class PageSync {
  readonly #editor: TextEditor
  readonly #reader: PageReader
  /** The HTML of each block as of the last read. */
  readonly #known = new Map<string, string>()
  onTitle: (title: Title, html: string) => void = () => {}
  /** Called when the other side's version of a block with the caret and two versions is known. */
  onTheirs: (id: string) => void = () => {}

  constructor(editor: TextEditor) {
    this.#editor = editor
    const { page } = editor.writer
    this.#reader = new PageReader({ ...page, readAt: page.article.dataset.read ?? '' }, editor.writer)
  }

  start(): void {
    const { article } = this.#editor.writer.page
    this.#reader.onRead = (read) => this.#apply(read)
    this.#reader.onGone = () => announce('This document was deleted. What you wrote last is in the history.')
    this.#reader.start()
    // Cards were moved, or an update was skipped during a drag.
    document.body.addEventListener('spacechange', (event) => {
      if ((event as CustomEvent<unknown>).detail !== 'items') return
      for (const block of blocksIn(article)) if (isCollection(block)) this.#known.delete(blockId(block))
      this.#reader.request()
    })
    inBackground(() => prepareCollections(article))
  }

  /** Schedules a read. @param id  of a block to include even if it seems unchanged */
  request(id: string): void {
    this.#reader.request(id)
  }

  #apply(read: DocumentBlocks): void {
    const { article } = this.#editor.writer.page
    const held = this.#anchor()
    this.#insertAndReplace(read)
    this.#removeGone(new Set(read.order))
    this.#reorder(read.order)
    for (const part of article.querySelectorAll<HTMLElement>('.part')) splitPart(part)
    renumber(article)
    inBackground(() => prepareCollections(article))
    // Blocks that were added after the feed event but before the read.
    const missing = read.order.filter((id) => blockElement(id) === undefined)
    if (missing.length > 0) this.#reader.request(...missing)
    this.onTitle(read.title, read.titleHtml)
    if (held !== undefined) {
      const moved = held.element.getBoundingClientRect().top - held.top
      if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
    }
  }

  /** The element that must not move in the window: the block with the caret, or the first visible one. */
  #anchor(): { element: HTMLElement; top: number } | undefined {
    const { article } = this.#editor.writer.page
    const open = this.#editor.element
    const left = article.getBoundingClientRect().left + 20
    // There is no block in the gap between two blocks.
    for (let top = Math.max(120, innerHeight / 4); top < innerHeight; top += 12) {
      const element = open ?? document.elementFromPoint(left, top)?.closest<HTMLElement>('.block') ?? undefined
      if (element !== undefined) return { element, top: element.getBoundingClientRect().top }
    }
    return undefined
  }

  #insertAndReplace({ blocks, order }: DocumentBlocks): void {
    const before = new Map(order.map((id, index) => [id, order[index - 1]]))
    const places = new Map(order.map((id, index) => [id, index]))
    const sorted = [...blocks].sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
    for (const { id, html } of sorted) {
      const current = blockElement(id)
      if (current !== undefined && this.#known.get(id) === html && markdownOf(current) === markdownIn(html)) continue
      this.#known.set(id, html)
      const fresh = elementOf(html)
      const holdsItems = isCollection(fresh)
      if (holdsItems && current !== undefined && isCollection(current)) {
        keepLook(current, fresh)
        if (!followCollection(current, fresh)) this.#known.delete(id)
        continue
      }
      if (holdsItems) addCollection(fresh)
      if (current === undefined) this.#insert(fresh, before.get(id))
      else if (current === this.#editor.element) {
        this.#mergeOpen(current, fresh)
        // After the caret has left the block, replace it with the server's rendering.
        this.#known.delete(id)
      } else if (current.contains(document.activeElement) && current !== document.activeElement) this.#known.delete(id)
      else replace(current, fresh)
    }
  }

  #insert(element: HTMLElement, previous: string | undefined): void {
    const sibling = previous === undefined ? undefined : blockElement(previous)
    const { writer } = this.#editor
    const { pageId } = writer.page
    if (sibling === undefined) writer.place(element, { position: previous === undefined ? 'start' : 'end', pageId })
    else {
      // Blocks that were added here and not sent yet keep their place.
      sibling.after(element)
      writer.page.article.querySelector(':scope > .empty')?.remove()
    }
  }

  /** Updates the block with the caret. What others changed is merged with unsent typing. */
  #mergeOpen(current: HTMLElement, fresh: HTMLElement): void {
    followComments(current, fresh)
    if (this.#editor.hasConflict) {
      current.dataset.theirs = markdownOf(fresh)
      this.onTheirs(blockId(current))
      return
    }
    const theirs = editableTextOf(fresh)
    const mine = this.#editor.words
    const sent = editableTextOf(current)
    const isNews = theirs !== sent && theirs !== mine
    const isTyped = this.#editor.isDirty && mine !== sent
    const isOtherKind = !isSameKind(fieldsOf(current), fieldsOf(fresh))
    if (fieldsOf(current).type === 'table' && isNews && !isOtherKind) {
      const together = isTyped ? mergeTables(sent, mine, theirs) : theirs
      if (together !== undefined && !isSameText(mine, together)) this.#mergeTable(current, fresh)
      return
    }
    const merged = !isNews ? mine : isTyped ? mergeTexts(sent, mine, theirs) : theirs
    // Both sides changed the same words: the typed text will be sent, refused, and shown as a conflict.
    if (merged === undefined || (isOtherKind && this.#editor.isDirty)) return
    current.dataset.markdown = markdownOf(fresh)
    // The server normalizes some texts, for example trailing spaces. Do not apply that while someone types.
    if (isNews && !isSameText(mine, merged)) this.#editor.takeRemote(merged, theirs)
    if (!isOtherKind) return
    const { place } = this.#editor
    this.#editor.close()
    replace(current, fresh)
    this.#editor.open(fresh, place)
  }

  /** Updates a table with the caret in a cell. The caret follows its row, and unsent typing is reinserted. */
  #mergeTable(current: HTMLElement, fresh: HTMLElement): void {
    const { cell, place, view, isDirty } = this.#editor
    if (cell === undefined || view === undefined) return
    const { doc, selection } = view.state
    const typed = doc.toString()
    const [sent, theirs] = [editableTextOf(current), editableTextOf(fresh)]
    const now = followCell(sent, theirs, cell) ?? cell
    const isTyped = isDirty && typed !== cellText(sent, cell)
    // Trailing spaces are not part of the cell until another word follows.
    const text = isTyped ? typed : cellText(theirs, now) + (/\s*$/.exec(typed)?.[0] ?? '')
    const change = textChange(typed, text)
    this.#editor.stopEditing()
    replace(current, fresh)
    this.#editor.open(fresh, { ...place, cell: now })
    const { view: opened } = this.#editor
    opened?.dispatch({
      changes: { from: 0, to: opened.state.doc.length, insert: text },
      selection: change === undefined ? selection : selection.map(ChangeSet.of(change, typed.length)),
      ...(!isTyped && { userEvent: 'remote' }),
    })
  }

  #removeGone(there: ReadonlySet<string>): void {
    for (const element of blocksIn(this.#editor.writer.page.article)) {
      const id = blockId(element)
      if (there.has(id) || isName(id)) continue
      this.#known.delete(id)
      if (element === this.#editor.element) {
        // If someone is typing in a deleted block, the block is added again.
        if (this.#editor.isDirty) {
          reviveBlock(this.#editor)
          continue
        }
        discardBlock(this.#editor)
      }
      element.remove()
      // An unresolved conflict is now shown as that of a deleted block.
      this.#editor.writer.onConflict(id)
    }
  }

  #reorder(order: readonly string[]): void {
    const { article } = this.#editor.writer.page
    const current = blocksIn(article)
      .map(blockId)
      .filter((id) => !isName(id))
    const moved = movedIds(current, order)
    if (moved.size === 0) return
    const open = this.#editor.element
    for (const [index, id] of order.entries()) {
      const element = moved.has(id) ? blockElement(id) : undefined
      if (element === undefined) continue
      const isOpen = element === open
      const isFocused = element === document.activeElement
      const { place } = this.#editor
      const previous = order[index - 1]
      const sibling = previous === undefined ? undefined : blockElement(previous)
      if (sibling === undefined) article.querySelector('.part')?.prepend(element)
      else sibling.after(element)
      if (isOpen) this.#editor.open(element, place)
      else if (isFocused) element.focus({ preventScroll: true })
    }
  }
}

/** Compares texts, ignoring escapes and spaces that the server normalizes. */
const isSameText = (one: string, other: string): boolean =>
  one.replace(/\\(?=[!-/:-@[-`{-~])/g, '').trim() === other.replace(/\\(?=[!-/:-@[-`{-~])/g, '').trim()

function elementOf(html: string): HTMLElement {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild as HTMLElement
}

/** Extracts the Markdown from the HTML of a block, without creating its elements. */
const markdownIn = (html: string): string => {
  const [, escaped = ''] = / data-markdown="([^"]*)"/.exec(html) ?? []
  const area = document.createElement('textarea')
  area.innerHTML = escaped
  return area.value
}

/** Updates the comments below a block, which are shown while its text is edited. */
function followComments(current: HTMLElement, fresh: HTMLElement): void {
  const [before, now] = [current, fresh].map((block) => block.querySelector('.comments'))
  if (!now) before?.remove()
  else if (!before) current.append(now.cloneNode(true))
  else if (before.outerHTML !== now.outerHTML && !before.contains(document.activeElement))
    before.replaceWith(now.cloneNode(true))
}

/** Copies state that only exists on this page, such as the selection. */
function keepLook(current: HTMLElement, fresh: HTMLElement): void {
  for (const name of ['selected', 'folded']) fresh.classList.toggle(name, current.classList.contains(name))
  fresh.hidden = current.hidden
  // Whether a folded callout hides it. See page.js.
  if ('inFolded' in current.dataset) fresh.dataset.inFolded = ''
  if (current.tabIndex === 0) fresh.tabIndex = 0
}

/** Replaces a block with its new version, keeping state that only exists on this page. */
function replace(current: HTMLElement, fresh: HTMLElement): void {
  keepLook(current, fresh)
  const versions = current.querySelector(':scope > .versions')
  if (versions !== null) fresh.append(versions)
  const hadFocus = current === document.activeElement
  current.replaceWith(fresh)
  if (hadFocus) fresh.focus({ preventScroll: true })
}

/** Splits large parts so that the browser lays out few blocks at once. */
function splitPart(part: HTMLElement): void {
  while (part.childElementCount > 2 * BLOCKS_PER_PART) {
    const rest = document.createElement('div')
    rest.className = 'part'
    const moved = [...part.children].slice(-BLOCKS_PER_PART)
    if (moved.some((element) => element.contains(document.activeElement))) return
    rest.append(...moved)
    part.after(rest)
  }
}
