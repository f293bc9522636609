/** Spaces that are opened when they are asked for, and closed when idle. */
import { StorageFault } from '../../storage/storage-fault.ts'
import { type ServedSpace, SharedSpace, type SpaceLease, type SpaceRegistry } from '../call/space-registry.ts'
import type { PendingNotice } from '../endpoint.ts'

/** Milliseconds after which an idle space is closed. */
const IDLE_MS = 5 * 60_000

export interface OnDemandOptions {
  noticeSources: readonly PendingNotice[]
  /** Receives sentences for the log. */
  report?(sentence: string): void
  /** Milliseconds after which an idle space is closed. */
  idleTimeout?: number
}

/** Where a space is, and how it is opened. */
export interface SpacePlace {
  /** For the log: a file, or a name in a database. */
  shown: string
  open(): Promise<ServedSpace>
}

export abstract class OnDemandRegistry implements SpaceRegistry {
  readonly #options: OnDemandOptions
  readonly #spaces = new Map<string, SharedSpace>()
  readonly #closing = new Set<Promise<void>>()
  /** Those of a key that are being closed because they were replaced. */
  readonly #replaced = new Map<string, Promise<void>>()
  readonly #sweepTimer: NodeJS.Timeout

  constructor(options: OnDemandOptions) {
    this.#options = options
    const { idleTimeout = IDLE_MS } = options
    this.#sweepTimer = setInterval(() => this.#closeIdle(idleTimeout), Math.max(idleTimeout / 5, 10)).unref()
  }

  /** The space of a key; undefined where there is none. */
  protected abstract find(key: string): SpacePlace | undefined | Promise<SpacePlace | undefined>

  /** Forgets where the space of a key was, since it is not there any more. @returns what to say of it, if anything */
  protected abstract forget(key: string): string | undefined

  get openCount(): number {
    return this.#spaces.size
  }

  /**
   * @throws StorageFault while its database does not answer, and Error, with what is wrong for the log alone, when the
   *   space of the key cannot be opened
   */
  async acquire(key: string): Promise<SpaceLease | undefined> {
    const found = this.#spaces.get(key)
    if (found?.isPresent() === true) return found.lease()
    if (found !== undefined) this.#closeReplaced(key, found)
    await this.#replaced.get(key)
    // Another waiting request may have opened it.
    const place = this.#spaces.has(key) ? undefined : await this.find(key)
    const lease = this.#spaces.get(key)?.lease()
    if (lease !== undefined) return lease
    return place && this.#open(key, place).lease()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    const sharedSpaces = [...this.#spaces.values()]
    this.#spaces.clear()
    await Promise.all([...sharedSpaces.map((sharedSpace) => sharedSpace.close()), ...this.#closing])
  }

  #open(key: string, { shown, open }: SpacePlace): SharedSpace {
    const opening = open().catch((error: unknown) => {
      this.#spaces.delete(key)
      // That a database does not answer now is for the caller, who tries again.
      if (error instanceof StorageFault) throw error
      // Its message names a place of this machine, which is nothing to the caller.
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`Expected to open ${shown}, found this: ${reason}`, { cause: error })
    })
    const sharedSpace = new SharedSpace(opening, this.#options.noticeSources)
    this.#spaces.set(key, sharedSpace)
    return sharedSpace
  }

  /**
   * Closes a space that was moved, deleted or replaced, while it is in use. Nothing is opened before that is done: where
   * the log of a file alone was removed, closing writes what was in it into the file.
   */
  #closeReplaced(key: string, sharedSpace: SharedSpace): void {
    this.#spaces.delete(key)
    const sentence = this.forget(key)
    if (sentence !== undefined) this.#options.report?.(sentence)
    const closing: Promise<void> = sharedSpace
      .close()
      .catch((error: unknown) =>
        this.#options.report?.(`Expected to close a space that was replaced, found this: ${error}`),
      )
      .finally(() => {
        this.#replaced.delete(key)
        this.#closing.delete(closing)
      })
    this.#replaced.set(key, closing)
    this.#closing.add(closing)
  }

  #closeIdle(idleTimeout: number): void {
    for (const [key, sharedSpace] of this.#spaces) {
      if (!sharedSpace.isIdle(idleTimeout)) continue
      this.#spaces.delete(key)
      const closing: Promise<void> = sharedSpace.close().finally(() => this.#closing.delete(closing))
      this.#closing.add(closing)
    }
  }
}
