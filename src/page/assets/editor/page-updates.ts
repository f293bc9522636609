/** Shows what others changed in the document, when the feed says so. */
import type { DocumentBlocks } from '../../blocks/document-blocks.ts'
import { announce } from '../announcement.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import { keepReadingPlace } from '../reading-place.ts'
import type { EditedPage } from '../sync/edited-page.ts'
import type { PageQueue } from '../sync/page-queue.ts'
import { PageReader } from '../sync/page-reader.ts'
import { blockOfElement, elementOfHtml } from '../sync/rendered-blocks.ts'
import { prepareCollections } from './embedded-collections.ts'
import type { PageEditor } from './page-editor.ts'
import { readCaret } from './read-caret.ts'
import type { SpokenOthers } from './spoken-others.ts'
import type { TitleEditor } from './title-editor.ts'

export interface PageUpdatesOptions {
  page: EditedPage
  queue: PageQueue
  editor: PageEditor
  title: TitleEditor | undefined
}

export class PageUpdates {
  readonly #options: PageUpdatesOptions
  readonly #reader: PageReader
  /** Blocks in which a form or button has the focus. They are shown once it has left them. */
  readonly #held = new Set<string>()
  /** Says what others change, once that is loaded. */
  spoken: SpokenOthers | undefined
  /** True while the person has done nothing in a text that has the caret since it was opened. */
  isOnlyRead = false
  /** Called after what others changed is shown. */
  onShown: () => void = () => {}

  constructor(options: PageUpdatesOptions) {
    const { page, queue } = options
    this.#options = options
    this.#reader = new PageReader({ ...page, readAt: page.openedAt }, queue)
  }

  start(): void {
    const { page, editor } = this.#options
    const { dom } = editor.view
    this.#reader.onRead = (read) => {
      this.#show(read)
      return drawn()
    }
    this.#reader.canShow = () => !editor.view.composing
    this.#reader.onGone = () => announce(text('This document was deleted. What you wrote last is in the history.'))
    this.#reader.start()
    dom.addEventListener('compositionend', () => setTimeout(() => this.#reader.request()))
    dom.addEventListener('focusout', () => {
      if (this.#held.size === 0) return
      const ids = [...this.#held]
      this.#held.clear()
      setTimeout(() => this.request(...ids))
    })
    // Cards were moved, or an update was skipped during a drag.
    document.body.addEventListener('spacechange', (event) => {
      if ((event as CustomEvent<unknown>).detail !== 'items') return
      const collections = [...dom.querySelectorAll('.block [data-items]')].flatMap(
        (items) => items.closest('.part > .block')?.id.slice(1) ?? [],
      )
      this.request(...collections)
    })
    inBackground(() => prepareCollections(page.article))
  }

  /** Schedules a read. @param ids  of blocks to include even if they seem unchanged */
  request(...ids: string[]): void {
    this.#reader.request(...ids)
  }

  #show(read: DocumentBlocks): void {
    const { page, queue, editor, title } = this.#options
    const { view } = editor
    const elements = new Map(read.blocks.map(({ id, html }) => [id, elementOfHtml(html)]))
    const blocks = [...elements.values()].map(blockOfElement)
    readCaret(view)
    queue.expect(read.order)
    const isWritten = view.hasFocus() && !this.isOnlyRead
    const { transaction, revived, missing } = queue.model.receive(view.state, { order: read.order, blocks }, isWritten)
    const edited = isWritten ? view.dom.querySelector('.block.open') : null
    keepReadingPlace(page.article, edited, () => {
      for (const [id, element] of elements) {
        if (this.#hasFocusInside(id)) this.#held.add(id)
        else editor.setAbout(id, element)
      }
      if (transaction.docChanged) {
        this.spoken?.add(transaction.before, transaction.doc, read.writers)
        editor.dispatch(transaction)
      }
      if (blocks.some(({ fields }) => fields.type === 'code')) editor.setColors((id) => elements.get(id))
      title?.receive(read.title)
      if (revived.length > 0) queue.flush()
      if (missing.length > 0) this.request(...missing)
      inBackground(() => prepareCollections(page.article))
    })
    this.onShown()
  }

  /** Elements of collections stay when they are updated, and the number of comments gets the focus back. */
  #hasFocusInside(id: string): boolean {
    const { activeElement } = document
    return (
      activeElement?.closest('.part > .block')?.id === `b${id}` &&
      activeElement.closest('[data-items], .comments > summary') === null
    )
  }
}

/** Resolves once the browser has drawn the page. A hidden page is not drawn. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve()
    else requestAnimationFrame(() => setTimeout(resolve))
  })
