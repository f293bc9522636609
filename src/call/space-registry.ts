/** The spaces of a server, and the requests that use them. */

import type { SignIns } from '../../storage/sign-ins.ts'
import type { PendingNotice } from '../server-catalog.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { Opening } from './opening-space.ts'
import { PendingNotices } from './pending-notices.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** An open space, and the state that its connections share. */
export interface ServedSpace {
  /** Sign-ins of the embedded issuer; absent if it is not enabled. */
  signIns?: SignIns
  space: OpenSpace
  rateLimiter: RateLimiter
  /** Closes the usage file, then the space. */
  close(): Promise<void>
}

/** Keeps a space open while a request uses it. */
export interface SpaceLease extends ServedSpace {
  /** The notices that were already sent over a link. */
  noticesFor(linkId: string): PendingNotices
  release(): void
}

export interface SpaceRegistry {
  /** @param key  of the address, as `spaceKey` creates it @returns undefined if there is no such space */
  acquire(key: string): Promise<SpaceLease | undefined>
  /** The number of open spaces, including those that are being opened. */
  readonly openCount: number
  /** The number of spaces that are being migrated. */
  readonly migratingCount: number
  /** The spaces that are open now. */
  openSpaces(): OpenSpace[]
  close(): Promise<void>
}

/** An open space with its current leases. */
export class SharedSpace {
  readonly opening: Promise<ServedSpace>
  readonly #progress: Opening
  readonly #noticeSources: readonly PendingNotice[]
  readonly #notices = new Map<string, PendingNotices>()
  #served: ServedSpace | undefined
  #users = 0
  #usedAt = performance.now()

  /** @param open  opens the space, and reports to its argument if the space is migrated first */
  constructor(open: (progress: Opening) => Promise<ServedSpace>, noticeSources: readonly PendingNotice[]) {
    this.#progress = new Opening()
    this.#noticeSources = noticeSources
    this.opening = open(this.#progress).finally(() => this.#progress.end())
    this.opening.then(
      (served) => {
        this.#served = served
        this.#usedAt = performance.now()
      },
      // Each lease throws it.
      () => {},
    )
  }

  /** True while a large space is migrated. It cannot be leased then. */
  get isMigrating(): boolean {
    return this.#progress.isMigrating
  }

  /**
   * Counts the lease before opening, so that the space is not closed in between.
   *
   * @throws MIGRATING while the space is migrated; what opening it throws
   */
  async lease(): Promise<SpaceLease> {
    this.#users++
    let isLeased = true
    const release = () => {
      if (isLeased) this.#users--
      isLeased = false
      this.#usedAt = performance.now()
    }
    try {
      const served = await this.#progress.wait(this.opening)
      return { ...served, noticesFor: (linkId) => this.#noticesFor(linkId), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #noticesFor(linkId: string): PendingNotices {
    const notices = this.#notices.get(linkId) ?? new PendingNotices(async () => this.#noticeSources)
    this.#notices.set(linkId, notices)
    return notices
  }

  /** Undefined while it is being opened. */
  get space(): OpenSpace | undefined {
    return this.#served?.space
  }

  /** True if the file is still the one that was opened, or if the space is still being opened. */
  isPresent(): boolean {
    return this.#served?.space.isPresent() ?? true
  }

  /** True if it is open and has had no lease for this many milliseconds. */
  isIdle(milliseconds: number): boolean {
    return this.#served !== undefined && this.#users === 0 && performance.now() - this.#usedAt >= milliseconds
  }

  /** Closes the space. If it is being migrated, that ends, and the file stays as it was. */
  async close(): Promise<void> {
    this.#progress.stop()
    const served = await this.opening.catch(() => undefined)
    await served?.close()
  }
}

/** A registry with one space that is open. */
export const singleSpaceRegistry = (served: ServedSpace, noticeSources: readonly PendingNotice[]): SpaceRegistry =>
  registryOf(new SharedSpace(async () => served, noticeSources))

/** A registry with one space, which may still be opening. The key is ignored: the link decides. */
export const registryOf = (sharedSpace: SharedSpace): SpaceRegistry => ({
  acquire: () => sharedSpace.lease(),
  openCount: 1,
  get migratingCount() {
    return sharedSpace.isMigrating ? 1 : 0
  },
  openSpaces: () => (sharedSpace.space === undefined ? [] : [sharedSpace.space]),
  close: () => sharedSpace.close(),
})
