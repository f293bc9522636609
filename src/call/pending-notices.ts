/** Notices that are added to responses. Each is sent once per connection. */
import type { PendingNotice } from '../server-catalog.ts'
import type { Space } from '../space/model/space.ts'

/** Maximum number of notices remembered as sent. Older ones are forgotten and would be sent again. */
const MAX_REMEMBERED = 1_000

export class PendingNotices {
  readonly #sources: () => Promise<readonly PendingNotice[]>
  readonly #delivered = new Set<string>()

  /** @param sources  loaded when a response first needs notices */
  constructor(sources: () => Promise<readonly PendingNotice[]>) {
    this.#sources = sources
  }

  /** Returns notices that were not sent yet, by key; undefined if there are none. */
  async readNew(space: Space): Promise<Record<string, object[]> | undefined> {
    let notices: Record<string, object[]> | undefined
    for (const { key, read } of await this.#sources()) {
      const fresh = (await read({ space })).filter(({ dedupeKey }) => this.#isNew(`${key} ${dedupeKey}`))
      if (fresh.length > 0) notices = { ...notices, [key]: fresh.map(({ payload }) => payload) }
    }
    return notices
  }

  #isNew(what: string): boolean {
    if (this.#delivered.has(what)) return false
    this.#delivered.add(what)
    for (const oldest of this.#delivered) {
      if (this.#delivered.size <= MAX_REMEMBERED) break
      this.#delivered.delete(oldest)
    }
    return true
  }
}
