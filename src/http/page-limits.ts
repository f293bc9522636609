/** Rate limits of the pages, separate from those of agents, and counted per link. */
import type { Usage, UsageWindows } from '../../storage/usage.ts'
import { MAX_PAGE_LINKS, PAGE_BLOCKS_PER_WINDOW, PAGE_CALLS_PER_WINDOW } from '../base/limits.ts'
import { RateLimiter, type RateLimits } from '../call/rate-limiter.ts'

export const PAGE_RATE_LIMITS: RateLimits = { requests: PAGE_CALLS_PER_WINDOW, blocks: PAGE_BLOCKS_PER_WINDOW }

/** Counts in the memory of this process. */
class MemoryUsage implements Usage {
  #windows: UsageWindows = { requests: undefined, blocks: undefined }

  async record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows> {
    this.#windows = decide(this.#windows)
    return this.#windows
  }

  noteLinkUse(): void {}

  async linkUses(): Promise<ReadonlyMap<string, number>> {
    return new Map()
  }

  close(): void {}
}

export class PageLimits {
  readonly #limits: RateLimits
  /** By space and link, in the order of first use. */
  readonly #limiters = new Map<string, RateLimiter>()

  constructor(limits: RateLimits = PAGE_RATE_LIMITS) {
    this.#limits = limits
  }

  /** @param key  of a space and a link */
  limiterFor(key: string): RateLimiter {
    const known = this.#limiters.get(key)
    if (known !== undefined) return known
    const [oldest] = this.#limiters.keys()
    if (this.#limiters.size >= MAX_PAGE_LINKS && oldest !== undefined) this.#limiters.delete(oldest)
    const limiter = new RateLimiter(new MemoryUsage(), this.#limits, Date.now)
    this.#limiters.set(key, limiter)
    return limiter
  }
}
