/** Observes a process that writes while its disk fails, and checks whether its responses are true. */
import { HTTP_STATUS } from '../../../src/base/errors.ts'
import { type Expected, examine, type StoredResponses } from './examine.ts'
import { ask } from './fleet.ts'
import type { Acknowledged } from './keyed-call.ts'
import type { Lane } from './lane.ts'
import type { Writing } from './writing.ts'

export interface Counts {
  acknowledged: number
  refused: number
  read: number
  recovered: number
  lost: number
  unsound: number
}

export class ObservedWriting {
  readonly counts: Counts = { acknowledged: 0, refused: 0, read: 0, recovered: 0, lost: 0, unsound: 0 }
  readonly faults: string[] = []
  /** Keys of refused calls, none of which may be in the space. */
  readonly #refused = new Set<string>()
  readonly #space: string
  readonly #lanes: readonly Lane[]
  writing: Writing

  constructor(writing: Writing, space: string, lanes: readonly Lane[]) {
    this.writing = writing
    this.#space = space
    this.#lanes = lanes
  }

  /** Makes one call for each caller concurrently. @returns true if all were acknowledged */
  async write(where: string): Promise<boolean> {
    const responses = await Promise.all(
      this.#lanes.map(async (lane) => {
        const call = lane.next()
        const response = await ask(this.writing, call)
        if (response?.answer !== undefined) {
          lane.acknowledge(response.answer)
          this.counts.acknowledged++
          return true
        }
        lane.drop()
        this.#refused.add(call.key)
        this.counts.refused++
        this.#checkRefusal(call.tool, response, where)
        return false
      }),
    )
    return responses.every(Boolean)
  }

  /** Reads, which must work even if the disk accepts no writes. */
  async read(where: string): Promise<void> {
    for (const { model, name } of this.#lanes) {
      const [id] = model.blocks.keys()
      if (id === undefined) continue
      const response = await this.writing.call({
        key: `${name}-read`,
        tool: 'blocks_get',
        args: { id, format: 'markdown' },
      })
      if (response?.answer !== undefined) this.counts.read++
      else this.faults.push(`Expected reading to go on, found ${response?.refused?.error ?? 'no answer'} (${where}).`)
    }
  }

  /** Uploads a file for a missing page: its bytes are written and removed again. */
  async refuse(where: string): Promise<void> {
    const args = { text: 'in vain', position: { position: 'end', pageId: 'nowhere' } }
    const response = await this.writing.call({ key: 'in-vain', tool: 'files_add', args })
    if (response?.refused?.code !== 'NOT_FOUND_ERROR') this.#checkRefusal('files_add', response, where)
  }

  /** Checks that the same process can write again once the disk works. */
  async recover(where: string): Promise<void> {
    if (await this.write(where)) this.counts.recovered++
    else this.faults.push(`Expected writing to go on when the fault was over (${where}).`)
  }

  /** Examines the file. */
  check(where: string): void {
    const { lost, broken } = examine(this.#space, (kept) => this.#lanes.map((lane) => this.#expected(kept, lane)))
    this.counts.lost += lost.length
    this.counts.unsound += broken.length
    this.faults.push(...[...lost, ...broken].map((one) => `${one} (${where})`))
  }

  #expected(kept: StoredResponses, lane: Lane): Expected {
    for (const key of this.#refused) {
      if (kept.has(key)) this.faults.push(`Expected that ${key}, which was refused, wrote nothing.`)
    }
    this.#refused.clear()
    return lane
  }

  /** A failure of the disk must be reported as a server error, without details of the machine. */
  #checkRefusal(tool: string, response: Acknowledged | undefined, where: string): void {
    const { code, error } = response?.refused ?? {}
    if (code === undefined || error === undefined) {
      this.faults.push(`Expected ${tool} to be answered, found that the process ended (${where}).`)
    } else if (HTTP_STATUS[code] < 500 || /\n\s+at |\/\w+\/|SQLITE|E[A-Z]{3,}/.test(error)) {
      this.faults.push(`Expected a fault of the server, found ${code} "${error}" (${tool}, ${where}).`)
    }
  }
}
