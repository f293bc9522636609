/** What saves refused changes, and shows two versions of a block. Most pages never need either: they are loaded with the first. */
import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import type { RefusedChanges } from '../sync/refused-changes.ts'
import type { Versions, VersionsOptions } from './versions.ts'

export class Conflicts {
  readonly #options: VersionsOptions
  #versions: Promise<Versions> | undefined
  #loadedVersions: Versions | undefined
  #refused: Promise<RefusedChanges> | undefined

  constructor(options: VersionsOptions) {
    this.#options = options
  }

  /** Shows the versions of a block, or removes them once it has only one. */
  show(id: string): void {
    if (this.#versions === undefined && this.#options.queue.store.conflict(id) === undefined) return
    inBackground(async () => (await this.#load()).show(id))
  }

  /** Places versions again whose block was deleted, joined to another one, or brought back. Called after each change. */
  follow(): void {
    this.#loadedVersions?.follow()
  }

  /** Splits each refused call, so that all of its text is either saved or shown as a second version. */
  async saveRefused(): Promise<void> {
    const { page, queue, editor, refresh } = this.#options
    if ((await calls.refused(page.documentId)).length === 0) return
    this.#refused ??= import('./save-refused.ts').then(({ refusedChangesOf }) =>
      refusedChangesOf(page, queue, editor, (id) => {
        this.show(id)
        refresh(id)
      }),
    )
    // Without a connection it cannot be loaded, and is tried again with the next outcome.
    this.#refused.catch(() => {
      this.#refused = undefined
    })
    await (await this.#refused).saveAll()
  }

  #load(): Promise<Versions> {
    this.#versions ??= import('./versions.ts').then((module) => {
      this.#loadedVersions = new module.Versions(this.#options)
      return this.#loadedVersions
    })
    this.#versions.catch(() => {
      this.#versions = undefined
    })
    return this.#versions
  }
}
