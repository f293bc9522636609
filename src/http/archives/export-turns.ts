/**
 * Exports of a space are written one at a time, over REST and on the pages; the others wait. Each is a file on the disk of
 * the server until it was sent, however slowly its client reads it, so one link has few of them.
 */

import { ScriptoriumError } from '../../base/errors.ts'
import { FairQueue } from '../../base/fair-queue.ts'
import { EXPORTS_PER_LINK, EXPORTS_WAITING } from '../../base/limits.ts'
import { workOwner } from '../../call/caller.ts'
import type { ExportContext } from './export-files.ts'

export class ExportTurns {
  /** By the ID of the space: its queue, and how many exports run or wait in it. */
  readonly #queues = new Map<string, { queue: FairQueue; count: number }>()
  /** How many exports of each link wait, run, or are being sent. */
  readonly #ofLinks = new Map<string, number>()

  /**
   * Runs an export once those that came before it have ended.
   *
   * @throws CONFLICT while too many exports of the space wait, or the link has too many
   */
  async run({ caller, onFinish }: ExportContext, work: () => Promise<Response>): Promise<Response> {
    const { id: space } = caller.space.info
    const owner = workOwner(caller)
    const { queue, count } = this.#queues.get(space) ?? { queue: new FairQueue(), count: 0 }
    // One of them runs.
    if (count > EXPORTS_WAITING) throw tooManyWait()
    if ((this.#ofLinks.get(owner) ?? 0) >= EXPORTS_PER_LINK) throw tooManyOfLink()
    this.#queues.set(space, { queue, count: count + 1 })
    this.#count(owner, 1)
    let isGone = false
    const leave = () => {
      if (!isGone) this.#count(owner, -1)
      isGone = true
    }
    onFinish(leave)
    try {
      return await queue.run(async () => {
        // Its client did not wait so long.
        if (isGone) throw new ScriptoriumError('CONFLICT', GONE)
        return work()
      })
    } catch (error) {
      leave()
      throw error
    } finally {
      const left = (this.#queues.get(space)?.count ?? 1) - 1
      if (left > 0) this.#queues.set(space, { queue, count: left })
      else this.#queues.delete(space)
    }
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#ofLinks.get(owner) ?? 0) + change
    if (count > 0) this.#ofLinks.set(owner, count)
    else this.#ofLinks.delete(owner)
  }
}

const GONE = 'Expected a client that waits for its export, found that it has left; send it again.'

const tooManyWait = () =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected at most ${EXPORTS_WAITING} exports of this space to wait for the one that runs, found that many; send it again in a minute.`,
  )

const tooManyOfLink = () =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected at most ${EXPORTS_PER_LINK} exports of one link at the same time, found that many; send it again once one of them is saved.`,
  )
