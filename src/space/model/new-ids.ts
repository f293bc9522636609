/** IDs and numbers for what a call makes. */
import { issuedIdsBetween, nextBlockNumber, nextBlockNumberAndIssuedIds } from '../../../storage/ids.ts'
import type { Transaction } from '../../../storage/transaction.ts'

/** What comes from outside, so that tests can choose it. */
export interface Chance {
  /** UUIDs. */
  newUuid: () => string
  /** IDs in ascending order, whether they are free or not. */
  drawIds: (count: number) => number[]
  /** The ID of a call, whether it is free or not. */
  drawCallId: () => number
}

export interface NewBlocks {
  /** The first of the numbers that they have one after another. */
  firstNumber: number
  ids: readonly number[]
}

/** Gives out the new IDs of one call, each once. */
export class IdSource {
  readonly #tx: Transaction
  readonly #chance: Chance
  /** IDs that this call drew. */
  readonly #drawnIds = new Set<number>()

  constructor(tx: Transaction, chance: Chance) {
    this.#tx = tx
    this.#chance = chance
  }

  /** New IDs, ascending: none was ever given to anything in the space. */
  newIds(count: number): Promise<number[]> {
    return this.#draw(count, (first, last) => issuedIdsBetween(this.#tx, first, last))
  }

  /**
   * @param count  of the blocks; without any, nothing is looked up
   * @param ids  their IDs, where these were drawn beforehand
   */
  async newBlocks(count: number, ids?: readonly number[]): Promise<NewBlocks> {
    if (ids !== undefined) return { firstNumber: await nextBlockNumber(this.#tx), ids }
    let firstNumber = 0
    const drawn = await this.#draw(count, async (first, last) => {
      const { n, issued } = await nextBlockNumberAndIssuedIds(this.#tx, first, last)
      firstNumber = n
      return issued
    })
    return { firstNumber, ids: drawn }
  }

  /** @param issuedBetween  the IDs between two, both included, that something has or had */
  async #draw(
    count: number,
    issuedBetween: (first: number, last: number) => Promise<ReadonlySet<number>>,
  ): Promise<number[]> {
    const ids: number[] = []
    while (ids.length < count) {
      const drawn = this.#chance.drawIds(count - ids.length)
      const issued = await issuedBetween(drawn[0] ?? 0, drawn.at(-1) ?? 0)
      for (const id of drawn) {
        if (issued.has(id) || this.#drawnIds.has(id)) continue
        this.#drawnIds.add(id)
        ids.push(id)
      }
    }
    return ids
  }
}
