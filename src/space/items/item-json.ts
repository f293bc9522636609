/** Formats items with their content as JSON texts. */
import { parentNumbers } from '../../../storage/blocks.ts'
import type { StoredLease } from '../../../storage/leases.ts'
import type { BlockRow, PropertyRow } from '../../../storage/schema.ts'
import { BLOCKS_PER_ANSWER } from '../../base/limits.ts'
import { runCooperatively } from '../../base/scheduling.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { type BlockNode, readNodeRows, readNodesInOrder, readShortTrees, rowOfNode } from '../blocks/block-tree.ts'
import { partsOf } from '../blocks/rows-in-order.ts'
import type { Collection } from '../collections/schema/find-collection.ts'
import { readItemValues } from '../collections/schema/item-values.ts'
import { visibleFields } from '../content/visible-fields.ts'
import { leaseAnswer } from '../leases/leases.ts'
import type { Space } from '../model/space.ts'
import { type BlockAnswer, createBlockDescriber } from '../reading/block-answer.ts'
import { blockTreeJson } from '../reading/block-json.ts'
import { previewKey, previewText, readPreviews } from '../reading/content-previews.ts'
import type { BlockerAnswer } from './blockers.ts'
import { titleFields } from './item-answer.ts'

/** What to include of items. */
export interface ItemParts {
  visibleProperties: readonly PropertyRow[]
  /** Levels of content: -1 for all, 0 for none. */
  maxDepth: number
  /** The maximum number of blocks of content; {@link BLOCKS_PER_ANSWER} by default. */
  contentBlocks?: number
  /** Who holds which of the items. */
  leases?: ReadonlyMap<number, StoredLease>
  /** What they wait for. */
  blockers?: ReadonlyMap<number, BlockerAnswer[]>
}

/**
 * Formats as many of these items as fit into a number of blocks of content, and at least one. An item that exceeds the
 * limit on its own gets a preview of its content.
 *
 * Over REST, empty content is included, since clients of other services expect it.
 */
export async function itemsJson(
  space: Space,
  collection: Collection,
  items: readonly BlockRow[],
  include: ItemParts,
): Promise<ItemJson[]> {
  const answers: ItemJson[] = []
  let content = 0
  for await (const part of partsOf(items)) {
    const found = await partJson(space, collection, part, include, content)
    for (const one of found) {
      answers.push(one)
      content += one.blocks - 1
    }
    if (found.length < part.length || answers.length + content >= space.mostBlocks) break
  }
  return answers
}

interface ItemJson {
  json: string
  /** The item and its content. */
  blocks: number
}

/** @param content  blocks of content of the items before */
async function partJson(
  space: Space,
  collection: Collection,
  items: readonly BlockRow[],
  { visibleProperties, maxDepth, contentBlocks = BLOCKS_PER_ANSWER, leases = new Map(), blockers }: ItemParts,
  content: number,
): Promise<ItemJson[]> {
  const trees = await readItemTrees(space, items, maxDepth, { contentBlocks, content })
  const nodes = trees.flat()
  const single = new Set(trees.filter(({ length }) => length === 1).flat())
  const rows = await readNodeRows(space, nodes)
  const truncated = maxDepth === 0 ? [] : nodes.filter((node) => node.depth === maxDepth || single.has(node))
  const previews = await readPreviews(space, truncated, rows)
  const all = [...rows.values()]
  const visible = await visibleFields(space, [...all, ...[...previews.values()].flat()])
  const values = await readItemValues(space, all)
  const describe = createBlockDescriber(space, visible, values)
  const listsEmptyFields = space.link.overRest && maxDepth !== 0
  const keys = new Set(visibleProperties.map(({ key }) => key))
  const describeItem = (row: BlockRow, { text }: BlockFields): BlockAnswer => {
    const properties = values.propertiesOf(row)
    for (const key of Object.keys(properties)) if (!keys.has(key)) delete properties[key]
    const title = titleFields(space, collection, plainTitle(text))
    const lease = leases.get(row.n)
    const heldBy = lease && { heldBy: leaseAnswer(space, lease) }
    const blockedBy = blockers?.get(row.n)
    const facts = { ...title, ...heldBy, ...(blockedBy && { blockedBy }) }
    return { id: space.spellId(row.id), ...facts, properties } as unknown as BlockAnswer
  }
  const answerOf = (node: BlockNode): BlockAnswer => {
    const row = rowOfNode(rows, node)
    const answer = node.parent === undefined ? describeItem(row, visible(row)) : describe(row)
    const preview = previews.get(node)
    if (preview !== undefined) answer[previewKey(row.type)] = previewText(preview, visible)
    else if (listsEmptyFields && node.parent === undefined && node.children.length === 0) answer.content = []
    return answer
  }
  const answers: ItemJson[] = []
  for (const tree of trees)
    answers.push({ json: await runCooperatively(blockTreeJson(tree, answerOf)), blocks: tree.length })
  return answers
}

/** Reads the trees of the items, each in reading order. */
async function readItemTrees(
  space: Space,
  items: readonly BlockRow[],
  maxDepth: number,
  { contentBlocks, content }: { contentBlocks: number; content: number },
): Promise<BlockNode[][]> {
  const numbers = items.map(({ n }) => n)
  const short = maxDepth === 0 ? new Map<number, BlockNode[]>() : await readShortTrees(space, items, maxDepth)
  const parents = short === undefined ? await parentNumbers(space.tx, numbers) : new Set<number>()
  const trees: BlockNode[][] = []
  let count = content
  for (const item of items) {
    const single: BlockNode = { n: item.n, depth: 0, parent: undefined, children: [] }
    let tree = short?.get(item.n) ?? (parents.has(item.n) ? await readNodesInOrder(space, item, maxDepth) : [single])
    if (tree.length > contentBlocks) tree = [single]
    count += tree.length - 1
    if (count > contentBlocks) break
    trees.push(tree)
    if (count + trees.length >= space.mostBlocks) break
  }
  return trees
}
