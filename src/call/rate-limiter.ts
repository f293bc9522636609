/** Rate limits: of a space per minute, and of a client address per ten seconds. */

import { isWritableTime } from '../../storage/clock-fault.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import type { Usage, UsageWindow, UsageWindows } from '../../storage/usage.ts'
import { addressKey } from '../base/client-address.ts'
import { invalid, rateLimited } from '../base/errors.ts'
import { formatCount, formatNumber } from '../base/format-number.ts'
import {
  ADDRESS_WINDOW_SECONDS,
  BLOCKS_PER_WINDOW,
  MAX_TRACKED_ADDRESSES,
  PAGE_REQUESTS_PER_ADDRESS,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_WINDOW,
  SPACE_WINDOW_SECONDS,
} from '../base/limits.ts'

/** Limits per window of {@link SPACE_WINDOW_SECONDS} seconds; 0 means no limit. */
export interface RateLimits {
  requests: number
  blocks: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = { requests: REQUESTS_PER_WINDOW, blocks: BLOCKS_PER_WINDOW }

/** `remaining` is never below 0. `reset` is the end of the window in seconds since 1970. */
export interface Quota {
  limit: number
  remaining: number
  reset: number
}

/**
 * A quota is absent if its limit is off. `blocks` is also absent for calls without blocks, and while no window has
 * counted any.
 */
export interface Remaining {
  requests?: Quota
  blocks?: Quota
}

/** The remaining quota at the time when a call failed. */
export const remainingAfterFailure = new WeakMap<object, Remaining>()

/** What a call consumes. */
export interface QuotaRequest {
  /**
   * `read`: the blocks of the response are charged afterwards. A number: blocks that it will write. Absent: no blocks.
   */
  blocks?: 'read' | number
  /** Number of requests that it counts as; 1 if absent. */
  requests?: number
  /** True if the request is counted, but passes even if the limit is reached. */
  isExempt?: boolean
}

/**
 * The rate limits of one space, for all processes that share its usage file.
 *
 * A window begins with the first thing counted in it and has a fixed length. Requests and blocks have separate windows.
 * A window that starts in the future (because a clock was set back) counts as expired. So a change of the clock, in
 * either direction, only ends the current window early.
 */
export class RateLimiter {
  readonly #store: Usage
  readonly #limits: RateLimits
  readonly #clock: () => number
  /** When the last use of each link was recorded, which does not happen with every call. */
  readonly #notedUses = new Map<string, number>()

  /** @param clock  milliseconds since 1970 */
  constructor(usage: Usage, limits: RateLimits, clock: () => number) {
    this.#store = usage
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Counts one or several requests, and the blocks that will be written. Refused requests are not counted.
   *
   * A read is admitted while any blocks are left, since the size of its response is not known in advance.
   *
   * @throws RATE_LIMITED with the delay after which the same call can pass; VALIDATION_ERROR for a write of more blocks
   *   than the whole limit
   */
  async acquire({ blocks, requests: count = 1, isExempt = false }: QuotaRequest): Promise<Remaining> {
    const limits = this.#limits
    const hasBlocks = blocks !== undefined && limits.blocks > 0
    if (hasBlocks && typeof blocks === 'number' && blocks > limits.blocks)
      throw exceedsWholeLimit(limits.blocks, blocks)
    if (limits.requests === 0 && !hasBlocks) return {}
    const used = await this.#update(({ requests, blocks: spent }, now) => {
      const exceeded: ExceededLimit[] = []
      if (!isExempt && limits.requests > 0 && remainingIn(limits.requests, requests) < count) {
        exceeded.push({ window: requests, message: requestsExceeded(limits.requests) })
      }
      const remaining = remainingIn(limits.blocks, spent)
      if (hasBlocks && (blocks === 'read' ? remaining <= 0 : blocks > Math.max(0, remaining))) {
        exceeded.push({ window: spent, message: blocksExceeded(limits.blocks, Math.max(0, remaining), blocks) })
      }
      if (exceeded.length > 0) {
        const error = rateLimitError(exceeded, now)
        remainingAfterFailure.set(error, {
          ...(requests && limits.requests > 0 && { requests: quotaOf(limits.requests, requests) }),
          ...(spent && hasBlocks && { blocks: quotaOf(limits.blocks, spent) }),
        } as Remaining)
        throw error
      }
      return {
        ...(limits.requests > 0 && { requests: addUsage(requests, count, now) }),
        ...(hasBlocks && blocks !== 'read' && blocks > 0 && { blocks: addUsage(spent, blocks, now) }),
      }
    })
    return remainingOf(
      limits.requests > 0 ? quotaOf(limits.requests, used.requests) : undefined,
      hasBlocks ? quotaOf(limits.blocks, used.blocks) : undefined,
    )
  }

  /** How many blocks can still be read. Undefined if the limit is off. @param acquired  the result of `acquire` */
  blocksLeft(acquired: Remaining): number | undefined {
    const limit = this.#limits.blocks
    return limit === 0 ? undefined : (acquired.blocks?.remaining ?? limit)
  }

  /**
   * Refuses an answer that is larger than what was left when the read was admitted. A caller that gave a limit gets its
   * answer all the same.
   *
   * @param acquired  the result of `acquire`
   * @throws RATE_LIMITED with the delay after which the read can pass; VALIDATION_ERROR if it never can
   */
  async assertHasLeft(blocks: number, acquired: Remaining): Promise<void> {
    const left = this.blocksLeft(acquired)
    if (left === undefined || blocks <= left) return
    const limit = this.#limits.blocks
    if (blocks > limit) throw readExceedsWholeLimit(limit)
    const { blocks: window } = await this.#update(() => ({}))
    const remaining = Math.max(0, remainingIn(limit, window))
    const error = rateLimitError([{ window, message: readExceeded(limit, remaining) }], Math.trunc(this.#clock()))
    remainingAfterFailure.set(error, acquired)
    throw error
  }

  /** Records that a link was used, at most once per interval. */
  noteUse(link: string): void {
    const now = Math.trunc(this.#clock())
    if (!isWritableTime(now)) return
    if (Math.abs(now - (this.#notedUses.get(link) ?? Number.NEGATIVE_INFINITY)) < USE_NOTED_MS) return
    if (this.#notedUses.size >= MAX_TRACKED_ADDRESSES) this.#notedUses.clear()
    this.#notedUses.set(link, now)
    this.#store.noteLinkUse(link, now)
  }

  /** The last use of each link by ID, in milliseconds since 1970, accurate to a minute. */
  linkUses(): Promise<ReadonlyMap<string, number>> {
    return this.#store.linkUses()
  }

  /** The remaining quota of the current windows; the full limit if no window is active. */
  async remaining(): Promise<Remaining> {
    const now = Math.trunc(this.#clock())
    const used = await this.#update(() => ({}))
    const { requests, blocks } = this.#limits
    return remainingOf(
      requests > 0 ? quotaOf(requests, used.requests ?? { start: now, used: 0 }) : undefined,
      blocks > 0 ? quotaOf(blocks, used.blocks ?? { start: now, used: 0 }) : undefined,
    )
  }

  /**
   * Charges the blocks that an admitted read returned, or the difference between the blocks that a write changed and
   * those that it was charged for (negative, down to a full refund if it failed). Never refuses: usage beyond the limit
   * delays later calls. Does not fail if nothing can be counted, since the call has ended.
   *
   * @param acquired  the result of `acquire`: blocks are refunded only in the window that they were charged to
   */
  async charge(blocks: number, acquired: Remaining): Promise<Remaining> {
    if (this.#limits.blocks === 0 || blocks === 0) return acquired
    const used = await this.#update((running, now) => {
      const isSameWindow = running.blocks !== undefined && resetSecond(running.blocks) === acquired.blocks?.reset
      return blocks > 0 || isSameWindow ? { blocks: addUsage(running.blocks, blocks, now) } : {}
    }).catch((error) => {
      if (error instanceof StorageFault) return undefined
      throw error
    })
    return used === undefined ? acquired : remainingOf(acquired.requests, quotaOf(this.#limits.blocks, used.blocks))
  }

  /**
   * Runs one update of the usage file, with its time and the active windows. Returns the active windows afterwards.
   * Windows that `decide` does not return stay as recorded; only a new count ends a window in the future.
   */
  async #update(decide: (running: UsageWindows, now: number) => Partial<UsageWindows>): Promise<UsageWindows> {
    let result: UsageWindows = { requests: undefined, blocks: undefined }
    await this.#store.record((recorded) => {
      const now = Math.trunc(this.#clock())
      const before = { requests: activeWindow(recorded.requests, now), blocks: activeWindow(recorded.blocks, now) }
      const changes = decide(before, now)
      result = { ...before, ...changes }
      return Object.keys(changes).length > 0 ? { ...recorded, ...changes } : recorded
    })
    return result
  }
}

/** Milliseconds between two records of the use of a link. */
const USE_NOTED_MS = 60_000
/** Length of a window in milliseconds. */
const SPACE_WINDOW_MS = SPACE_WINDOW_SECONDS * 1000
const ADDRESS_WINDOW_MS = ADDRESS_WINDOW_SECONDS * 1000

const isActive = ({ start }: UsageWindow, length: number, now: number): boolean => start <= now && now < start + length

const activeWindow = (window: UsageWindow | undefined, now: number): UsageWindow | undefined =>
  window !== undefined && isActive(window, SPACE_WINDOW_MS, now) ? window : undefined

/** A window whose counts were all refunded never started. */
function addUsage(window: UsageWindow | undefined, by: number, now: number): UsageWindow | undefined {
  const used = (window?.used ?? 0) + by
  return used > 0 ? { start: window?.start ?? now, used } : undefined
}

const remainingIn = (limit: number, window: UsageWindow | undefined): number => limit - (window?.used ?? 0)

const resetSecond = ({ start }: UsageWindow): number => Math.ceil((start + SPACE_WINDOW_MS) / 1000)

const quotaOf = (limit: number, window: UsageWindow | undefined): Quota | undefined =>
  window && { limit, remaining: Math.max(0, remainingIn(limit, window)), reset: resetSecond(window) }

const remainingOf = (requests: Quota | undefined, blocks: Quota | undefined): Remaining => ({
  ...(requests && { requests }),
  ...(blocks && { blocks }),
})

interface ExceededLimit {
  window: UsageWindow | undefined
  message: string
}

/**
 * If two limits are exceeded, the error names the longer delay: after the shorter one, the call would be refused again.
 */
function rateLimitError(exceeded: readonly ExceededLimit[], now: number) {
  const waits = exceeded.map(({ window, message }) => ({
    message,
    wait: (window?.start ?? now) + SPACE_WINDOW_MS - now,
  }))
  const { message, wait: waitMs } = waits.reduce((one, other) => (other.wait > one.wait ? other : one))
  return rateLimited(message, waitMs)
}

const requestsExceeded = (limit: number) =>
  `Expected at most ${formatCount(limit, 'request')} a minute in this space, found them used up by all its connections together.`

function blocksExceeded(limit: number, remaining: number, blocks: 'read' | number): string {
  const expected = `Expected at most ${formatCount(limit, 'block')} a minute read or written in this space`
  return blocks === 'read'
    ? `${expected}, found them used up by all its connections together.`
    : `${expected}, found ${formatNumber(remaining)} left by all its connections together and ${formatNumber(blocks)} to write; nothing was written.`
}

const readExceeded = (limit: number, remaining: number) =>
  `Expected at most ${formatCount(limit, 'block')} a minute read or written in this space, found ${formatNumber(remaining)} left by all its connections together and more to read; send limit to read a part now.`

const readExceedsWholeLimit = (limit: number) =>
  invalid(
    `Expected at most ${formatCount(limit, 'block')} in one call, which is all that this space may read and write in a minute, found more to read; send limit, and read the rest with the cursor of the answer.`,
  )

const exceedsWholeLimit = (limit: number, blocks: number) =>
  invalid(
    `Expected at most ${formatCount(limit, 'block')} in one call, which is all that this space may read and write in a minute, found ${formatNumber(blocks)}; nothing was written, give them in several calls.`,
  )

/** Undoes the count, for a request that another limit refuses. */
export type AddressRelease = () => void | Promise<void>

/** Counts requests per public address, in this process or across several. */
export interface AddressLimiter {
  /**
   * Counts one or several requests. Refused requests are not counted.
   *
   * @throws RATE_LIMITED with the delay; a returned promise rejects with it
   */
  acquire(address: string, count?: number): AddressRelease | Promise<AddressRelease>
}

/**
 * The requests for pages from one address, in proportion to its calls: who sets a limit for an office sets both.
 *
 * @param calls  per window; 0 for no limit, which is the one of the pages then, too
 */
export const pageRequestsFor = (calls: number): number =>
  Math.ceil(calls * (PAGE_REQUESTS_PER_ADDRESS / REQUESTS_PER_ADDRESS))

/** The error for an address that has used up its limit. */
export const addressExceeded = (limit: number, waitMs: number) =>
  rateLimited(
    `Expected at most ${formatCount(limit, 'request')} in ${ADDRESS_WINDOW_SECONDS} seconds from one address, found them used up by all its connections together.`,
    waitMs,
  )

/**
 * Counts requests per public address in the memory of this process.
 *
 * Windows have a fixed length and begin with their first request, as those of a space do. At most {@link
 * MAX_TRACKED_ADDRESSES} addresses are remembered. Beyond that the oldest is forgotten: refusing new addresses would
 * let an attacker with many addresses lock everyone out.
 */
export class AddressRateLimiter implements AddressLimiter {
  readonly #limit: number
  readonly #clock: () => number
  /** Ordered by their beginnings. */
  readonly #windows = new Map<string, UsageWindow>()

  /** @param limit  for each {@link ADDRESS_WINDOW_SECONDS} seconds; 0 means no limit */
  constructor(limit: number = REQUESTS_PER_ADDRESS, clock: () => number = Date.now) {
    this.#limit = limit
    this.#clock = clock
  }

  /** The number of remembered addresses. */
  get size(): number {
    return this.#windows.size
  }

  /**
   * Counts one or several requests. Refused requests are not counted.
   *
   * @returns undoes the count, for a request that another limit refuses
   * @throws RATE_LIMITED with the delay
   */
  acquire(address: string, count = 1): () => void {
    if (this.#limit === 0) return () => {}
    const now = this.#clock()
    this.#dropExpired(now)
    const origin = addressKey(address)
    const found = this.#windows.get(origin)
    const window =
      found !== undefined && isActive(found, ADDRESS_WINDOW_MS, now) ? found : this.#startWindow(origin, now)
    if (window.used + count > this.#limit) {
      throw addressExceeded(this.#limit, window.start + ADDRESS_WINDOW_MS - now)
    }
    window.used += count
    return () => {
      window.used -= count
    }
  }

  // Deletes the entry first, so that the map stays ordered by the beginnings of windows.
  #startWindow(origin: string, now: number): UsageWindow {
    this.#windows.delete(origin)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= MAX_TRACKED_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest)
    const window = { start: now, used: 0 }
    this.#windows.set(origin, window)
    return window
  }

  #dropExpired(now: number): void {
    for (const [origin, window] of this.#windows) {
      if (isActive(window, ADDRESS_WINDOW_MS, now)) return
      this.#windows.delete(origin)
    }
  }
}
