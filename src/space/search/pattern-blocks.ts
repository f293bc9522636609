/**
 * The blocks that a pattern has to be tried on: those that may have the letters that every match has. SQLite finds
 * these many times faster than Markdown is written and searched.
 */
import { blocksThatMayHave, documentBlockNumbers, lastBlockNumber } from '../../../storage/blocks.ts'
import { breathe } from '../../breathe.ts'
import type { Pattern } from '../../pattern/pattern.ts'
import type { Space } from '../space.ts'

/** Numbers of blocks that one statement goes through: some milliseconds. */
const NUMBERS_AT_ONCE = 5_000

/** Numbers of blocks for each document from which on its blocks are read sooner than all are gone through. */
const NUMBERS_PER_DOCUMENT = 100

/** The numbers of the blocks of a document that any of the patterns has to be tried on. */
export type BlocksToTry = (document: number) => Promise<readonly number[]>

/** All blocks of a document. */
export const allBlocks =
  ({ tx }: Space): BlocksToTry =>
  (document) =>
    documentBlockNumbers(tx, document)

/**
 * Goes through all blocks of the space once.
 *
 * @param documents  how many are to be searched
 * @returns undefined where nothing is known of all matches of some pattern, so that every block has to be tried; and
 *   where the documents are few in their space, or the connection is not a full one
 */
export async function blocksToTry(
  space: Space,
  patterns: readonly Pattern[],
  documents: number,
): Promise<BlocksToTry | undefined> {
  // Other connections see other words in the place of what is out of their reach.
  if (space.kind !== 'full') return undefined
  const letters: string[] = []
  for (const { needed } of patterns) {
    if (needed === undefined) return undefined
    letters.push(needed)
  }
  const last = await lastBlockNumber(space.tx)
  if (documents * NUMBERS_PER_DOCUMENT < last) return undefined
  const found = new Map<number, number[]>()
  for (let from = 0; from <= last; from += NUMBERS_AT_ONCE) {
    for (const [document, n] of await blocksThatMayHave(space.tx, letters, from, from + NUMBERS_AT_ONCE)) {
      const before = found.get(document)
      if (before === undefined) found.set(document, [n])
      else before.push(n)
    }
    await breathe()
  }
  return async (document) => found.get(document) ?? []
}
