/** What saves refused changes, and shows two versions of a block. Most pages never need either: they are loaded with the first. */
import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import type { RefusedChanges } from '../sync/refused-changes.ts'
import type { Versions, VersionsOptions } from './versions.ts'

export class Conflicts {
  readonly #options: VersionsOptions
  #versions: Versions | undefined
  #refused: RefusedChanges | undefined
  /** Blocks whose versions are shown once that is loaded. */
  readonly #waiting = new Set<string>()
  #isLoading = false

  constructor(options: VersionsOptions) {
    this.#options = options
    calls.addEventListener('state', () => this.#showWaiting())
  }

  /** Shows the versions of a block, or removes them once it has only one. */
  show(id: string): void {
    if (this.#versions !== undefined) this.#versions.show(id)
    else if (this.#options.queue.store.conflict(id) !== undefined) {
      this.#waiting.add(id)
      this.#showWaiting()
    }
  }

  /** Called after each change. @param isRemote  true for what others changed */
  follow(isRemote: boolean): void {
    this.#versions?.follow(isRemote)
  }

  /** Splits each refused call, so that all of its text is either saved or shown as a second version. */
  async saveRefused(): Promise<void> {
    this.#showWaiting()
    const { page, queue, editor, refresh } = this.#options
    if ((await calls.refused(page.documentId)).length === 0) return
    const loaded = this.#refused === undefined ? await loadOnline(() => import('./save-refused.ts')) : undefined
    this.#refused ??= loaded?.refusedChangesOf(page, queue, editor, (id) => {
      this.show(id)
      refresh(id)
    })
    await this.#refused?.saveAll()
  }

  #showWaiting(): void {
    if (this.#waiting.size === 0 || this.#isLoading) return
    this.#isLoading = true
    inBackground(async () => {
      const loaded = await loadOnline(() => import('./versions.ts'))
      this.#isLoading = false
      if (loaded === undefined) return
      this.#versions = new loaded.Versions(this.#options)
      for (const id of this.#waiting) this.#versions.show(id)
      this.#waiting.clear()
    })
  }
}

/**
 * Loads a script of the page.
 *
 * @returns undefined without a connection. What it is for waits until something arrives again.
 */
async function loadOnline<Script>(load: () => Promise<Script>): Promise<Script | undefined> {
  try {
    return await load()
  } catch (error) {
    console.error(error)
    return undefined
  }
}
