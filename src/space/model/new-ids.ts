/** IDs and numbers for what a call creates. */
import { issuedIdsBetween, nextBlockNumber, nextBlockNumberAndIssuedIds } from '../../../storage/ids.ts'
import type { Transaction } from '../../../storage/transaction.ts'

/** Sources of randomness, which tests can replace. */
export interface Chance {
  /** UUIDs. */
  newUuid: () => string
  /** IDs in ascending order, whether they are free or not. */
  generateIds: (count: number) => number[]
  /** The same for documents that a call makes to put something there, such as the inbox. If absent, as all others. */
  generatePlaceIds?: (count: number) => number[]
  /** Draws the ID of a call, whether it is free or not. */
  generateCallId: () => number
}

export interface NewBlocks {
  /** The first of their consecutive numbers. */
  firstNumber: number
  ids: readonly number[]
}

/** Assigns the new IDs of one call, each only once. */
export class IdSource {
  readonly #tx: Transaction
  readonly #chance: Chance
  /** IDs that this call has drawn. */
  readonly #drawnIds = new Set<number>()

  constructor(tx: Transaction, chance: Chance) {
    this.#tx = tx
    this.#chance = chance
  }

  /** Returns new IDs in ascending order. None of them was ever used in the space. */
  newIds(count: number): Promise<number[]> {
    return this.#draw(count, (first, last) => issuedIdsBetween(this.#tx, first, last))
  }

  /**
   * @param count  of the blocks; 0 needs no lookup
   * @param ids  their IDs, if they were drawn beforehand
   * @param arePlaces  see {@link Chance.generatePlaceIds}
   */
  async newBlocks(count: number, ids?: readonly number[], arePlaces = false): Promise<NewBlocks> {
    if (ids !== undefined) return { firstNumber: await nextBlockNumber(this.#tx), ids }
    let firstNumber = 0
    const drawn = await this.#draw(
      count,
      async (first, last) => {
        const { n, issued } = await nextBlockNumberAndIssuedIds(this.#tx, first, last)
        firstNumber = n
        return issued
      },
      arePlaces,
    )
    return { firstNumber, ids: drawn }
  }

  /** @param issuedBetween  returns the IDs between two, both included, that are or were in use */
  async #draw(
    count: number,
    issuedBetween: (first: number, last: number) => Promise<ReadonlySet<number>>,
    arePlaces = false,
  ): Promise<number[]> {
    const ids: number[] = []
    while (ids.length < count) {
      const left = count - ids.length
      const drawn = (arePlaces && this.#chance.generatePlaceIds?.(left)) || this.#chance.generateIds(left)
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
