/** Spaces that are opened on demand and closed when idle. */

import { getSpaceRow } from '../../storage/space-info.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import { BackgroundWork, type Log, tryAndLog } from '../base/background.ts'
import { messageOf } from '../base/errors.ts'
import type { Opening } from '../call/opening-space.ts'
import { type ServedSpace, SharedSpace, type SpaceLease, type SpaceRegistry } from '../call/space-registry.ts'
import type { PendingNotice } from '../server-catalog.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

/** Milliseconds after which an idle space is closed. */
const IDLE_MS = 5 * 60_000

export interface OnDemandOptions {
  noticeSources: readonly PendingNotice[]
  /** Receives messages for the log. */
  report?: Log
  /** Milliseconds after which an idle space is closed. */
  idleTimeout?: number
}

/** The location of a space, and the function that opens it. */
export interface SpacePlace {
  /** The location for the log: a file, or a name in a database. */
  shown: string
  /** @param progress  receives how far it is, if the space is migrated first */
  open(progress: Opening): Promise<ServedSpace>
}

export abstract class OnDemandRegistry implements SpaceRegistry {
  readonly #options: OnDemandOptions
  readonly #spaces = new Map<string, SharedSpace>()
  readonly #closing = new BackgroundWork()
  /** By key: spaces that are being closed because they were replaced. */
  readonly #replaced = new Map<string, Promise<void>>()
  /** The keys of spaces that could not be opened when that was last tried. */
  readonly #unopened = new Set<string>()
  readonly #sweepTimer: NodeJS.Timeout

  constructor(options: OnDemandOptions) {
    this.#options = options
    const { idleTimeout = IDLE_MS } = options
    this.#sweepTimer = setInterval(() => this.#closeIdle(idleTimeout), Math.max(idleTimeout / 5, 10)).unref()
  }

  /** Finds the space of a key; undefined if there is none. */
  protected abstract find(key: string): SpacePlace | undefined | Promise<SpacePlace | undefined>

  /** Forgets the location of a space that no longer exists there. @returns a message for the log, if any */
  protected abstract forget(key: string): string | undefined

  get openCount(): number {
    return this.#spaces.size
  }

  get migratingCount(): number {
    return [...this.#spaces.values()].filter(({ isMigrating }) => isMigrating).length
  }

  openSpaces(): OpenSpace[] {
    return [...this.#spaces.values()].flatMap(({ space }) => space ?? [])
  }

  /** How many spaces could not be opened when they were last needed, or are open and cannot be read. */
  async countBroken(): Promise<number> {
    const canRead = await Promise.all(this.openSpaces().map(isReadable))
    return this.#unopened.size + canRead.filter((one) => !one).length
  }

  /**
   * @throws MIGRATING while the space is migrated; StorageFault while the database does not respond; Error, with a reason for the log only, if the space
   *   cannot be opened
   */
  async acquire(key: string): Promise<SpaceLease | undefined> {
    const found = this.#spaces.get(key)
    if (found?.isPresent() === true) return found.lease()
    if (found !== undefined) this.#closeReplaced(key, found)
    await this.#replaced.get(key)
    // Another waiting request may have opened it.
    const place = this.#spaces.has(key) ? undefined : await this.find(key)
    if (place === undefined) this.#unopened.delete(key)
    const lease = this.#spaces.get(key)?.lease()
    if (lease !== undefined) return lease
    return place && this.#open(key, place).lease()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    const sharedSpaces = [...this.#spaces.values()]
    this.#spaces.clear()
    await Promise.all([...sharedSpaces.map((sharedSpace) => sharedSpace.close()), this.#closing.settled()])
  }

  #open(key: string, { shown, open }: SpacePlace): SharedSpace {
    const openPlace = async (progress: Opening) =>
      open(progress).catch((error: unknown) => {
        this.#spaces.delete(key)
        this.#unopened.add(key)
        // Temporary faults of the database are reported to the caller, who can retry.
        if (error instanceof StorageFault) throw error
        // The message contains a local path, which the caller must not see.
        const reason = messageOf(error)
        throw new Error(`Expected to open ${shown}, found this: ${reason}`, { cause: error })
      })
    const sharedSpace = new SharedSpace(openPlace, this.#options.noticeSources)
    sharedSpace.opening.then(
      () => this.#unopened.delete(key),
      () => {},
    )
    this.#spaces.set(key, sharedSpace)
    return sharedSpace
  }

  /**
   * Closes a space whose file was moved, deleted or replaced while it was in use. Nothing is opened until this is done:
   * if only the WAL was removed, closing writes its content into the file.
   */
  #closeReplaced(key: string, sharedSpace: SharedSpace): void {
    this.#spaces.delete(key)
    const sentence = this.forget(key)
    const { report } = this.#options
    if (sentence !== undefined) report?.(sentence)
    const closing = tryAndLog('close a space that was replaced', () => sharedSpace.close(), report)
    this.#replaced.set(key, closing)
    this.#closing.start('open a space again', () => closing.then(() => this.#replaced.delete(key)), report)
  }

  #closeIdle(idleTimeout: number): void {
    for (const [key, sharedSpace] of this.#spaces) {
      if (!sharedSpace.isIdle(idleTimeout)) continue
      this.#spaces.delete(key)
      this.#closing.start('close an idle space', () => sharedSpace.close(), this.#options.report)
    }
  }
}

async function isReadable(space: OpenSpace): Promise<boolean> {
  try {
    await space.read(OPERATOR_LINK, ({ tx }) => getSpaceRow(tx))
    return true
  } catch {
    return false
  }
}
