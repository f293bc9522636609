/** Builds and walks trees of stored blocks without recursion, so that deep nesting cannot overflow the stack. */
import { type BlockPlace, hasMoreBlocks, subtreesOf } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { Space } from '../model/space.ts'
import { readDocumentBlocks, readDocumentPlaces, readSubtreePlaces } from './block-places.ts'
import { readBlockRows } from './block-rows.ts'

/** The place of one block in a tree, without its row. */
export interface BlockNode {
  n: number
  depth: number
  parent: BlockNode | undefined
  children: BlockNode[]
}

/**
 * Reads the places of a block and its descendants down to `maxDepth` levels (-1 for all), in reading order: each block
 * before its children, and children in their order.
 */
export async function readNodesInOrder(space: Space, root: BlockRow, maxDepth: number): Promise<BlockNode[]> {
  const isWhole = root.parent === null && maxDepth < 0
  const places = isWhole ? await readDocumentPlaces(space, root) : await readSubtreePlaces(space, root, maxDepth)
  return runCooperatively(depthFirst(root.n, places))
}

/** The most places that one statement reads below several blocks: a few milliseconds of work. */
const MAX_SHORT_TREES = 2_000

/**
 * Returns the numbers of the given blocks and all their descendants, each once, parents before children. One of the
 * given blocks may contain another.
 */
export async function treeNumbers(space: Space, rows: readonly BlockRow[]): Promise<number[]> {
  const found = await readShortTrees(space, rows, -1)
  const numbers = new Set<number>()
  const add = (n: number) => {
    // A block that was added before the block that contains it moves to its place below that one.
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
 * Reads the trees of several blocks, by the number of their root and each in reading order. Returns undefined if
 * together they are too large for one statement.
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

/** A tree, and the rows of its blocks by number. */
export interface BlockTree {
  order: BlockNode[]
  rows: Map<number, BlockRow>
}

/** A stored block with its child blocks. */
export interface InsertedBlock {
  row: BlockRow
  content: InsertedBlock[]
}

/** Reads a block and all its descendants in reading order, with their rows. */
export async function readBlockTree(space: Space, root: BlockRow): Promise<BlockTree> {
  if (root.parent === null) return readDocumentTree(space, root)
  const nodes = await readNodesInOrder(space, root, -1)
  return { order: nodes, rows: await readNodeRows(space, nodes, root) }
}

/**
 * Like {@link readNodesInOrder}, but also returns the rows if this is a whole document of at most `maxBlocks` blocks.
 * That saves reading the document twice.
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

/** How many nodes are processed between two checks of the clock. */
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

// All children of one parent come in order, but a parent may come after its children.
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

/** Reads the rows of these nodes, by number. @param known  a row that does not have to be read again */
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
