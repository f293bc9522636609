/**
 * Reads what others changed in a document, when the feed says so. The page first sends its own changes, so that the
 * result of a read always includes them: what was changed here in the meantime makes it read again.
 */
import type { DocumentBlocks } from '../../blocks/document-blocks.ts'
import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'

/** Minimum milliseconds between two reads. */
const SHORTEST_PAUSE_MS = 200
/** After a slow read, the pause is so many times its duration. */
const PAUSE_PER_READ = 4
/** The pause is so many times the time in which the browser draws what was read, so that few letters wait for it. */
const PAUSE_PER_DRAWING = 10
/** Milliseconds: a browser that is busy, or that drew nothing while the page was hidden, must not keep news for long. */
const LONGEST_PAUSE_MS = 3_000
/** Milliseconds after a read that failed. */
const FAILED_PAUSE_MS = 2_000

/** The edited document. */
export interface ReadDocument {
  documentId: string
  pageId: string
  /** The base address of the space's pages. */
  base: string
  /** When the page was read that the browser shows. */
  readAt: string
}

/** The changes that this page makes itself. */
export interface OwnChanges {
  /** A number that increases with each change. */
  readonly changes: number
  /** Resolves once all changes so far are stored in the browser. */
  kept(): Promise<void>
}

export class PageReader {
  readonly #document: ReadDocument
  readonly #own: OwnChanges
  /** Blocks to read, even if they seem unchanged. */
  readonly #ids = new Set<string>()
  #readAt: string
  #isDue = false
  #isRunning = false
  #pauseUntil = 0
  /** Shows what was read. Resolves once the browser has drawn it. */
  onRead: (read: DocumentBlocks) => void | Promise<void> = () => {}
  /** False while nothing can be shown, such as during a composition. Call {@link request} when it ends. */
  canShow: () => boolean = () => true
  /** Called if the document is not there any more. It is read again once the feed or a call tells of it. */
  onGone: () => void = () => {}

  constructor(document: ReadDocument, own: OwnChanges) {
    this.#document = document
    this.#own = own
    this.#readAt = document.readAt
  }

  start(): void {
    const { documentId } = this.#document
    document.body.addEventListener('spacefeed', (event) => {
      const { documents, ids } = (event as CustomEvent<{ documents: string[]; ids: string[] }>).detail
      if (!documents.includes(documentId)) return
      for (const id of ids) this.#ids.add(id)
      this.request()
    })
    calls.addEventListener('outcome', (event) => {
      const { detail } = event as CustomEvent<{ document: string }>
      if (detail.document === documentId) this.request()
    })
    document.addEventListener('visibilitychange', () => this.request())
    calls.addEventListener('state', () => {
      if (this.#isDue && calls.connection === 'online') this.request()
    })
    window.addEventListener('online', () => this.request())
  }

  /** Schedules a read. @param ids  of blocks to include even if they seem unchanged */
  request(...ids: string[]): void {
    for (const id of ids) this.#ids.add(id)
    this.#isDue = true
    if (this.#isRunning) return
    this.#isRunning = true
    inBackground(async () => {
      try {
        await this.#run()
      } finally {
        this.#isRunning = false
      }
      if (this.#isDue && this.#canRead && calls.connection === 'online') this.request()
    })
  }

  async #run(): Promise<void> {
    const left = this.#pauseUntil - performance.now()
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
    if (!this.#canRead) return
    const changes = await this.#allSent()
    this.#isDue = false
    if (changes === undefined) return
    const ids = [...this.#ids]
    this.#ids.clear()
    const begun = performance.now()
    let drawn = 0
    try {
      const read = await this.#read(ids)
      // The result does not contain changes made in the meantime.
      if (read === 'gone') this.onGone()
      else if (read === undefined || (await this.#allSent()) !== changes || !this.canShow()) this.#later(ids)
      else {
        this.#readAt = read.readAt
        const shown = performance.now()
        await this.onRead(read)
        drawn = performance.now() - shown
      }
    } catch {
      this.#later(ids)
      this.#pauseUntil = performance.now() + FAILED_PAUSE_MS
      return
    }
    const taken = performance.now() - begun
    const pause = Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_READ * taken, PAUSE_PER_DRAWING * drawn)
    this.#pauseUntil = performance.now() + Math.min(pause, LONGEST_PAUSE_MS)
  }

  get #canRead(): boolean {
    return !document.hidden && this.canShow()
  }

  #later(ids: readonly string[]): void {
    for (const id of ids) this.#ids.add(id)
    this.#isDue = true
  }

  /**
   * Waits until all changes have arrived.
   *
   * @returns the number of the last one; undefined if the server cannot be reached
   */
  async #allSent(): Promise<number | undefined> {
    const { documentId } = this.#document
    for (;;) {
      const { changes } = this.#own
      await this.#own.kept()
      const isWaiting = (await calls.pending(documentId)).length > 0
      if (!isWaiting && this.#own.changes === changes) return changes
      if (isWaiting && calls.connection !== 'online') return undefined
      if (isWaiting) await calls.settled(documentId)
    }
  }

  /** @returns undefined if the page shows another month of a calendar by now */
  async #read(ids: readonly string[]): Promise<DocumentBlocks | 'gone' | undefined> {
    const { base, pageId } = this.#document
    const { pathname, search } = location
    const query = new URLSearchParams({
      since: this.#readAt,
      ids: ids.join(','),
      back: `${pathname.slice(base.length)}${search}`,
    })
    const response = await fetch(`${base}/d/${pageId}/blocks?${query}`)
    if (response.status === 404) return 'gone'
    if (!response.ok) throw new Error(`The server answered ${response.status}.`)
    const read = (await response.json()) as DocumentBlocks
    return location.search === search ? read : undefined
  }
}
