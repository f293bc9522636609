/** The position of a webhook since it was last saved. */
import type { WebhookProgress } from '../../storage/webhooks.ts'

type Progress = Omit<WebhookProgress, 'n'>

export class UnsavedProgress {
  readonly #save: (progress: Progress) => Promise<void>
  #progress: Progress | undefined
  #savedAt = performance.now()

  constructor(save: (progress: Progress) => Promise<void>) {
    this.#save = save
  }

  get isNoted(): boolean {
    return this.#progress !== undefined
  }

  /** Milliseconds since the last save. */
  get age(): number {
    return performance.now() - this.#savedAt
  }

  note(progress: Progress): void {
    this.#progress = { ...progress, deliveredAt: progress.deliveredAt ?? this.#progress?.deliveredAt ?? null }
  }

  async save(): Promise<void> {
    const progress = this.#progress
    this.#progress = undefined
    this.#savedAt = performance.now()
    if (progress !== undefined) await this.#save(progress)
  }
}
