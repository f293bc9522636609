/** Trees of stored blocks, built and walked without recursion: no depth of nesting can overflow the stack. */
import { childPlaces, documentPlaces, type Place, subtreePlaces } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe, inTurns, type Parts } from '../../breathe.ts'
import type { Space } from '../space.ts'
import { readRows } from './rows.ts'

/** One block's place in a tree, before or without its row. */
export interface Node {
  n: number
  depth: number
  parent: Node | undefined
  children: Node[]
}

/**
 * The places of a block and of what stands below it down to `maxDepth` levels (-1 for all), in reading order: each
 * block before its children, the children in their order.
 */
export async function readingOrder(space: Space, root: BlockRow, maxDepth: number): Promise<Node[]> {
  const isWhole = root.parent === null && maxDepth < 0
  const places = isWhole ? await placesOf(space, root) : await placesBelow(space, root, maxDepth)
  return inTurns(depthFirst(root.n, places))
}

/** Places that are read before other calls get their turn: some milliseconds. */
const PLACES_AT_ONCE = 5_000

/** All places of a document but its root's, which is given. */
const placesOf = ({ tx }: Space, { document }: BlockRow): Promise<Place[]> =>
  allOf((after) => documentPlaces(tx, document, after, PLACES_AT_ONCE))

/** The places below a block: where there are more than can be read at once, block by block. */
async function placesBelow({ tx }: Space, root: BlockRow, maxDepth: number): Promise<Place[]> {
  const few = await subtreePlaces(tx, root, maxDepth, PLACES_AT_ONCE)
  if (few.length < PLACES_AT_ONCE) return few
  const places: Place[] = []
  let level = [root.n]
  for (let depth = 0; level.length > 0 && depth !== maxDepth; depth++) {
    const below: number[] = []
    for (const parent of level) {
      const children = await allOf((after) => childPlaces(tx, root.document, parent, after, PLACES_AT_ONCE))
      for (const place of children) {
        places.push(place)
        below.push(place.n)
      }
      await breathe()
    }
    level = below
  }
  return places
}

async function allOf(next: (after: Place | undefined) => Promise<Place[]>): Promise<Place[]> {
  let part = await next(undefined)
  if (part.length < PLACES_AT_ONCE) return part
  const places: Place[] = []
  for (; part.length > 0; part = await next(part.at(-1))) {
    for (const place of part) places.push(place)
    await breathe()
  }
  return places
}

/** Nodes after which a look at the clock is due. */
const NODES = 500

function* depthFirst(root: number, places: readonly Place[]): Parts<Node[]> {
  const order: Node[] = []
  const waiting = [yield* connect(root, places)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node)
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child === undefined) continue
      child.depth = node.depth + 1
      waiting.push(child)
    }
    if (order.length % NODES === 0) yield
  }
  return order
}

// Places come with all children of one parent in order, but a parent may come after its children.
function* connect(root: number, places: readonly Place[]): Parts<Node> {
  const top: Node = { n: root, depth: 0, parent: undefined, children: [] }
  const nodes = new Map([[root, top]])
  for (const [index, { n }] of places.entries()) {
    nodes.set(n, { n, depth: 0, parent: undefined, children: [] })
    if (index % NODES === 0) yield
  }
  for (const [index, { n, parent }] of places.entries()) {
    const node = nodes.get(n)
    const above = nodes.get(parent)
    if (node === undefined || above === undefined) continue
    node.parent = above
    above.children.push(node)
    if (index % NODES === 0) yield
  }
  return top
}

/** The rows of these nodes, by number. */
export async function rowsOf(space: Space, nodes: readonly Node[]): Promise<Map<number, BlockRow>> {
  const rows = await readRows(
    space,
    nodes.map(({ n }) => n),
  )
  return new Map(rows.map((row) => [row.n, row]))
}

export function rowAt(rows: ReadonlyMap<number, BlockRow>, node: Node): BlockRow {
  const row = rows.get(node.n)
  if (row === undefined) throw new Error(`Expected the row of block ${node.n}.`)
  return row
}
