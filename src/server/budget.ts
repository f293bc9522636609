/** What a space may be asked in a minute, and a public address in ten seconds. */
import type { Usage, Used, Window } from '../../storage/usage.ts'
import { invalid, rateLimited } from '../errors.ts'
import {
  ADDRESS_WINDOW,
  ADDRESSES_KEPT,
  BLOCKS_PER_WINDOW,
  REQUESTS_PER_ADDRESS,
  REQUESTS_PER_WINDOW,
  SPACE_WINDOW,
} from '../limits.ts'
import { countedAddress } from './client-address.ts'

/** For each window of {@link SPACE_WINDOW} seconds; 0 is no limit. */
export interface Limits {
  requests: number
  blocks: number
}

export const DEFAULT_LIMITS: Limits = { requests: REQUESTS_PER_WINDOW, blocks: BLOCKS_PER_WINDOW }

/** `remaining` is never below 0; `reset` is the second since 1970 at which the window ends. */
export interface Allowance {
  limit: number
  remaining: number
  reset: number
}

/** Absent for a limit that is off; `blocks` also for a call without blocks, and while a window has counted none. */
export interface Left {
  requests?: Allowance
  blocks?: Allowance
}

/** What was left when a call failed. */
export const leftAfter = new WeakMap<object, Left>()

/** What a call asks for besides itself. */
export interface Asks {
  /** `read`: what it returns is charged afterwards; a number: blocks that it will write; absent: it has no blocks. */
  blocks?: 'read' | number
  /** Requests that it counts for; 1 when absent. */
  requests?: number
  /** Whether it is counted, but passes when the limit of requests is reached. */
  passes?: boolean
}

/**
 * The limits of one space, over all that share its ledger.
 *
 * A window begins with the first thing that is counted in it and is fixed; requests and blocks have one each. A window
 * that starts in the future (a clock was set back) is over, so that a change of the clock costs one window at most:
 * back or forward, a new one begins early.
 */
export class Budget {
  readonly #usage: Usage
  readonly #limits: Limits
  readonly #clock: () => number

  /** @param clock  milliseconds since 1970 */
  constructor(usage: Usage, limits: Limits, clock: () => number) {
    this.#usage = usage
    this.#limits = limits
    this.#clock = clock
  }

  /**
   * Count a request, or several that came together, and the blocks that will be written. What is refused is not counted at all.
   *
   * A read is admitted while any blocks are left, since nobody knows beforehand how many it returns.
   *
   * @throws RATE_LIMITED with the delay after which the same call can pass; VALIDATION_ERROR for a write of more blocks
   *   than the whole limit
   */
  async admit({ blocks, requests: count = 1, passes = false }: Asks): Promise<Left> {
    const limits = this.#limits
    const hasBlocks = blocks !== undefined && limits.blocks > 0
    if (hasBlocks && typeof blocks === 'number' && blocks > limits.blocks) throw neverPasses(limits.blocks, blocks)
    if (limits.requests === 0 && !hasBlocks) return {}
    const used = await this.#step(({ requests, blocks: spent }, now) => {
      const reached: Reached[] = []
      if (!passes && limits.requests > 0 && left(limits.requests, requests) < count) {
        reached.push({ window: requests, message: requestsUsedUp(limits.requests) })
      }
      const remaining = left(limits.blocks, spent)
      if (hasBlocks && (blocks === 'read' ? remaining <= 0 : blocks > Math.max(0, remaining))) {
        reached.push({ window: spent, message: blocksUsedUp(limits.blocks, Math.max(0, remaining), blocks) })
      }
      if (reached.length > 0) {
        const refused = refusal(reached, now)
        leftAfter.set(refused, {
          ...(requests && limits.requests > 0 && { requests: allowance(limits.requests, requests) }),
          ...(spent && hasBlocks && { blocks: allowance(limits.blocks, spent) }),
        } as Left)
        throw refused
      }
      return {
        ...(limits.requests > 0 && { requests: grown(requests, count, now) }),
        ...(hasBlocks && blocks !== 'read' && blocks > 0 && { blocks: grown(spent, blocks, now) }),
      }
    })
    return leftOf(
      limits.requests > 0 ? allowance(limits.requests, used.requests) : undefined,
      hasBlocks ? allowance(limits.blocks, used.blocks) : undefined,
    )
  }

  /**
   * Charge the blocks that an admitted read returned, or by how many a write differs from what it was charged; all of
   * them, negative, when it failed. Never refuses: what is beyond the limit keeps later calls waiting.
   *
   * @param admitted  what `admit` answered: blocks are given back only in the window that they were taken from
   */
  async charge(blocks: number, admitted: Left): Promise<Left> {
    if (this.#limits.blocks === 0 || blocks === 0) return admitted
    const used = await this.#step((running, now) => {
      const taken = running.blocks !== undefined && resetOf(running.blocks) === admitted.blocks?.reset
      return blocks > 0 || taken ? { blocks: grown(running.blocks, blocks, now) } : {}
    })
    return leftOf(admitted.requests, allowance(this.#limits.blocks, used.blocks))
  }

  /**
   * One step in the ledger, with the time of that step and the windows that run then; answers those that run after it.
   * What `decide` does not name stays as it is recorded: only what is counted anew ends a window of the future.
   */
  async #step(decide: (running: Used, now: number) => Partial<Used>): Promise<Used> {
    let result: Used = { requests: undefined, blocks: undefined }
    await this.#usage.record((recorded) => {
      const now = Math.trunc(this.#clock())
      const before = { requests: running(recorded.requests, now), blocks: running(recorded.blocks, now) }
      const changes = decide(before, now)
      result = { ...before, ...changes }
      return Object.keys(changes).length > 0 ? { ...recorded, ...changes } : recorded
    })
    return result
  }
}

/** Milliseconds of the windows. */
const LENGTH = SPACE_WINDOW * 1000
const ADDRESS_LENGTH = ADDRESS_WINDOW * 1000

const isRunning = ({ start }: Window, length: number, now: number): boolean => start <= now && now < start + length

const running = (window: Window | undefined, now: number): Window | undefined =>
  window !== undefined && isRunning(window, LENGTH, now) ? window : undefined

/** What was given back whole was never begun. */
function grown(window: Window | undefined, by: number, now: number): Window | undefined {
  const used = (window?.used ?? 0) + by
  return used > 0 ? { start: window?.start ?? now, used } : undefined
}

const left = (limit: number, window: Window | undefined): number => limit - (window?.used ?? 0)

const resetOf = ({ start }: Window): number => Math.ceil((start + LENGTH) / 1000)

const allowance = (limit: number, window: Window | undefined): Allowance | undefined =>
  window && { limit, remaining: Math.max(0, left(limit, window)), reset: resetOf(window) }

const leftOf = (requests: Allowance | undefined, blocks: Allowance | undefined): Left => ({
  ...(requests && { requests }),
  ...(blocks && { blocks }),
})

interface Reached {
  window: Window | undefined
  message: string
}

/** Of two limits that are reached the one that lasts longer: who waits for the other would be refused again. */
function refusal(reached: readonly Reached[], now: number) {
  const waits = reached.map(({ window, message }) => ({ message, wait: (window?.start ?? now) + LENGTH - now }))
  const { message, wait } = waits.reduce((one, other) => (other.wait > one.wait ? other : one))
  return rateLimited(message, wait)
}

const amount = (count: number): string => count.toLocaleString('en-US')
const counted = (count: number, noun: string): string => `${amount(count)} ${noun}${count === 1 ? '' : 's'}`

const requestsUsedUp = (limit: number) =>
  `Expected at most ${counted(limit, 'request')} a minute in this space, found them used up by all its connections together.`

function blocksUsedUp(limit: number, remaining: number, blocks: 'read' | number): string {
  const expected = `Expected at most ${counted(limit, 'block')} a minute read or written in this space`
  return blocks === 'read'
    ? `${expected}, found them used up by all its connections together.`
    : `${expected}, found ${amount(remaining)} left by all its connections together and ${amount(blocks)} to write; nothing was written.`
}

const neverPasses = (limit: number, blocks: number) =>
  invalid(
    `Expected at most ${counted(limit, 'block')} in one call, which is all that this space may read and write in a minute, found ${amount(blocks)}; nothing was written, give them in several calls.`,
  )

/**
 * Requests from each public address, in the memory of this process.
 *
 * Windows are fixed and begin with their first request, as a space's do. At most {@link ADDRESSES_KEPT} are remembered;
 * beyond them the oldest is forgotten, since refusing new addresses would let a crowd shut everyone out.
 */
export class AddressBudget {
  readonly #limit: number
  readonly #clock: () => number
  /** In the order in which they began. */
  readonly #windows = new Map<string, Window>()

  /** @param limit  for each {@link ADDRESS_WINDOW} seconds; 0 is no limit */
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
  admit(address: string, count = 1): () => void {
    if (this.#limit === 0) return () => {}
    const now = this.#clock()
    this.#forgetEnded(now)
    const origin = countedAddress(address)
    const found = this.#windows.get(origin)
    const window = found !== undefined && isRunning(found, ADDRESS_LENGTH, now) ? found : this.#begin(origin, now)
    if (window.used + count > this.#limit) {
      throw rateLimited(
        `Expected at most ${counted(this.#limit, 'request')} in ${ADDRESS_WINDOW} seconds from one address, found them used up by all its connections together.`,
        window.start + ADDRESS_LENGTH - now,
      )
    }
    window.used += count
    return () => {
      window.used -= count
    }
  }

  // Deleted first, so that the order stays that of the beginnings.
  #begin(origin: string, now: number): Window {
    this.#windows.delete(origin)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= ADDRESSES_KEPT && oldest !== undefined) this.#windows.delete(oldest)
    const window = { start: now, used: 0 }
    this.#windows.set(origin, window)
    return window
  }

  #forgetEnded(now: number): void {
    for (const [origin, window] of this.#windows) {
      if (isRunning(window, ADDRESS_LENGTH, now)) return
      this.#windows.delete(origin)
    }
  }
}
