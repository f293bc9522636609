/** The spaces that a server has: one, or those of a folder, opened when they are asked for and closed when idle. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Announcement } from '../endpoint.ts'
import type { OpenSpace } from '../space/open.ts'
import type { Budget } from './budget.ts'
import { spaceKey } from './links.ts'
import { News } from './news.ts'

/** An open space, and what its connections share. */
export interface Served {
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

/** Milliseconds after which a space that nobody asks is closed, and between looks into the folder. */
const IDLE = 5 * 60_000
const LOOK_AGAIN = 1_000

class Holding {
  readonly #served: Served
  readonly #announcements: readonly Announcement[]
  readonly #news = new Map<string, News>()
  users = 0
  used = performance.now()

  constructor(served: Served, announcements: readonly Announcement[]) {
    this.#served = served
    this.#announcements = announcements
  }

  hold(): Held {
    this.users++
    let isHeld = true
    return {
      ...this.#served,
      newsOf: (linkId) => {
        const news = this.#news.get(linkId) ?? new News(this.#announcements)
        this.#news.set(linkId, news)
        return news
      },
      release: () => {
        if (isHeld) this.users--
        isHeld = false
        this.used = performance.now()
      },
    }
  }

  close(): Promise<void> {
    return this.#served.close()
  }
}

/** One space, whatever the address: which link it is decides. */
export function oneSpace(served: Served, announcements: readonly Announcement[]): Spaces {
  const holding = new Holding(served, announcements)
  return { hold: async () => holding.hold(), open: 1, close: () => holding.close() }
}

export interface FolderOptions {
  folder: string
  openFile(file: string): Promise<Served>
  /** The ID of the space in a file, without opening it for good; none for another file. */
  idOf(file: string): string | undefined
  announcements: readonly Announcement[]
  /** Milliseconds after which a space that nobody asks is closed. */
  idle?: number
}

/** The spaces of a folder: its files ending in `.sqlite`, those that come later too. */
export class SpaceFolder implements Spaces {
  readonly #options: FolderOptions
  /** The file of each key that is known. */
  readonly #files = new Map<string, string>()
  readonly #holdings = new Map<string, Promise<Holding>>()
  #looked = Number.NEGATIVE_INFINITY
  readonly #sweep: NodeJS.Timeout

  constructor(options: FolderOptions) {
    this.#options = options
    const { idle = IDLE } = options
    this.#sweep = setInterval(() => void this.#closeIdle(idle), Math.max(idle / 5, 10)).unref()
  }

  get open(): number {
    return this.#holdings.size
  }

  async hold(key: string): Promise<Held | undefined> {
    if (!this.#files.has(key)) this.#look()
    const file = this.#files.get(key)
    if (file === undefined) return undefined
    let holding = this.#holdings.get(key)
    if (holding === undefined) {
      const { openFile, announcements } = this.#options
      holding = openFile(file).then((served) => new Holding(served, announcements))
      this.#holdings.set(key, holding)
      holding.catch(() => this.#holdings.delete(key))
    }
    return (await holding).hold()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const holdings = await Promise.allSettled(this.#holdings.values())
    this.#holdings.clear()
    for (const holding of holdings) if (holding.status === 'fulfilled') await holding.value.close()
  }

  /** Find out the keys of files that are new; not at every wrong address, since it takes time. */
  #look(): void {
    if (performance.now() - this.#looked < LOOK_AGAIN) return
    this.#looked = performance.now()
    const known = new Set(this.#files.values())
    for (const name of readdirSync(this.#options.folder).filter((one) => one.endsWith('.sqlite'))) {
      const file = join(this.#options.folder, name)
      const id = known.has(file) ? undefined : this.#options.idOf(file)
      if (id !== undefined) this.#files.set(spaceKey(id), file)
    }
  }

  async #closeIdle(idle: number): Promise<void> {
    for (const [key, opening] of this.#holdings) {
      const holding = await opening.catch(() => undefined)
      if (holding === undefined || holding.users > 0 || performance.now() - holding.used < idle) continue
      this.#holdings.delete(key)
      await holding.close()
    }
  }
}
