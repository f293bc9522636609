/** What answers say besides: each thing once to a connection, since it would else stand in every answer. */
import type { Announcement } from '../endpoint.ts'
import type { Space } from '../space/space.ts'

/** Things that are remembered as said; the oldest are forgotten, and would be said again. */
const REMEMBERED = 1_000

export class News {
  readonly #announcements: () => Promise<readonly Announcement[]>
  readonly #said = new Set<string>()

  /** @param announcements  loaded when an answer first asks for news */
  constructor(announcements: () => Promise<readonly Announcement[]>) {
    this.#announcements = announcements
  }

  /** What has not been said yet, by the keys of the announcements; nothing when there is nothing new. */
  async read(space: Space): Promise<Record<string, object[]> | undefined> {
    let news: Record<string, object[]> | undefined
    for (const { key, read } of await this.#announcements()) {
      const fresh = (await read({ space })).filter(({ once }) => this.#isNew(`${key} ${once}`))
      if (fresh.length > 0) news = { ...news, [key]: fresh.map(({ said }) => said) }
    }
    return news
  }

  #isNew(what: string): boolean {
    if (this.#said.has(what)) return false
    this.#said.add(what)
    for (const oldest of this.#said) {
      if (this.#said.size <= REMEMBERED) break
      this.#said.delete(oldest)
    }
    return true
  }
}
