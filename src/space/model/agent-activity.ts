/**
 * What links did lately: when each made its last call, and in which documents it read or wrote. Kept in memory, since
 * reading writes nothing to the space, and bounded.
 */
import { ACTIVE_LINKS, ACTIVE_SECONDS, DOCUMENTS_PER_LINK } from '../../base/limits.ts'

interface LinkActivity {
  /** When it made its last call, or was used over another process. In milliseconds since 1970, as all times here. */
  lastAt: number
  /** When it was last in each document, the latest last. Those of before are left out. */
  readonly documents: Map<number, number>
  /** When it last made a call here, in a document or not. */
  calledAt: number
}

/** Milliseconds for which a link counts as working after a call. */
export const ACTIVE_MS = ACTIVE_SECONDS * 1_000

export class AgentActivity {
  /** In the order of their last calls. */
  readonly #links = new Map<string, LinkActivity>()

  /** Notes a call. @param documents  in which it read or wrote, by number, the last one last */
  note(link: string, now: number, documents: Iterable<number>): void {
    const activity = this.#of(link)
    activity.calledAt = activity.lastAt = now
    for (const document of documents) {
      activity.documents.delete(document)
      activity.documents.set(document, now)
    }
    // A document out of reach of a reader must not take the place of one within, so all of the last minute are kept.
    for (const [document, at] of activity.documents) {
      if (isRecent(at, now) && activity.documents.size <= DOCUMENTS_PER_LINK) break
      activity.documents.delete(document)
    }
  }

  /** Notes when a link was last used, as other processes know it. */
  noteUse(link: string, at: number): void {
    const known = this.#links.get(link)
    if (known === undefined) this.#of(link).lastAt = at
    else known.lastAt = Math.max(known.lastAt, at)
  }

  /** When a link was last used, as far as this process knows. */
  lastUse(link: string): number | undefined {
    return this.#links.get(link)?.lastAt
  }

  /** When a link made a call here in the last minute; undefined if it did not. */
  recentCall(link: string, now: number): number | undefined {
    const at = this.#links.get(link)?.calledAt ?? Number.NEGATIVE_INFINITY
    return isRecent(at, now) ? at : undefined
  }

  /** The documents in which a link was in the last minute, by number, with the time; the latest first. */
  recentDocuments(link: string, now: number): [document: number, at: number][] {
    const { documents = new Map<number, number>() } = this.#links.get(link) ?? {}
    return [...documents].filter(([, at]) => isRecent(at, now)).reverse()
  }

  #of(link: string): LinkActivity {
    const activity = this.#links.get(link) ?? { lastAt: 0, calledAt: Number.NEGATIVE_INFINITY, documents: new Map() }
    this.#links.delete(link)
    this.#links.set(link, activity)
    const [oldest] = this.#links.keys()
    if (this.#links.size > ACTIVE_LINKS && oldest !== undefined) this.#links.delete(oldest)
    return activity
  }
}

/** A clock that was set back counts as well. */
const isRecent = (at: number, now: number): boolean => Math.abs(now - at) < ACTIVE_MS
