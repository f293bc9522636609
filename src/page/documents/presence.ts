/** Who has a document open: kept in the memory of this process, for as long as a page says that it is still there. */
import { MAX_OPEN_DOCUMENTS, OPEN_PAGES_PER_DOCUMENT, PRESENCE_SECONDS } from '../../base/limits.ts'

interface OpenPage {
  name: string
  /** Milliseconds since 1970. */
  seenAt: number
}

export class Presence {
  /** By document, in the order in which they were last seen; of each by page. */
  readonly #documents = new Map<string, Map<string, OpenPage>>()

  /**
   * Notes that a page is open.
   *
   * @param document  of a space
   * @param page  tells apart the pages that one person has open
   * @returns the names of those who have the document open on another page, each once
   */
  meet(document: string, page: string, name: string, now: number): string[] {
    const pages = this.#documents.get(document) ?? new Map<string, OpenPage>()
    for (const [one, { seenAt }] of pages) if (now - seenAt > PRESENCE_SECONDS * 1000) pages.delete(one)
    pages.delete(page)
    if (pages.size < OPEN_PAGES_PER_DOCUMENT) pages.set(page, { name, seenAt: now })
    this.#documents.delete(document)
    this.#documents.set(document, pages)
    const [oldest] = this.#documents.keys()
    if (this.#documents.size > MAX_OPEN_DOCUMENTS && oldest !== undefined) this.#documents.delete(oldest)
    return [...new Set([...pages].filter(([one]) => one !== page).map(([, { name }]) => name))]
  }

  leave(document: string, page: string): void {
    this.#documents.get(document)?.delete(page)
  }
}
