/**
 * Keeps an import within the rate limits of its space. It takes at most half of the blocks that others leave of a limit,
 * spread over its minute, so that others can go on meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { invalidLink } from '../../auth/access-links/access-links.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { SPACE_WINDOW_SECONDS } from '../../base/limits.ts'
import type { Caller } from '../../call/caller.ts'
import type { Quota } from '../../call/rate-limiter.ts'
import { isFullLink } from '../../space/model/access.ts'
import type { AccessLink } from '../../space/model/space.ts'

/** Blocks to charge at once. */
const BLOCKS_PER_CHARGE = 100

const waitSeconds = (seconds: number, signal: AbortSignal): Promise<void> =>
  delay(seconds * 1000, undefined, { signal }).catch(() => {})

export interface PaceOptions {
  /** Ends each wait. */
  signal: AbortSignal
  wait?: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds since 1970. */
  clock?: () => number
}

export class BlockPacer {
  /** True once it had to wait for the limit. */
  hasWaited = false
  readonly #caller: Pick<Caller, 'rateLimiter' | 'currentLink'>
  readonly #options: Required<PaceOptions>
  readonly #share = new Share()
  /** One document after another, in the order in which they are ready. */
  #last: Promise<void> = Promise.resolve()

  constructor(caller: Pick<Caller, 'rateLimiter' | 'currentLink'>, options: PaceOptions) {
    this.#caller = caller
    this.#options = { wait: waitSeconds, clock: Date.now, ...options }
  }

  /**
   * Waits until this many blocks may be written, and charges them.
   *
   * @throws INVALID_AUTH_HEADER if the link has ended
   * @throws FORBIDDEN if it no longer reaches and may change the whole space
   */
  pace(blocks: number): Promise<void> {
    const paced = this.#last.then(() => this.#charge(blocks))
    this.#last = paced.catch(() => {})
    return paced
  }

  /** Seconds that so many blocks take at least. Others may take more of the limit meanwhile, or less. */
  async secondsFor(blocks: number): Promise<number> {
    const quota = (await this.#caller.rateLimiter?.remaining())?.blocks
    if (quota === undefined) return 0
    return Math.floor((blocks / Math.max(1, Math.floor(quota.remaining / 2))) * SPACE_WINDOW_SECONDS)
  }

  async #charge(blocks: number): Promise<void> {
    const { currentLink } = this.#caller
    if (currentLink !== undefined) assertStillFull(await currentLink())
    const { signal } = this.#options
    for (let left = blocks; left > 0 && !signal.aborted; ) {
      left -= await this.#chargePart(Math.min(left, BLOCKS_PER_CHARGE))
    }
  }

  /** @returns how many blocks were charged; 0 after a wait */
  async #chargePart(wanted: number): Promise<number> {
    const { rateLimiter } = this.#caller
    const quota = (await rateLimiter?.remaining())?.blocks
    if (rateLimiter === undefined || quota === undefined) return wanted
    const { blocks, seconds } = this.#share.next(quota, wanted, this.#options.clock())
    if (seconds > 0) return this.#wait(seconds)
    try {
      await rateLimiter.acquire({ blocks, requests: 0 })
      this.#share.note(blocks)
      return blocks
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'RATE_LIMITED') throw error
      return this.#wait(error.retryAfter ?? 1)
    }
  }

  async #wait(seconds: number): Promise<number> {
    this.hasWaited = true
    await this.#options.wait(seconds, this.#options.signal)
    return 0
  }
}

/** What an import used of the present minute. */
class Share {
  #reset = 0
  #used = 0

  note(blocks: number): void {
    this.#used += blocks
  }

  /** @returns how many of the wanted blocks may be written now, or after how many seconds to ask again */
  next({ remaining, reset }: Quota, wanted: number, now: number): { blocks: number; seconds: number } {
    if (reset > this.#reset) this.#used = 0
    this.#reset = reset
    const left = Math.max(0.05, reset - now / 1000)
    // Half of what others left of the limit. A limit of 1 is not divided.
    const half = Math.max(1, Math.floor((remaining + this.#used) / 2))
    const blocks = Math.min(wanted, half - this.#used)
    if (blocks < 1 || remaining < 1) return { blocks: 0, seconds: left }
    const elapsed = Math.max(0, SPACE_WINDOW_SECONDS - left)
    const due = (this.#used / half) * SPACE_WINDOW_SECONDS
    return { blocks, seconds: Math.max(0, due - elapsed) }
  }
}

function assertStillFull(link: AccessLink | undefined): void {
  if (link === undefined) throw invalidLink()
  if (isFullLink(link)) return
  throw new ScriptoriumError(
    'FORBIDDEN',
    'Expected a link that reaches all of the space with access full, found that it was changed meanwhile; ask the person who made the link for another.',
  )
}
