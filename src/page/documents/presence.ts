/**
 * Tracks who has a document open. Kept in the memory of this process, for as long as the page reports that it is open.
 */
import { MAX_OPEN_DOCUMENTS, OPEN_PAGES_PER_DOCUMENT, PRESENCE_SECONDS } from '../../base/limits.ts'

interface OpenPage {
  name: string
  /** Milliseconds since 1970. */
  seenAt: number
}

export class Presence {
  /** Pages by document, in the order in which they were last seen. */
  readonly #documents = new Map<string, Map<string, OpenPage>>()

  /**
   * Records that a page is open.
   *
   * @param document  of a space
   * @param page  distinguishes several open pages of one person
   * @returns the names of people who have the document open on another page, without duplicates
   */
  meet(document: string, page: string, name: string, now: number): string[] {
    const pages = this.#documents.get(document) ?? new Map<string, OpenPage>()
    for (const [one, { seenAt }] of pages) if (Math.abs(now - seenAt) > PRESENCE_SECONDS * 1000) pages.delete(one)
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
