/**
 * Files that people sent for an import, and that wait for them to read what would come in. They are in memory of this
 * process, and on its disk: after a restart, or on another server of the space, the file has to be chosen again.
 */
import { inBackground } from '../base/background.ts'
import { HELD_UPLOAD_SECONDS, HELD_UPLOADS } from '../base/limits.ts'
import type { ImportChoice } from '../page/transfers/page-transfers.ts'
import type { Upload } from './archives/import-runs.ts'

export interface HeldUpload {
  /** Who sent it: no one else can import or forget it. */
  owner: string
  choice: ImportChoice
  upload: Upload
}

export class HeldUploads {
  /** By the ID of their dry run, the oldest first. */
  readonly #held = new Map<string, HeldUpload & { timer: NodeJS.Timeout }>()

  /** Holds a file. The one before of the same person is forgotten, and the oldest if there are too many. */
  async add(id: string, held: HeldUpload): Promise<void> {
    const before = [...this.#held].filter(([, { owner }]) => owner === held.owner).map(([earlier]) => earlier)
    const [oldest] = this.#held.keys()
    if (before.length === 0 && this.#held.size >= HELD_UPLOADS && oldest !== undefined) before.push(oldest)
    for (const earlier of before) await this.#forget(earlier)
    const forget = () => inBackground('forget a file that was not imported', () => this.#forget(id))
    this.#held.set(id, { ...held, timer: setTimeout(forget, HELD_UPLOAD_SECONDS * 1_000).unref() })
  }

  /** What was chosen for a file, if it is held for this person. */
  choiceOf(id: string, owner: string): ImportChoice | undefined {
    const held = this.#held.get(id)
    return held?.owner === owner ? held.choice : undefined
  }

  /** Hands a file over. The caller releases it. */
  remove(id: string, owner: string): HeldUpload | undefined {
    const held = this.#held.get(id)
    if (held?.owner !== owner) return undefined
    clearTimeout(held.timer)
    this.#held.delete(id)
    return held
  }

  async #forget(id: string): Promise<void> {
    const held = this.#held.get(id)
    if (held !== undefined) await this.remove(id, held.owner)?.upload.release()
  }

  async close(): Promise<void> {
    for (const id of [...this.#held.keys()]) await this.#forget(id)
  }
}
