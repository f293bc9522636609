/** Shows two versions of a block that both sides changed, one below the other, until the person chooses. */
import { Fragment } from 'prosemirror-model'
import { type Title, writeTitle } from '../../../markdown/inline-title.ts'
import { announce } from '../announcement.ts'
import { placeOf } from '../model/block-levels.ts'
import { editableText, type Fields } from '../model/block-text.ts'
import { blockOf, nodeOf } from '../model/page-block.ts'
import { plainStyle } from '../model/page-step.ts'
import { text } from '../page-text.ts'
import { type EditedPage, titleOfPage } from '../sync/edited-page.ts'
import type { PageQueue } from '../sync/page-queue.ts'
import { fullText, type UnsavedText } from '../sync/unsaved-text.ts'
import { newName } from '../unsent/placeholders.ts'
import { blockWithId } from './block-place.ts'
import { BlockSerializer } from './copied-blocks.ts'
import type { PageEditor } from './page-editor.ts'

export interface VersionsOptions {
  page: EditedPage
  editor: PageEditor
  queue: PageQueue
  /** Reads a block again. */
  refresh: (id: string) => void
}

/** Two versions that are shown. */
interface ShownVersions {
  /** Whether their block was on the page then. */
  wasOnPage: boolean
  /** The other version, as the page has it. */
  theirs: string | undefined
  /** False until the page has read the other version. */
  isRead: boolean
  /** True once others have changed it since it was shown. */
  isOutdated: boolean
}

export class Versions {
  readonly #page: EditedPage
  readonly #editor: PageEditor
  readonly #queue: PageQueue
  readonly #refresh: (id: string) => void
  /** By the IDs of the blocks. */
  readonly #shown = new Map<string, ShownVersions>()

  constructor({ page, editor, queue, refresh }: VersionsOptions) {
    this.#page = page
    this.#editor = editor
    this.#queue = queue
    this.#refresh = refresh
  }

  /** Shows the versions of a block, or removes them once it has only one. */
  show(id: string): void {
    this.#remove(id)
    const kept = this.#queue.store.conflict(id)
    if (kept === undefined) return
    const theirs = this.#theirs(kept)
    const isRead = isOther(theirs, kept)
    this.#shown.set(id, { wasOnPage: this.#isOnPage(id), theirs, isRead, isOutdated: false })
    this.#place(kept, this.#box(kept))
  }

  /**
   * Called after each change. Places versions again whose block was deleted, joined to another one, or brought back.
   *
   * @param isRemote  true for what others changed
   */
  follow(isRemote: boolean): void {
    for (const [id, shown] of this.#shown) {
      const kept = this.#queue.store.conflict(id)
      if (kept === undefined || this.#isOnPage(id) !== shown.wasOnPage) this.show(id)
      else if (!this.#isOwnTitle(kept)) this.#compare(shown, kept, isRemote)
    }
  }

  /** Remembers whether the person has read the other version. What they type into it themselves, they have. */
  #compare(shown: ShownVersions, kept: UnsavedText, isRemote: boolean): void {
    const theirs = isRemote ? this.#theirs(kept) : this.#markdownOf(kept.blockId)
    if (theirs === shown.theirs) return
    shown.theirs = theirs
    if (!isRemote) return
    shown.isOutdated ||= shown.isRead
    shown.isRead ||= isOther(theirs, kept)
  }

  /** The other version, as the server had it last. */
  #theirs(kept: UnsavedText): string | undefined {
    if (!this.#isOwnTitle(kept)) return this.#queue.model.sentBlock(kept.blockId)?.markdown
    const title = titleOfPage(this.#page)
    return title && writeTitle(title)
  }

  /** A block as the page shows it. */
  #markdownOf(id: string): string | undefined {
    const place = blockWithId(this.#editor.view.state.doc, id)
    return place && blockOf(place.node).markdown
  }

  #isOutdated(kept: UnsavedText): boolean {
    const { blockId: id } = kept
    const shown = this.#shown.get(id)
    if (shown === undefined || !this.#isOwnTitle(kept)) return shown?.isOutdated === true
    return shown.isRead && this.#theirs(kept) !== shown.theirs
  }

  /** Shows both versions again, since the person has not read the other one as it is now. */
  #askAgain(id: string): void {
    this.show(id)
    const box = document.getElementById(`versions-${id}`)
    const [heading] = box?.children ?? []
    const message = text('The other version has changed since. Read both again, then choose.')
    heading?.prepend(`${message} `)
    box?.focus()
    announce(message)
  }

  #isOnPage(id: string): boolean {
    return blockWithId(this.#editor.view.state.doc, id) !== undefined
  }

  #isOwnTitle({ attributes, blockId }: UnsavedText): boolean {
    // All pages of a document share the stored conflicts.
    return attributes !== undefined && blockId === this.#page.pageId
  }

  #place(kept: UnsavedText, box: HTMLElement): void {
    const { article } = this.#page
    const title = article.querySelector(':scope > h1')
    if (this.#isOwnTitle(kept) && title !== null) title.after(box)
    else if (this.#isOnPage(kept.blockId)) this.#editor.setBeside(kept.blockId, box)
    else article.prepend(box)
  }

  #remove(id: string): void {
    this.#shown.delete(id)
    this.#editor.setBeside(id, undefined)
    document.getElementById(`versions-${id}`)?.remove()
  }

  #box(kept: UnsavedText): HTMLElement {
    const { blockId: id } = kept
    const box = document.createElement('section')
    box.className = 'versions notice'
    box.id = `versions-${id}`
    box.setAttribute('aria-label', text('Two versions'))
    box.tabIndex = -1
    const heading = document.createElement('p')
    heading.append(`${this.#reason(kept)} `, made('span', 'mine', text('What you wrote:')))
    const acts = document.createElement('div')
    acts.className = 'acts'
    for (const [name, act] of this.#choices(kept)) {
      const choice = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
      choice.addEventListener('click', ({ detail }) => {
        // The second click of a double click is not about what the first one has shown.
        if (detail > 1) return
        if (name === text('Keep mine') && this.#isOutdated(kept)) return this.#askAgain(id)
        act()
        this.#queue.store.remove('conflict', id)
        this.#queue.store.remove('draft', id)
        this.#remove(id)
        this.#refresh(id)
      })
      acts.append(choice)
    }
    box.append(heading, shownText(kept.fields, fullText(kept)), acts)
    return box
  }

  #reason(kept: UnsavedText): string {
    const { blockId: id, reason, attributes } = kept
    if (reason) return text('This could not be saved: {reason}', { reason })
    if (attributes !== undefined)
      return this.#isOwnTitle(kept)
        ? text('Others changed the title while you did.')
        : text('Others changed the title of another page while you did.')
    return this.#isOnPage(id)
      ? text('Others changed this block while you did.')
      : text('The block that you changed was deleted by others.')
  }

  #choices(kept: UnsavedText): [name: string, act: () => void][] {
    const { blockId: id, reason, attributes } = kept
    const keepTheirs: [string, () => void] = [text('Keep theirs'), () => {}]
    if (!reason && this.#isOwnTitle(kept)) return [[text('Keep mine'), () => this.#keepTitle(kept)], keepTheirs]
    if (!reason && this.#isOnPage(id))
      return [
        [text('Keep mine'), () => this.#keepMine(kept)],
        keepTheirs,
        [text('Keep both'), () => this.#addMine(kept)],
      ]
    const isGone = attributes === undefined && !reason
    const add = attributes !== undefined ? text('Add it as a block') : isGone ? text('Put it back') : text('Try again')
    return [
      [add, () => this.#addMine(kept)],
      [text('Discard'), () => {}],
    ]
  }

  /** Includes text that was typed later. */
  #written(kept: UnsavedText): string {
    return fullText(this.#queue.store.conflict(kept.blockId) ?? kept)
  }

  #keepTitle(kept: UnsavedText): void {
    const { text, earlier, attributes = [] } = kept
    const title = earlier === undefined ? { value: text, attributes: [...attributes] } : plainTitle(this.#written(kept))
    const theirs = this.#theirs(kept)
    // The server refuses to replace a title that the page has not read.
    this.#queue.changeTitle(title, theirs === writeTitle(title) ? kept.expected : theirs)
  }

  #keepMine(kept: UnsavedText): void {
    this.#queue.flush()
    const markdown = this.#written(kept)
    const style = PREFIX.test(markdown) ? {} : plainStyle(kept.fields)
    const theirs = this.#queue.model.sentBlock(kept.blockId)
    const change = {
      ...{ id: kept.blockId, markdown, expectedMarkdown: theirs?.markdown ?? '' },
      ...placeOf(theirs?.fields ?? kept.fields),
      ...style,
    }
    this.#queue.write({ tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } })
  }

  #addMine(kept: UnsavedText): void {
    const { pageId } = this.#page
    const position = this.#isOnPage(kept.blockId)
      ? { position: 'after', siblingId: kept.blockId }
      : { position: this.#isOwnTitle(kept) ? 'start' : 'end', pageId }
    const markdown = this.#written(kept)
    this.#queue.write({ tool: 'blocks_add', arguments: { markdown, position }, added: [newName()] })
  }
}

/** True for a version that is neither the person's own nor the one that both began with. */
const isOther = (theirs: string | undefined, { text, expected }: UnsavedText): boolean =>
  theirs !== text && theirs !== expected

/** What may stand before the text of a block that is not plain. */
const PREFIX = /^\s*(?:[-+*>] |#{1,4} |\d{1,9}[.)] |<)/

function made(tag: 'span' | 'blockquote', className: 'mine', ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...content)
  return element
}

/** Shows text as the editor does. A blank line separates it from the text of an earlier conflict. */
function shownText(fields: Fields, text: string): HTMLElement {
  const nodes = text.split('\n\n').map((markdown) => nodeOf({ id: '', fields: kindIn(markdown, fields), markdown }))
  return made('blockquote', 'mine', new BlockSerializer().serializeFragment(Fragment.fromArray(nodes)))
}

/** What is typed later may be of another kind than its block. */
const kindIn = (markdown: string, fields: Fields): Fields =>
  fields.type === 'text' && editableText(markdown, fields) === markdown ? { type: 'text' } : fields

/** On one line, without marks. */
const plainTitle = (text: string): Title => ({ value: text.replace(/\s+/g, ' '), attributes: [] })
