/**
 * The blocks that a pattern has to be tried on: those that may have the letters that every match has. SQLite finds
 * these many times faster than Markdown is written and searched.
 */
import { documentBlockNumbers, lastBlockNumber } from '../../../storage/blocks.ts'
import { chunks, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Pattern } from '../../regex/pattern.ts'
import type { Space } from '../model/space.ts'

/** Numbers of blocks that one statement goes through: some milliseconds. */
const NUMBERS_PER_BATCH = 5_000

/** Numbers of blocks for each document from which on its blocks are read sooner than all are gone through. */
const NUMBERS_PER_DOCUMENT = 100

/** The numbers of the blocks of some documents that any of the patterns has to be tried on. */
export type CandidateBlocks = (documents: readonly number[]) => Promise<number[]>

/** All blocks of the documents. */
export const allBlocks =
  ({ tx }: Space): CandidateBlocks =>
  async (documents) => {
    const numbers: number[] = []
    for (const document of documents) {
      for (const n of await documentBlockNumbers(tx, document)) numbers.push(n)
      await yieldToEventLoop()
    }
    return numbers
  }

/** Those that may have the letters, looked up in the documents themselves. All, where some pattern needs no letters. */
export function blocksInDocuments(space: Space, patterns: readonly Pattern[]): CandidateBlocks {
  const letters = lettersOf(patterns)
  if (letters === undefined) return allBlocks(space)
  return async (documents) => {
    const numbers: number[] = []
    // By number, since nothing bounds how many blocks some documents have together.
    for await (const blocks of chunks(await allBlocks(space)(documents), NUMBERS_PER_BATCH)) {
      for (const [, n] of await space.tx.words.blocksThatMayContain(letters, { blocks })) numbers.push(n)
    }
    return numbers
  }
}

/**
 * The same for many documents: goes through all blocks of the space once, in their order.
 *
 * @param documents  how many are to be searched
 * @returns undefined where some pattern needs no letters, and where the documents are few in their space
 */
export async function blocksOfSpace(
  space: Space,
  patterns: readonly Pattern[],
  documents: number,
): Promise<CandidateBlocks | undefined> {
  const letters = lettersOf(patterns)
  if (letters === undefined) return undefined
  const last = await lastBlockNumber(space.tx)
  if (documents * NUMBERS_PER_DOCUMENT < last) return undefined
  const found = new Map<number, number[]>()
  for (let from = 0; from <= last; from += NUMBERS_PER_BATCH) {
    for (const [document, n] of await space.tx.words.blocksThatMayContain(letters, {
      from,
      to: from + NUMBERS_PER_BATCH,
    })) {
      const before = found.get(document)
      if (before === undefined) found.set(document, [n])
      else before.push(n)
    }
    await yieldToEventLoop()
  }
  return async (documents) => documents.flatMap((document) => found.get(document) ?? [])
}

/** The letters that each pattern needs; undefined where one needs none. */
function lettersOf(patterns: readonly Pattern[]): string[] | undefined {
  const letters = patterns.flatMap(({ requiredLetters: needed }) => needed ?? [])
  return letters.length === patterns.length ? letters : undefined
}
