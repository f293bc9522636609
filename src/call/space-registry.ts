/** The spaces that a server has, and who has them just now. */

import type { SignIns } from '../../storage/sign-ins.ts'
import type { PendingNotice } from '../endpoint.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { PendingNotices } from './pending-notices.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** An open space, and what its connections share. */
export interface ServedSpace {
  /** Sign-ins at the embedded issuer; absent where it is not enabled. */
  signIns?: SignIns
  space: OpenSpace
  rateLimiter: RateLimiter
  /** Closes the usage file, then the space. */
  close(): Promise<void>
}

/** A space while a request needs it. */
export interface SpaceLease extends ServedSpace {
  /** The notices that were already sent over a link. */
  noticesFor(linkId: string): PendingNotices
  release(): void
}

export interface SpaceRegistry {
  /** @param key  that of the address, as `spaceKey` makes it; none when there is no such space */
  acquire(key: string): Promise<SpaceLease | undefined>
  /** Those that are open. */
  readonly openCount: number
  close(): Promise<void>
}

/** An open space, and who has it. */
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

  // Counted before it is open, so that it is not closed between the two.
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

  /** Whether its file is still the one that was opened; while it is being opened, too. */
  isPresent(): boolean {
    return this.#served?.space.isPresent() ?? true
  }

  /** Whether it has had no lease for this many milliseconds. */
  isIdle(milliseconds: number): boolean {
    return this.#users === 0 && performance.now() - this.#usedAt >= milliseconds
  }

  async close(): Promise<void> {
    const served = await this.opening.catch(() => undefined)
    await served?.close()
  }
}

/** One space, whatever the address: which link it is decides. */
export function singleSpaceRegistry(served: ServedSpace, noticeSources: readonly PendingNotice[]): SpaceRegistry {
  const sharedSpace = new SharedSpace(Promise.resolve(served), noticeSources)
  return { acquire: () => sharedSpace.lease(), openCount: 1, close: () => sharedSpace.close() }
}
