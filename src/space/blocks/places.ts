/** Places of stored blocks, however many: read in parts, so that other calls get their turn. */
import {
  childPlaces,
  documentBlocks,
  documentPlaces,
  type Place,
  parentsAmong,
  subtreePlaces,
} from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe } from '../../breathe.ts'
import type { Space } from '../space.ts'
import { ROWS_AT_ONCE } from './rows.ts'

/** Places that are read before other calls get their turn: some milliseconds. */
const PLACES_AT_ONCE = 5_000

/** All places of a document but its root's, which is given. */
export const placesOf = ({ tx }: Space, { document }: BlockRow): Promise<Place[]> =>
  allOf(PLACES_AT_ONCE, (after, most) => documentPlaces(tx, document, after, most))

/** All blocks of a document but its root, with their places. */
export const blocksOf = ({ tx }: Space, { document }: BlockRow): Promise<(BlockRow & Place)[]> =>
  allOf(ROWS_AT_ONCE, (after, most) => documentBlocks(tx, document, after, most))

/** Levels that are read at once: of a chain, a block each. */
const LEVELS_AT_ONCE = 1_000

/** The places below a block: where there are more than can be read at once, its children first and then those below. */
export async function placesBelow({ tx }: Space, { n, document }: BlockRow, maxDepth: number): Promise<Place[]> {
  const places: Place[] = []
  const tops = [{ n, depth: 0 }]
  for (let top = tops.pop(); top !== undefined; top = tops.pop()) {
    const levels = maxDepth < 0 ? LEVELS_AT_ONCE : Math.min(LEVELS_AT_ONCE, maxDepth - top.depth)
    const below = levels > 0 ? await subtreePlaces(tx, document, top.n, levels, PLACES_AT_ONCE) : []
    if (below.length < PLACES_AT_ONCE) {
      for (const place of below) {
        places.push(place)
        if (place.depth === LEVELS_AT_ONCE) tops.push({ n: place.n, depth: top.depth + place.depth })
      }
    } else {
      const { n: parent, depth } = top
      for await (const children of partsOf(PLACES_AT_ONCE, (after, most) =>
        childPlaces(tx, document, parent, after, most),
      )) {
        for (const child of children) places.push(child)
        const numbers = children.map((child) => child.n)
        for (const holder of await parentsAmong(tx, numbers)) tops.push({ n: holder, depth: depth + 1 })
      }
    }
    await breathe()
  }
  return places
}

/** All that there is, read in parts of at most so many, each after the last of the one before. */
async function allOf<P extends Place>(atOnce: number, next: NextPart<P>): Promise<P[]> {
  const all: P[] = []
  for await (const part of partsOf(atOnce, next)) {
    if (all.length === 0 && part.length < atOnce) return part
    for (const one of part) all.push(one)
  }
  return all
}

type NextPart<P extends Place> = (after: P | undefined, most: number) => Promise<P[]>

async function* partsOf<P extends Place>(atOnce: number, next: NextPart<P>): AsyncGenerator<P[], void> {
  for (let part = await next(undefined, atOnce); part.length > 0; part = await next(part.at(-1), atOnce)) {
    yield part
    if (part.length < atOnce) return
    await breathe()
  }
}
