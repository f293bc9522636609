/** Counts requests per public address across all processes that use the same database. */
import type { AddressUsage } from '../../storage/usage.ts'
import { addressKey } from '../base/client-address.ts'
import { ADDRESS_WINDOW_SECONDS, MAX_TRACKED_ADDRESSES, REQUESTS_PER_ADDRESS } from '../base/limits.ts'
import { type AddressLimiter, type AddressRelease, addressExceeded } from './rate-limiter.ts'

const ADDRESS_WINDOW_MS = ADDRESS_WINDOW_SECONDS * 1000

export class SharedAddressLimiter implements AddressLimiter {
  readonly #usage: AddressUsage
  readonly #limit: number
  readonly #clock: () => number
  /** When the windows of exhausted addresses end. Until then, their requests do not query the database. */
  readonly #usedUp = new Map<string, number>()

  /**
   * @param limit  for each {@link ADDRESS_WINDOW_SECONDS} seconds; 0 means no limit
   * @param clock  milliseconds since any time
   */
  constructor(
    usage: AddressUsage,
    limit: number = REQUESTS_PER_ADDRESS,
    clock: () => number = () => performance.now(),
  ) {
    this.#usage = usage
    this.#limit = limit
    this.#clock = clock
  }

  /** @throws RATE_LIMITED with the delay; StorageFault if nothing can be counted */
  async acquire(address: string, count = 1): Promise<AddressRelease> {
    if (this.#limit === 0) return () => {}
    const origin = addressKey(address)
    const wait = (this.#usedUp.get(origin) ?? 0) - this.#clock()
    if (wait > 0) throw addressExceeded(this.#limit, wait)
    this.#usedUp.delete(origin)
    const { isCounted, window, remainingMs } = await this.#usage.count(origin, count, this.#limit, ADDRESS_WINDOW_MS)
    if (!isCounted) {
      if (window.used >= this.#limit) this.#noteUsedUp(origin, remainingMs)
      throw addressExceeded(this.#limit, remainingMs)
    }
    return async () => {
      this.#usedUp.delete(origin)
      await this.#usage.refund(origin, count, window.start)
    }
  }

  #noteUsedUp(origin: string, remainingMs: number): void {
    if (this.#usedUp.size >= MAX_TRACKED_ADDRESSES) this.#usedUp.clear()
    this.#usedUp.set(origin, this.#clock() + remainingMs)
  }
}
