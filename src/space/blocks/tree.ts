/** Trees of stored blocks, built and walked without recursion: no depth of nesting can overflow the stack. */
import { isLonger, type Place } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { inTurns, type Parts } from '../../breathe.ts'
import type { Space } from '../space.ts'
import { blocksOf, placesBelow, placesOf } from './places.ts'
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

/** A tree, with the row of each of its blocks by number. */
export interface Tree {
  order: Node[]
  rows: Map<number, BlockRow>
}

/** A block and all below it, in reading order, with their rows. */
export async function wholeTree(space: Space, root: BlockRow): Promise<Tree> {
  if (root.parent === null) return wholeDocument(space, root)
  const order = await readingOrder(space, root, -1)
  return { order, rows: await rowsOf(space, order, root) }
}

/**
 * As {@link readingOrder}, with the rows where all of them are wanted: of a whole document of `most` blocks at most,
 * which is then read once and not twice.
 */
export async function readingTree(
  space: Space,
  root: BlockRow,
  maxDepth: number,
  most: number,
): Promise<{ order: Node[]; rows?: Map<number, BlockRow> }> {
  const isWhole = root.parent === null && maxDepth < 0
  if (isWhole && !(await isLonger(space.tx, root.document, most))) return wholeDocument(space, root)
  return { order: await readingOrder(space, root, maxDepth) }
}

async function wholeDocument(space: Space, root: BlockRow): Promise<Tree> {
  const below = await blocksOf(space, root)
  return { order: await inTurns(depthFirst(root.n, below)), rows: await inTurns(byNumber([root, ...below])) }
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

/** The rows of these nodes, by number. @param known  a row among them that is not read again */
export async function rowsOf(space: Space, nodes: readonly Node[], known?: BlockRow): Promise<Map<number, BlockRow>> {
  const unread = nodes.map(({ n }) => n).filter((n) => n !== known?.n)
  const rows = unread.length > 0 ? await readRows(space, unread) : []
  if (known !== undefined && unread.length < nodes.length) rows.push(known)
  return inTurns(byNumber(rows))
}

function* byNumber(rows: readonly BlockRow[]): Parts<Map<number, BlockRow>> {
  const found = new Map<number, BlockRow>()
  for (const row of rows) {
    found.set(row.n, row)
    if (found.size % NODES === 0) yield
  }
  return found
}

export function rowAt(rows: ReadonlyMap<number, BlockRow>, node: Node): BlockRow {
  const row = rows.get(node.n)
  if (row === undefined) throw new Error(`Expected the row of block ${node.n}.`)
  return row
}
