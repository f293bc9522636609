/** Trees of stored blocks, built and walked without recursion: no depth of nesting can overflow the stack. */
import { type BlockPlace, hasMoreBlocks, subtreesOf } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { runCooperatively, type Steps } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { readDocumentBlocks, readDocumentPlaces, readSubtreePlaces } from './block-places.ts'
import { readBlockRows } from './block-rows.ts'

/** One block's place in a tree, before or without its row. */
export interface BlockNode {
  n: number
  depth: number
  parent: BlockNode | undefined
  children: BlockNode[]
}

/**
 * The places of a block and of what stands below it down to `maxDepth` levels (-1 for all), in reading order: each
 * block before its children, the children in their order.
 */
export async function readNodesInOrder(space: Space, root: BlockRow, maxDepth: number): Promise<BlockNode[]> {
  const isWhole = root.parent === null && maxDepth < 0
  const places = isWhole ? await readDocumentPlaces(space, root) : await readSubtreePlaces(space, root, maxDepth)
  return runCooperatively(depthFirst(root.n, places))
}

/** Blocks below several others that are read by one statement: some milliseconds. */
const MAX_SHORT_TREES = 2_000

/**
 * The numbers of these blocks and of all that they hold, each once, parents before their children. A block of the list
 * may be held by another.
 */
export async function treeNumbers(space: Space, rows: readonly BlockRow[]): Promise<number[]> {
  const found = await readShortTrees(space, rows, -1)
  const numbers = new Set<number>()
  const add = (n: number) => {
    // One that came before what holds it takes its place among that.
    numbers.delete(n)
    numbers.add(n)
  }
  for (const row of rows) {
    if (numbers.has(row.n)) continue
    for (const { n } of found?.get(row.n) ?? (await readNodesInOrder(space, row, -1))) add(n)
  }
  return [...numbers]
}

/**
 * The trees of several blocks by number, each in reading order, where all of them together are short enough for one
 * statement.
 *
 * @param maxDepth  levels below each block; -1 for all
 */
export async function readShortTrees(
  space: Space,
  rows: readonly BlockRow[],
  maxDepth: number,
): Promise<Map<number, BlockNode[]> | undefined> {
  const levels = maxDepth < 0 ? MAX_SHORT_TREES : maxDepth
  const numbers = [...new Set(rows.map(({ n }) => n))]
  const places = await subtreesOf(space.tx, numbers, levels, MAX_SHORT_TREES)
  if (places.length >= MAX_SHORT_TREES) return undefined
  const trees = new Map<number, BlockNode[]>()
  for (const [root, below] of Map.groupBy(places, (place) => place.root)) {
    const descendants = below.filter(({ depth }) => depth > 0)
    trees.set(root, await runCooperatively(depthFirst(root, descendants)))
  }
  return trees
}

/** A tree, with the row of each of its blocks by number. */
export interface BlockTree {
  order: BlockNode[]
  rows: Map<number, BlockRow>
}

/** A stored block with the blocks below it. */
export interface InsertedBlock {
  row: BlockRow
  content: InsertedBlock[]
}

/** A block and all below it, in reading order, with their rows. */
export async function readBlockTree(space: Space, root: BlockRow): Promise<BlockTree> {
  if (root.parent === null) return readDocumentTree(space, root)
  const nodes = await readNodesInOrder(space, root, -1)
  return { order: nodes, rows: await readNodeRows(space, nodes, root) }
}

/**
 * As {@link readNodesInOrder}, with the rows where all of them are wanted: of a whole document of `most` blocks at most,
 * which is then read once and not twice.
 */
export async function readNodesAndRows(
  space: Space,
  root: BlockRow,
  maxDepth: number,
  maxBlocks: number,
): Promise<{ order: BlockNode[]; rows?: Map<number, BlockRow> }> {
  const isWhole = root.parent === null && maxDepth < 0
  if (isWhole && !(await hasMoreBlocks(space.tx, root.document, maxBlocks))) return readDocumentTree(space, root)
  return { order: await readNodesInOrder(space, root, maxDepth) }
}

async function readDocumentTree(space: Space, root: BlockRow): Promise<BlockTree> {
  const descendants = await readDocumentBlocks(space, root)
  return {
    order: await runCooperatively(depthFirst(root.n, descendants)),
    rows: await runCooperatively(indexByNumber([root, ...descendants])),
  }
}

/** Nodes after which a look at the clock is due. */
const NODES_PER_YIELD = 500

function* depthFirst(root: number, places: readonly BlockPlace[]): Steps<BlockNode[]> {
  const nodes: BlockNode[] = []
  const stack = [yield* linkNodes(root, places)]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node)
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child === undefined) continue
      child.depth = node.depth + 1
      stack.push(child)
    }
    if (nodes.length % NODES_PER_YIELD === 0) yield
  }
  return nodes
}

// Places come with all children of one parent in order, but a parent may come after its children.
function* linkNodes(root: number, places: readonly BlockPlace[]): Steps<BlockNode> {
  const top: BlockNode = { n: root, depth: 0, parent: undefined, children: [] }
  const nodes = new Map([[root, top]])
  for (const [index, { n }] of places.entries()) {
    nodes.set(n, { n, depth: 0, parent: undefined, children: [] })
    if (index % NODES_PER_YIELD === 0) yield
  }
  for (const [index, { n, parent }] of places.entries()) {
    const node = nodes.get(n)
    const above = nodes.get(parent)
    if (node === undefined || above === undefined) continue
    node.parent = above
    above.children.push(node)
    if (index % NODES_PER_YIELD === 0) yield
  }
  return top
}

/** The rows of these nodes, by number. @param known  a row among them that is not read again */
export async function readNodeRows(
  space: Space,
  nodes: readonly BlockNode[],
  known?: BlockRow,
): Promise<Map<number, BlockRow>> {
  const unread = nodes.map(({ n }) => n).filter((n) => n !== known?.n)
  const rows = unread.length > 0 ? await readBlockRows(space, unread) : []
  if (known !== undefined && unread.length < nodes.length) rows.push(known)
  return runCooperatively(indexByNumber(rows))
}

function* indexByNumber(rows: readonly BlockRow[]): Steps<Map<number, BlockRow>> {
  const found = new Map<number, BlockRow>()
  for (const row of rows) {
    found.set(row.n, row)
    if (found.size % NODES_PER_YIELD === 0) yield
  }
  return found
}

export function rowOfNode(rows: ReadonlyMap<number, BlockRow>, node: BlockNode): BlockRow {
  const row = rows.get(node.n)
  if (row === undefined) throw new Error(`Expected the row of block ${node.n}.`)
  return row
}
