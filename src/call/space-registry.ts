/** The spaces of a server, and the requests that use them. */

import type { SignIns } from '../../storage/sign-ins.ts'
import type { PendingNotice } from '../endpoint.ts'
import type { OpenSpace } from '../space/open-space.ts'
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
  /** The spaces that are open now. */
  openSpaces(): OpenSpace[]
  close(): Promise<void>
}

/** An open space with its current leases. */
export class SharedSpace {
  readonly opening: Promise<ServedSpace>
  readonly #noticeSources: readonly PendingNotice[]
  readonly #notices = new Map<string, PendingNotices>()
  #served: ServedSpace | undefined
  #users = 0
  #usedAt = performance.now()

  constructor(opening: Promise<ServedSpace>, noticeSources: readonly PendingNotice[]) {
    this.opening = opening
    this.#noticeSources = noticeSources
  }

  // Counts the lease before opening, so that the space is not closed in between.
  async lease(): Promise<SpaceLease> {
    this.#users++
    let isLeased = true
    const release = () => {
      if (isLeased) this.#users--
      isLeased = false
      this.#usedAt = performance.now()
    }
    try {
      const served = await this.opening
      this.#served = served
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

  /** True if it has had no lease for this many milliseconds. */
  isIdle(milliseconds: number): boolean {
    return this.#users === 0 && performance.now() - this.#usedAt >= milliseconds
  }

  async close(): Promise<void> {
    const served = await this.opening.catch(() => undefined)
    await served?.close()
  }
}

/** A registry with one space. The key is ignored: the link decides. */
export function singleSpaceRegistry(served: ServedSpace, noticeSources: readonly PendingNotice[]): SpaceRegistry {
  const sharedSpace = new SharedSpace(Promise.resolve(served), noticeSources)
  return {
    acquire: () => sharedSpace.lease(),
    openCount: 1,
    openSpaces: () => [served.space],
    close: () => sharedSpace.close(),
  }
}
