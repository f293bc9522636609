/**
 * Whether this server can serve: what all of its spaces stand on, such as the disk and the database, and how many of
 * its spaces cannot be read. A server of one space stands on that space.
 */

import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import { type ErrorCode, messageOf, ScriptoriumError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'

/** Milliseconds for which an answer counts, so that asking often costs nothing. */
const FRESH_MS = 5_000
/** Milliseconds that a check may take. */
const CHECK_MS = 4_000

/** Something that all spaces of the server need. */
export interface SharedCheck {
  /** Such as `the database`, for the log. */
  name: string
  /** @throws whatever is wrong */
  check(): Promise<void>
}

export interface ReadinessOptions {
  shared: readonly SharedCheck[]
  /** How many of the spaces cannot be read; only for servers of several spaces. */
  countBroken?: () => number | Promise<number>
  logger: Logger
  /** Monotonic milliseconds. */
  clock?: () => number
}

export interface ReadyState {
  /** Why nothing can be served; absent if the server is ready. */
  code?: ErrorCode
  /** The number of spaces that cannot be read. */
  degraded: number
}

export class Readiness {
  readonly #options: ReadinessOptions
  #checkedAt = -Infinity
  #checking: Promise<ReadyState> | undefined
  #wasReady = true

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  /** What was found in the last five seconds, or is found now. Never rejects. */
  state(): Promise<ReadyState> {
    const { clock = () => performance.now() } = this.#options
    if (this.#checking === undefined || clock() - this.#checkedAt >= FRESH_MS) {
      this.#checkedAt = clock()
      this.#checking = this.#check()
    }
    return this.#checking
  }

  async #check(): Promise<ReadyState> {
    const { shared, countBroken, logger } = this.#options
    for (const { name, check } of shared) {
      try {
        await withinTime(check())
      } catch (error) {
        if (this.#wasReady) logger.error(`The server is not ready, because of ${name}: ${reasonOf(error)}`)
        this.#wasReady = false
        // Nothing is known about single spaces while what they all stand on is missing.
        return { code: codeOf(error), degraded: 0 }
      }
    }
    if (!this.#wasReady) logger.info('The server is ready again.')
    this.#wasReady = true
    return { degraded: await withinTime(Promise.resolve(countBroken?.() ?? 0)).catch(() => 0) }
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS / 1000} seconds`)), CHECK_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const codeOf = (error: unknown): ErrorCode =>
  error instanceof ScriptoriumError ? error.code : (toDiskError(error)?.code ?? 'STORAGE_UNAVAILABLE')

const reasonOf = (error: unknown): string => (error instanceof StorageFault ? error.reason : messageOf(error))
