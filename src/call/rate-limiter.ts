/** Rate limits: of a space per minute, and of a client address per ten seconds. */
import { StorageFault } from '../../storage/storage-fault.ts'
import type { Usage, UsageWindow, UsageWindows } from '../../storage/usage.ts'
import { addressKey } from '../base/client-address.ts'
import { invalid, rateLimited } from '../base/errors.ts'
import {
  ADDRESS_WINDOW_SECONDS,
  BLOCKS_PER_WINDOW,
  MAX_TRACKED_ADDRESSES,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_WINDOW,
  SPACE_WINDOW_SECONDS,
} from '../base/limits.ts'

/** For each window of {@link SPACE_WINDOW_SECONDS} seconds; 0 is no limit. */
export interface RateLimits {
  requests: number
  blocks: number
}

export const DEFAULT_RATE_LIMITS: RateLimits = { requests: REQUESTS_PER_WINDOW, blocks: BLOCKS_PER_WINDOW }

/** `remaining` is never below 0; `reset` is the second since 1970 at which the window ends. */
export interface Quota {
  limit: number
  remaining: number
  reset: number
}

/** Absent for a limit that is off; `blocks` also for a call without blocks, and while a window has counted none. */
export interface Remaining {
  requests?: Quota
  blocks?: Quota
}

/** What was left when a call failed. */
export const remainingAfterFailure = new WeakMap<object, Remaining>()

/** What a call asks for besides itself. */
export interface QuotaRequest {
  /** `read`: what it returns is charged afterwards; a number: blocks that it will write; absent: it has no blocks. */
  blocks?: 'read' | number
  /** Requests that it counts for; 1 when absent. */
  requests?: number
  /** Whether it is counted, but passes when the limit of requests is reached. */
  isExempt?: boolean
}

/**
 * The limits of one space, over all processes that share its usage file.
 *
 * A window begins with the first thing that is counted in it and is fixed; requests and blocks have one each. A window
 * that starts in the future (a clock was set back) is over, so that a change of the clock costs one window at most:
 * back or forward, a new one begins early.
 */
export class RateLimiter {
  readonly #store: Usage
  readonly #limits: RateLimits
  readonly #clock: () => number
  /** When uses of links were noted, which is not done with each call. */
  readonly #notedUses = new Map<string, number>()

  /** @param clock  milliseconds since 1970 */
  constructor(usage: Usage, limits: RateLimits, clock: () => number) {
    this.#store = usage
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Count a request, or several that came together, and the blocks that will be written. What is refused is not counted at all.
   *
   * A read is admitted while any blocks are left, since the number of blocks it returns is not known in advance.
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

  /** Remembers that a link was used, once in a while. */
  noteUse(link: string): void {
    const now = Math.trunc(this.#clock())
    if (Math.abs(now - (this.#notedUses.get(link) ?? Number.NEGATIVE_INFINITY)) < USE_NOTED_MS) return
    if (this.#notedUses.size >= MAX_TRACKED_ADDRESSES) this.#notedUses.clear()
    this.#notedUses.set(link, now)
    this.#store.noteLinkUse(link, now)
  }

  /** When links were used last, to a minute, by their IDs. Milliseconds since 1970. */
  linkUses(): Promise<ReadonlyMap<string, number>> {
    return this.#store.linkUses()
  }

  /** What is left of the windows that run; all of a limit where none does. */
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
   * Charge the blocks that an admitted read returned, or by how many a write differs from what it was charged; all of
   * them, negative, when it failed. Never refuses: what is beyond the limit keeps later calls waiting. Nor does it fail
   * where nothing can be counted, since the call is over.
   *
   * @param acquired  what `acquire` returned: blocks are refunded only in the window that they were charged to
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
   * One step in the usage file, with its time and the windows that run then; returns the windows that run after it.
   * What `decide` does not name stays as it is recorded: only a new count ends a window of the future.
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

/** Milliseconds between two notes of the use of a link. */
const USE_NOTED_MS = 60_000
/** Milliseconds of the windows. */
const SPACE_WINDOW_MS = SPACE_WINDOW_SECONDS * 1000
const ADDRESS_WINDOW_MS = ADDRESS_WINDOW_SECONDS * 1000

const isActive = ({ start }: UsageWindow, length: number, now: number): boolean => start <= now && now < start + length

const activeWindow = (window: UsageWindow | undefined, now: number): UsageWindow | undefined =>
  window !== undefined && isActive(window, SPACE_WINDOW_MS, now) ? window : undefined

/** A window that was refunded in full never started. */
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

/** Of two limits that are reached the one that lasts longer: who waits for the other would be refused again. */
function rateLimitError(exceeded: readonly ExceededLimit[], now: number) {
  const waits = exceeded.map(({ window, message }) => ({
    message,
    wait: (window?.start ?? now) + SPACE_WINDOW_MS - now,
  }))
  const { message, wait: waitMs } = waits.reduce((one, other) => (other.wait > one.wait ? other : one))
  return rateLimited(message, waitMs)
}

const formatCount = (count: number): string => count.toLocaleString('en-US')
const formatCounted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

const requestsExceeded = (limit: number) =>
  `Expected at most ${formatCounted(limit, 'request')} a minute in this space, found them used up by all its connections together.`

function blocksExceeded(limit: number, remaining: number, blocks: 'read' | number): string {
  const expected = `Expected at most ${formatCounted(limit, 'block')} a minute read or written in this space`
  return blocks === 'read'
    ? `${expected}, found them used up by all its connections together.`
    : `${expected}, found ${formatCount(remaining)} left by all its connections together and ${formatCount(blocks)} to write; nothing was written.`
}

const exceedsWholeLimit = (limit: number, blocks: number) =>
  invalid(
    `Expected at most ${formatCounted(limit, 'block')} in one call, which is all that this space may read and write in a minute, found ${formatCount(blocks)}; nothing was written, give them in several calls.`,
  )

/** Takes back what was counted, where another limit refuses the request. */
export type AddressRelease = () => void | Promise<void>

/** Counts requests from each public address, in this process or over several. */
export interface AddressLimiter {
  /**
   * Count a request, or several that came together. What is refused is not counted at all.
   *
   * @throws RATE_LIMITED with the delay, as what it returns rejects with
   */
  acquire(address: string, count?: number): AddressRelease | Promise<AddressRelease>
}

/** The refusal of an address that has used up its limit. */
export const addressExceeded = (limit: number, waitMs: number) =>
  rateLimited(
    `Expected at most ${formatCounted(limit, 'request')} in ${ADDRESS_WINDOW_SECONDS} seconds from one address, found them used up by all its connections together.`,
    waitMs,
  )

/**
 * Requests from each public address, in the memory of this process.
 *
 * Windows are fixed and begin with their first request, as a space's do. At most {@link MAX_TRACKED_ADDRESSES} are remembered;
 * beyond them the oldest is forgotten, since refusing new addresses would let a crowd shut everyone out.
 */
export class AddressRateLimiter implements AddressLimiter {
  readonly #limit: number
  readonly #clock: () => number
  /** In the order in which they began. */
  readonly #windows = new Map<string, UsageWindow>()

  /** @param limit  for each {@link ADDRESS_WINDOW_SECONDS} seconds; 0 is no limit */
  constructor(limit: number = REQUESTS_PER_ADDRESS, clock: () => number = Date.now) {
    this.#limit = limit
    this.#clock = clock
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#windows.size
  }

  /**
   * Count a request, or several that came together. What is refused is not counted at all.
   *
   * @returns takes them back, where another limit refuses the request
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

  // Deleted first, so that the order stays that of the beginnings.
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
