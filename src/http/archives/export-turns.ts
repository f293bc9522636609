/**
 * Exports of a space are written one at a time, over REST and on the pages. Each is a file on the disk of the server until
 * it was sent, however slowly its client reads it, so one link has few of them.
 */

import { ScriptoriumError } from '../../base/errors.ts'
import { EXPORTS_PER_LINK } from '../../base/limits.ts'
import { workOwner } from '../../call/caller.ts'
import type { ExportContext } from './export-files.ts'

export class ExportTurns {
  /** IDs of spaces that are being exported. */
  readonly #exporting = new Set<string>()
  /** How many files of each link are being sent. */
  readonly #sending = new Map<string, number>()

  /** @throws CONFLICT while another export of the space runs, and while the link has too many that are being sent */
  async run({ caller, onFinish }: ExportContext, work: () => Promise<Response>): Promise<Response> {
    const { id: space } = caller.space.info
    const owner = workOwner(caller)
    if (this.#exporting.has(space)) {
      throw new ScriptoriumError('CONFLICT', 'Expected no other export of this space to run, found one; send it again.')
    }
    if ((this.#sending.get(owner) ?? 0) >= EXPORTS_PER_LINK) {
      throw new ScriptoriumError(
        'CONFLICT',
        `Expected at most ${EXPORTS_PER_LINK} exports of one link that are being saved, found that many; send it again once one is saved.`,
      )
    }
    this.#exporting.add(space)
    try {
      const response = await work()
      this.#count(owner, 1)
      onFinish(() => this.#count(owner, -1))
      return response
    } finally {
      this.#exporting.delete(space)
    }
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#sending.get(owner) ?? 0) + change
    if (count > 0) this.#sending.set(owner, count)
    else this.#sending.delete(owner)
  }
}
