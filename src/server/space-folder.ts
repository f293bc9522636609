/** The spaces of a folder, opened when they are asked for and closed when idle. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Announcement } from '../endpoint.ts'
import { spaceKey } from './links.ts'
import { type Held, Holding, type Served, type Spaces } from './spaces.ts'

/** Milliseconds after which a space that nobody asks is closed, and between looks into the folder. */
const IDLE = 5 * 60_000
const LOOK_AGAIN = 1_000

export interface FolderOptions {
  folder: string
  openFile(file: string): Promise<Served>
  /** The ID of the space in a file, without opening it for good; none for another file. */
  idOf(file: string): string | undefined
  announcements: readonly Announcement[]
  /** Is told, in a sentence, of files that are passed over. */
  report?(sentence: string): void
  /** Milliseconds after which a space that nobody asks is closed, and between looks into the folder. */
  idle?: number
  lookAgain?: number
}

/** A file as it was: the stamp changes with what could change the ID. */
interface Known {
  stamp: string
  /** None for what is no space. */
  id: string | undefined
}

/**
 * The spaces of a folder: its files ending in `.sqlite`, those that come later too. What is no space is passed over;
 * of two files with the same space, such as a copy that was kept, the first by name is served.
 */
export class SpaceFolder implements Spaces {
  readonly #options: FolderOptions
  /** The file of each key, as it was at the last look. */
  #files = new Map<string, string>()
  /** What was known of each file that did not change since. */
  #known = new Map<string, Known>()
  readonly #holdings = new Map<string, Holding>()
  readonly #closing = new Set<Promise<void>>()
  /** Those of a key that are being closed because their files were replaced. */
  readonly #givenUp = new Map<string, Promise<void>>()
  readonly #told = new Set<string>()
  #looked = Number.NEGATIVE_INFINITY
  readonly #sweep: NodeJS.Timeout

  constructor(options: FolderOptions) {
    this.#options = options
    const { idle = IDLE } = options
    this.#sweep = setInterval(() => this.#closeIdle(idle), Math.max(idle / 5, 10)).unref()
  }

  get open(): number {
    return this.#holdings.size
  }

  /** @throws Error, with what is wrong for the log alone, when the file of the key cannot be opened */
  async hold(key: string): Promise<Held | undefined> {
    const found = this.#holdings.get(key)
    if (found?.isPresent() === true) return found.hold()
    if (found !== undefined) this.#giveUp(key, found)
    await this.#givenUp.get(key)
    // Whoever waited as well may have opened it.
    const held = this.#holdings.get(key)?.hold()
    if (held !== undefined) return held
    const file = this.#fileOf(key)
    if (file === undefined) return undefined
    const { openFile, announcements } = this.#options
    const opening = openFile(file).catch((error: unknown) => {
      this.#holdings.delete(key)
      // Its message names a file of this machine, which is nothing to the caller.
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`Expected to open ${file}, found this: ${reason}`, { cause: error })
    })
    const holding = new Holding(opening, announcements)
    this.#holdings.set(key, holding)
    return holding.hold()
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const holdings = [...this.#holdings.values()]
    this.#holdings.clear()
    await Promise.all([...holdings.map((holding) => holding.close()), ...this.#closing])
  }

  /**
   * Closes a space whose file was moved, deleted or replaced, under whoever has it. Nothing is opened before that is
   * done: where the log alone was removed, closing writes what was in it into the file.
   */
  #giveUp(key: string, holding: Holding): void {
    const file = this.#files.get(key)
    this.#holdings.delete(key)
    this.#files.delete(key)
    if (file !== undefined) this.#known.delete(file)
    this.#looked = Number.NEGATIVE_INFINITY
    this.#options.report?.(
      `Expected ${file} to stay the same file while it is open, found it replaced; it is opened anew.`,
    )
    const closing: Promise<void> = holding
      .close()
      .catch((error: unknown) => this.#options.report?.(`Expected to close ${file}, found this: ${error}`))
      .finally(() => {
        this.#givenUp.delete(key)
        this.#closing.delete(closing)
      })
    this.#givenUp.set(key, closing)
    this.#closing.add(closing)
  }

  /** Looked at again before it is opened: opening a file that was moved away would make a new space in its place. */
  #fileOf(key: string): string | undefined {
    const file = this.#files.get(key)
    if (file !== undefined && existsSync(file)) return file
    this.#look()
    return this.#files.get(key)
  }

  /** Not at every wrong address, since it takes time. */
  #look(): void {
    const { folder, lookAgain = LOOK_AGAIN } = this.#options
    if (performance.now() - this.#looked < lookAgain) return
    this.#looked = performance.now()
    this.#files = new Map()
    const known: Map<string, Known> = new Map()
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith('.sqlite')) continue
      const file = join(folder, name)
      const found = this.#examine(file)
      known.set(file, found)
      if (found.id === undefined)
        this.#tell(`Expected a space in ${file}, found none that can be read; it is not served.`)
      else if (this.#files.has(spaceKey(found.id))) {
        this.#tell(
          `Expected each space once, found that of ${this.#files.get(spaceKey(found.id))} in ${file} too; the first is served.`,
        )
      } else this.#files.set(spaceKey(found.id), file)
    }
    this.#known = known
  }

  /** The ID of a space never changes, but a file that is none may become one. */
  #examine(file: string): Known {
    const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {}
    const before = this.#known.get(file)
    const stamp = before?.id === undefined ? `${ino} ${mtimeMs} ${size}` : `${ino}`
    if (before?.stamp === stamp) return before
    const id = this.#options.idOf(file)
    return { stamp: id === undefined ? stamp : `${ino}`, id }
  }

  #tell(sentence: string): void {
    if (!this.#told.has(sentence)) this.#options.report?.(sentence)
    this.#told.add(sentence)
  }

  #closeIdle(idle: number): void {
    for (const [key, holding] of this.#holdings) {
      if (!holding.isIdle(idle)) continue
      this.#holdings.delete(key)
      const closing: Promise<void> = holding.close().finally(() => this.#closing.delete(closing))
      this.#closing.add(closing)
    }
  }
}
