/** Reads the places of stored blocks in chunks, so that other calls get their turn even in very large documents. */
import {
  type BlockPlace,
  childPlaces,
  documentBlocks,
  documentPlaces,
  parentNumbers,
  subtreePlaces,
} from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { ROWS_PER_BATCH } from './block-rows.ts'

/** How many places are read before yielding to other calls: a few milliseconds of work. */
const PLACES_PER_BATCH = 5_000

/** Reads the places of all blocks of a document except its root, which is given. */
export const readDocumentPlaces = ({ tx }: Space, { document }: BlockRow): Promise<BlockPlace[]> =>
  readAll(PLACES_PER_BATCH, (after, limit) => documentPlaces(tx, document, after, limit))

/** Reads all blocks of a document except its root, with their places. */
export const readDocumentBlocks = ({ tx }: Space, { document }: BlockRow): Promise<(BlockRow & BlockPlace)[]> =>
  readAll(ROWS_PER_BATCH, (after, limit) => documentBlocks(tx, document, after, limit))

/** How many levels one query reads. In a chain, every level has just one block. */
const LEVELS_PER_BATCH = 1_000

/**
 * Reads the places below a block. If one query cannot return them all, the children are read first, then the levels
 * below.
 */
export async function readSubtreePlaces(
  { tx }: Space,
  { n, document }: BlockRow,
  maxDepth: number,
): Promise<BlockPlace[]> {
  const places: BlockPlace[] = []
  const tops = [{ n, depth: 0 }]
  for (let top = tops.pop(); top !== undefined; top = tops.pop()) {
    const levels = maxDepth < 0 ? LEVELS_PER_BATCH : Math.min(LEVELS_PER_BATCH, maxDepth - top.depth)
    const below = levels > 0 ? await subtreePlaces(tx, document, top.n, levels, PLACES_PER_BATCH) : []
    if (below.length < PLACES_PER_BATCH) {
      for (const place of below) {
        places.push(place)
        if (place.depth === LEVELS_PER_BATCH) tops.push({ n: place.n, depth: top.depth + place.depth })
      }
    } else {
      const { n: parent, depth } = top
      for await (const children of readBatches(PLACES_PER_BATCH, (after, limit) =>
        childPlaces(tx, document, parent, after, limit),
      )) {
        for (const child of children) places.push(child)
        const numbers = children.map((child) => child.n)
        for (const container of await parentNumbers(tx, numbers)) tops.push({ n: container, depth: depth + 1 })
      }
    }
    await yieldToEventLoop()
  }
  return places
}

/** Collects all places in batches of at most `batchSize`, each starting after the last place of the batch before. */
async function readAll<P extends BlockPlace>(batchSize: number, readBatch: ReadBatch<P>): Promise<P[]> {
  const all: P[] = []
  for await (const part of readBatches(batchSize, readBatch)) {
    if (all.length === 0 && part.length < batchSize) return part
    for (const one of part) all.push(one)
  }
  return all
}

type ReadBatch<P extends BlockPlace> = (after: P | undefined, most: number) => Promise<P[]>

async function* readBatches<P extends BlockPlace>(
  batchSize: number,
  readBatch: ReadBatch<P>,
): AsyncGenerator<P[], void> {
  for (
    let part = await readBatch(undefined, batchSize);
    part.length > 0;
    part = await readBatch(part.at(-1), batchSize)
  ) {
    yield part
    if (part.length < batchSize) return
    await yieldToEventLoop()
  }
}
