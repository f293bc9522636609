/** Exports of a space run one at a time, over REST and on the pages. */
import { ScriptoriumError } from '../../base/errors.ts'

export class ExportTurns {
  /** IDs of spaces that are being exported. */
  readonly #exporting = new Set<string>()

  /** @param space  its ID @throws CONFLICT while another export of the space runs */
  async run<T>(space: string, work: () => Promise<T>): Promise<T> {
    if (this.#exporting.has(space)) {
      throw new ScriptoriumError('CONFLICT', 'Expected no other export of this space to run, found one; send it again.')
    }
    this.#exporting.add(space)
    try {
      return await work()
    } finally {
      this.#exporting.delete(space)
    }
  }
}
