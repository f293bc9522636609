/** Items as JSON texts, each with its content. */
import { parentsAmong } from '../../../storage/blocks.ts'
import type { BlockRow, PropertyRow } from '../../../storage/schema.ts'
import { inTurns } from '../../breathe.ts'
import { BLOCKS_PER_ANSWER } from '../../limits.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { plainTitle } from '../../markdown/title.ts'
import { type BlockAnswer, describer } from '../blocks/answer.ts'
import { nestedJson } from '../blocks/nested.ts'
import { previewKey, previewsOf, previewText } from '../blocks/previews.ts'
import { type Node, readingOrder, rowAt, rowsOf } from '../blocks/tree.ts'
import type { Space } from '../space.ts'
import { visibleFields } from '../visible.ts'
import { type ItemValues, readValues } from './values.ts'

/**
 * The first of these items, as many as {@link BLOCKS_PER_ANSWER} blocks of content allow, at least one. An item that
 * alone holds more is shown with a preview of its content.
 *
 * @param shown  the properties to show
 * @param maxDepth  levels of content: -1 for all, 0 for none
 */
export async function itemsJson(
  space: Space,
  items: readonly BlockRow[],
  shown: readonly PropertyRow[],
  maxDepth: number,
): Promise<{ json: string; blocks: number }[]> {
  const trees = await treesOf(space, items, maxDepth)
  const nodes = trees.flat()
  const alone = new Set(trees.filter(({ length }) => length === 1).flat())
  const rows = await rowsOf(space, nodes)
  const cutOff = maxDepth === 0 ? [] : nodes.filter((node) => node.depth === maxDepth || alone.has(node))
  const previews = await previewsOf(space, cutOff, rows)
  const all = [...rows.values()]
  const visible = await visibleFields(space, [...all, ...[...previews.values()].flat()])
  const values = await readValues(space, all)
  const describe = describer(visible, values)
  const keys = new Set(shown.map(({ key }) => key))
  const answerOf = (node: Node): BlockAnswer => {
    const row = rowAt(rows, node)
    const answer = node.parent === undefined ? itemAnswer(row, visible(row), values, keys) : describe(row)
    const preview = previews.get(node)
    if (preview !== undefined) answer[previewKey(row.type)] = previewText(preview, visible)
    return answer
  }
  const answers: { json: string; blocks: number }[] = []
  for (const tree of trees) answers.push({ json: await inTurns(nestedJson(tree, answerOf)), blocks: tree.length })
  return answers
}

/** The trees of the items, in reading order. */
async function treesOf(space: Space, items: readonly BlockRow[], maxDepth: number): Promise<Node[][]> {
  const numbers = items.map(({ n }) => n)
  const parents = maxDepth === 0 ? new Set() : await parentsAmong(space.tx, numbers)
  const trees: Node[][] = []
  let count = 0
  for (const item of items) {
    const alone: Node = { n: item.n, depth: 0, parent: undefined, children: [] }
    let tree = parents.has(item.n) ? await readingOrder(space, item, maxDepth) : [alone]
    if (tree.length > BLOCKS_PER_ANSWER) tree = [alone]
    count += tree.length - 1
    if (count > BLOCKS_PER_ANSWER) break
    trees.push(tree)
  }
  return trees
}

function itemAnswer(row: BlockRow, { text }: BlockFields, values: ItemValues, keys: ReadonlySet<string>): BlockAnswer {
  const properties = values.propertiesOf(row)
  for (const key of Object.keys(properties)) if (!keys.has(key)) delete properties[key]
  return { id: row.id, title: plainTitle(text), properties } as unknown as BlockAnswer
}
