/** Trees of stored blocks, built and walked without recursion: no depth of nesting can overflow the stack. */
import { blocksByNumbers, documentBlocks, documentPlaces, type Place, subtreePlaces } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { Space } from '../space.ts'

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
  const wholeDocument = root.parent === null && maxDepth < 0
  const places = wholeDocument
    ? await documentPlaces(space.tx, root.document)
    : await subtreePlaces(space.tx, root, maxDepth)
  return depthFirst(connect(root.n, places))
}

// Places come with all children of one parent in order, but a parent may come after its children.
function connect(root: number, places: readonly Place[]): Node {
  const nodes = new Map<number, Node>()
  for (const { n } of places) nodes.set(n, { n, depth: 0, parent: undefined, children: [] })
  for (const { n, parent } of places) {
    const node = nodes.get(n)
    const above = parent === null || n === root ? undefined : nodes.get(parent)
    if (node === undefined || above === undefined) continue
    node.parent = above
    above.children.push(node)
  }
  const found = nodes.get(root)
  if (found === undefined) throw new Error(`Expected block ${root} among its own places.`)
  return found
}

function depthFirst(root: Node): Node[] {
  const order: Node[] = []
  const waiting = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node)
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child === undefined) continue
      child.depth = node.depth + 1
      waiting.push(child)
    }
  }
  return order
}

/** The rows of these nodes, by number; of a whole document, whose root may be given, in one pass. */
export async function rowsOf(space: Space, nodes: readonly Node[], whole?: BlockRow): Promise<Map<number, BlockRow>> {
  const rows =
    whole === undefined
      ? await blocksByNumbers(
          space.tx,
          nodes.map((node) => node.n),
        )
      : await documentBlocks(space.tx, whole.document)
  return new Map(rows.map((row) => [row.n, row]))
}

export function rowAt(rows: ReadonlyMap<number, BlockRow>, node: Node): BlockRow {
  const row = rows.get(node.n)
  if (row === undefined) throw new Error(`Expected the row of block ${node.n}.`)
  return row
}
