/** The spaces that a server has, and who has them just now. */

import type { Announcement } from '../endpoint.ts'
import type { OpenSpace } from '../space/open.ts'
import type { Budget } from './budget.ts'
import type { SignIns } from './issuer/adapter.ts'
import { News } from './news.ts'

/** An open space, and what its connections share. */
export interface Served {
  /** What those who sign in here need; absent where nobody does. */
  signIns?: SignIns
  space: OpenSpace
  budget: Budget
  /** Closes the ledger, then the space. */
  close(): Promise<void>
}

/** A space while a request needs it. */
export interface Held extends Served {
  /** What was said already over a link. */
  newsOf(linkId: string): News
  release(): void
}

export interface Spaces {
  /** @param key  that of the address, as `spaceKey` makes it; none when there is no such space */
  hold(key: string): Promise<Held | undefined>
  /** Those that are open. */
  readonly open: number
  close(): Promise<void>
}

/** An open space, and who has it. */
export class Holding {
  readonly opening: Promise<Served>
  readonly #announcements: readonly Announcement[]
  readonly #news = new Map<string, News>()
  #served: Served | undefined
  #users = 0
  #used = performance.now()

  constructor(opening: Promise<Served>, announcements: readonly Announcement[]) {
    this.opening = opening
    this.#announcements = announcements
  }

  // Counted before it is open, so that it is not closed between the two.
  async hold(): Promise<Held> {
    this.#users++
    let isHeld = true
    const release = () => {
      if (isHeld) this.#users--
      isHeld = false
      this.#used = performance.now()
    }
    try {
      const served = await this.opening
      this.#served = served
      return { ...served, newsOf: (linkId) => this.#newsOf(linkId), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #newsOf(linkId: string): News {
    const news = this.#news.get(linkId) ?? new News(async () => this.#announcements)
    this.#news.set(linkId, news)
    return news
  }

  /** Whether its file is still the one that was opened; while it is being opened, too. */
  isPresent(): boolean {
    return this.#served?.space.isPresent() ?? true
  }

  /** Whether nobody has held it for so many milliseconds. */
  isIdle(milliseconds: number): boolean {
    return this.#users === 0 && performance.now() - this.#used >= milliseconds
  }

  async close(): Promise<void> {
    const served = await this.opening.catch(() => undefined)
    await served?.close()
  }
}

/** One space, whatever the address: which link it is decides. */
export function oneSpace(served: Served, announcements: readonly Announcement[]): Spaces {
  const holding = new Holding(Promise.resolve(served), announcements)
  return { hold: () => holding.hold(), open: 1, close: () => holding.close() }
}
