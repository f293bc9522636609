/**
 * Deletes expired records of a space that stays open. Opening a space does this, and writes do, but a server may have a
 * space open for years to which hardly anybody writes.
 */
import type { Storage } from '../../storage/storage.ts'
import { inBackground } from '../base/background.ts'
import type { SpaceInfo } from './model/space.ts'
import { pruneOldRecords } from './prune-old-records.ts'

const INTERVAL_MS = 60 * 60_000

export class ExpirySchedule {
  readonly #storage: Storage
  readonly #info: SpaceInfo
  readonly #clock: () => number
  readonly #timer: NodeJS.Timeout
  #isRunning = false
  #isStopped = false

  /**
   * @param clock  milliseconds since 1970
   * @param report  receives a sentence if deleting fails. What opening reports of the clock is not repeated every hour.
   */
  constructor(storage: Storage, info: SpaceInfo, clock: () => number, report?: (sentence: string) => void) {
    this.#storage = storage
    this.#info = info
    this.#clock = clock
    this.#timer = setInterval(
      () => inBackground('delete expired records', () => this.#run(), report),
      INTERVAL_MS,
    ).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      await pruneOldRecords(this.#storage, this.#clock(), this.#info)
    } catch (error) {
      if (!this.#isStopped) throw error
    } finally {
      this.#isRunning = false
    }
  }
}
