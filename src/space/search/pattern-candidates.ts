/**
 * Finds the blocks that may match a pattern: those that may contain the letters that every match contains. SQLite finds
 * them many times faster than the Markdown of all blocks could be written and searched.
 */
import { documentBlockNumbers, lastBlockNumber } from '../../../storage/blocks.ts'
import { chunks, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Pattern } from '../../regex/pattern.ts'
import type { Space } from '../model/space.ts'

/** Block numbers that one statement scans. Takes some milliseconds. */
const NUMBERS_PER_BATCH = 5_000

/**
 * If the space has at least this many block numbers per document to search, it is faster to read the blocks of these
 * documents than to scan all blocks.
 */
const NUMBERS_PER_DOCUMENT = 100

/** Returns the numbers of those blocks of the documents that may match any of the patterns. */
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

/**
 * Returns blocks that may contain the letters, looked up per document. Returns all blocks if a pattern requires no
 * letters.
 */
export function blocksInDocuments(space: Space, patterns: readonly Pattern[]): CandidateBlocks {
  const letters = lettersOf(patterns)
  if (letters === undefined) return allBlocks(space)
  return async (documents) => {
    const numbers: number[] = []
    // In chunks, because the number of blocks in several documents has no limit.
    for await (const blocks of chunks(await allBlocks(space)(documents), NUMBERS_PER_BATCH)) {
      for (const [, n] of await space.tx.words.blocksThatMayContain(letters, { blocks })) numbers.push(n)
    }
    return numbers
  }
}

/**
 * The same for many documents: scans all blocks of the space once, in order.
 *
 * @param documents  the number of documents to search
 * @returns undefined if a pattern requires no letters, or if the documents are few compared to the space
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

/** The letters that each pattern requires; undefined if one of them requires none. */
function lettersOf(patterns: readonly Pattern[]): string[] | undefined {
  const letters = patterns.flatMap(({ requiredLetters: needed }) => needed ?? [])
  return letters.length === patterns.length ? letters : undefined
}
