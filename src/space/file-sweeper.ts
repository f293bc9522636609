/** Deletes what nothing needs any more of the bytes of files: now and then, and when it is asked to. */
import type { FileBytes } from '../../storage/bytes/file-bytes.ts'
import type { Storage } from '../../storage/storage.ts'
import { inBackground } from '../base/background.ts'
import { deleteUnusedFiles } from './unused-files.ts'

/** Leftovers of failed uploads may be deleted from a bucket after one day; sweeping twice a day is enough for that. */
const INTERVAL_MS = 12 * 60 * 60_000

export class FileSweeper {
  readonly #storage: Storage
  readonly #files: FileBytes
  readonly #report: ((sentence: string) => void) | undefined
  readonly #timer: NodeJS.Timeout
  #isSweeping = false
  #isStopped = false

  /** @param interval  milliseconds between sweeps */
  constructor(
    storage: Storage,
    files: FileBytes,
    interval = INTERVAL_MS,
    report: ((sentence: string) => void) | undefined = undefined,
  ) {
    this.#storage = storage
    this.#files = files
    this.#report = report
    this.#timer = setInterval(() => this.sweepInBackground({ withUnused: true }), interval).unref()
  }

  /** Deletes files that no block references, and their bytes. */
  async deleteUnused(): Promise<void> {
    await deleteUnusedFiles(this.#storage, this.#files)
    while ((await this.#files.sweep()) > 0);
  }

  /**
   * Deletes leftovers from a bucket. Nothing waits for it: a space can be opened and closed while its bucket is
   * unavailable.
   *
   * @param options.withUnused  also deletes files that nothing has since their history ended
   */
  sweepInBackground({ withUnused = false } = {}): void {
    if (this.#isSweeping) return
    this.#isSweeping = true
    inBackground('delete leftovers of files', () => this.#sweep(withUnused), this.#report)
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  async #sweep(withUnused: boolean): Promise<void> {
    try {
      if (withUnused) await deleteUnusedFiles(this.#storage, this.#files)
      while (!this.#isStopped && (await this.#files.sweep()) > 0);
    } catch (error) {
      if (!this.#isStopped) throw error
    } finally {
      this.#isSweeping = false
    }
  }
}
