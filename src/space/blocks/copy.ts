/** Copies what a page holds to another place, as new blocks. */

import { updateBlock } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import type { Block } from '../../markdown/block.ts'
import { withoutComments } from '../../markdown/comments.ts'
import { BLOCK_LINK, withDestinations } from '../../markdown/links.ts'
import { copyCollections } from '../collections/copy.ts'
import { linksOf } from '../links.ts'
import type { Target } from '../positions.ts'
import type { Space } from '../space.ts'
import { copyBoards } from '../whiteboards/copy.ts'
import { type Added, insertTree } from './insert.ts'
import { fieldsOf } from './rows.ts'
import { wholeTree } from './tree.ts'

/** Links between copied blocks lead to the copies; links to anything else lead where they led. */
export async function copyContent(space: Space, from: BlockRow, target: Target): Promise<void> {
  const { order, rows } = await wholeTree(space, from)
  const blocks = new Map<number, Block>()
  for (const { n, parent } of order) {
    const row = rows.get(n)
    if (row === undefined) continue
    const fields = fieldsOf(row)
    // What was said about the original is not said about the copy.
    const block: Block = { ...fields, text: row.type === 'code' ? row.text : withoutComments(row.text), id: row.id }
    blocks.set(n, block)
    const above = parent && blocks.get(parent.n)
    if (above === undefined) continue
    above.content ??= []
    above.content.push(block)
  }
  const content = blocks.get(from.n)?.content ?? []
  const copies = await insertTree(space, content, target)
  const ids = new Map([[from.id, target.parent.id]])
  const copied = await redirect(space, content, copies, ids)
  const numbers = new Map(copied.map(({ row }) => [row.id, row.n]))
  await copyCollections(space, [...rows.values()], numbers, ids)
  await copyBoards(space, [...rows.values()], numbers, ids)
}

/** @param ids  receives the ID of each copy by that of its original */
async function redirect(
  space: Space,
  originals: Block[],
  copies: Added[],
  ids: Map<string, string>,
): Promise<readonly Added[]> {
  const pairs: [Block, Added][] = originals.map((original, index) => [original, copies[index] as Added])
  for (const [original, copy] of pairs) {
    if (original.id !== undefined) ids.set(original.id, copy.row.id)
    for (const [index, inner] of (original.content ?? []).entries()) pairs.push([inner, copy.content[index] as Added])
  }
  for (const [, { row }] of pairs) {
    if (row.type === 'code' || !row.text.includes(BLOCK_LINK)) continue
    const text = withDestinations(row.text, linksOf(row), (id) => `${BLOCK_LINK}${ids.get(id.toLowerCase()) ?? id}`)
    if (text !== row.text) await updateBlock(space.tx, { ...row, text })
  }
  return pairs.map(([, copy]) => copy)
}
