/**
 * Counts failed sign-ins of a space, for its log: one entry for each address and minute, however many there were, and
 * one for all addresses beyond some, so that strangers cannot fill the log.
 */
import { inBackground } from '../base/background.ts'
import { withOrigin } from '../base/origin.ts'
import { logOccurrence } from './model/audit-log.ts'
import type { Space } from './model/space.ts'

/** What was tried. */
export type SignInWay = 'password' | 'link' | 'token'

const WINDOW_MS = 60_000
/** How many addresses have entries of their own in a minute. */
const ADDRESSES_PER_MINUTE = 10
const OTHERS = 'other addresses'

type Write = (work: (space: Space) => Promise<unknown>) => Promise<unknown>

export class FailedSignIns {
  readonly #write: Write
  /** By address: how often each way failed. */
  #counts = new Map<string, Map<SignInWay, number>>()
  #timer: NodeJS.Timeout | undefined

  /** @param write  runs work in a transaction; where it comes from is read when it is called */
  constructor(write: Write) {
    this.#write = write
  }

  note(address: string, way: SignInWay): void {
    const isOwn = this.#counts.has(address) || this.#counts.size < ADDRESSES_PER_MINUTE
    const key = isOwn ? address : OTHERS
    const ways = this.#counts.get(key) ?? new Map<SignInWay, number>()
    ways.set(way, (ways.get(way) ?? 0) + 1)
    this.#counts.set(key, ways)
    this.#timer ??= setTimeout(() => inBackground('log failed sign-ins', () => this.flush()), WINDOW_MS).unref()
  }

  /** Logs what was counted. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const counts = this.#counts
    this.#counts = new Map()
    for (const [address, ways] of counts) {
      const about = { failed: Object.fromEntries(ways) }
      await withOrigin(address, () =>
        this.#write((view) => logOccurrence(view, 'sign_in_failed', { author: UNKNOWN, about })),
      )
    }
  }
}

/** It is not known who it was. A name that was typed may be a password. */
const UNKNOWN = 'unknown'
