/** Copies the content of a page to another place, as new blocks. */

import { filesOfBlocks } from '../../../storage/files.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { parseAddress } from '../../markdown/addresses.ts'
import type { Block } from '../../markdown/block.ts'
import { isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { withoutComments } from '../../markdown/comment-tags.ts'
import { withCoverAddress } from '../../markdown/page-cover.ts'
import {
  BLOCK_LINK,
  findAddresses,
  mayContainAddress,
  OUT_OF_SCOPE,
  replaceAddresses,
} from '../../markdown/text-addresses.ts'
import { columnsFromFields, fieldsFromRow } from '../blocks/block-rows.ts'
import { type InsertedBlock, readBlockTree } from '../blocks/block-tree.ts'
import { copyCollections } from '../collections/copy-collections.ts'
import { fileIdFromStoredAddress } from '../content/file-addresses.ts'
import { canReferenceFile, shownAddress } from '../content/file-references.ts'
import { updateRow } from '../model/block-writes.ts'
import type { InsertTarget } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { copyWhiteboards } from '../whiteboards/copy-whiteboards.ts'
import { insertBlockTrees } from './insert-blocks.ts'

/** Links between copied blocks are changed to point to the copies. All other links keep their targets. */
export async function copyBlockContent(space: Space, from: BlockRow, target: InsertTarget): Promise<void> {
  const { order, rows } = await readBlockTree(space, from)
  const unlinked = await findUnlinkedMedia(space, [...rows.values()])
  const blocks = new Map<number, Block>()
  for (const { n, parent } of order) {
    const row = rows.get(n)
    if (row === undefined) continue
    const fields = fieldsFromRow(row)
    // Comments on the original are not copied.
    const block: Block = {
      ...fields,
      text: isCodeText(row.type) ? row.text : withoutComments(row.text),
      id: String(row.id),
    }
    if (unlinked.has(n)) Object.assign(block, withoutFile(block))
    blocks.set(n, block)
    const parentCopy = parent && blocks.get(parent.n)
    if (parentCopy === undefined) continue
    parentCopy.content ??= []
    parentCopy.content.push(block)
  }
  const content = blocks.get(from.n)?.content ?? []
  const copies = await insertBlockTrees(space, content, target)
  const ids = new Map([[from.id, target.parent.id]])
  const copied = await remapLinks(space, content, copies, ids)
  const numbers = new Map(copied.map(({ row }) => [row.id, row.n]))
  await copyCollections(space, [...rows.values()], numbers, ids)
  await copyWhiteboards(space, [...rows.values()], numbers, ids)
}

const withoutFile = (block: Block): Block =>
  canReferenceFile(block) ? { ...block, url: OUT_OF_SCOPE } : withCoverAddress(block, OUT_OF_SCOPE)

/**
 * Finds blocks that have the address of a file but do not show it, because their author did not reach the file. A
 * reader who copies them may reach it, and a copy must not show more than its original.
 */
async function findUnlinkedMedia(space: Space, rows: readonly BlockRow[]): Promise<Set<number>> {
  const media = rows.filter((row) => fileIdFromStoredAddress(shownAddress(fieldsFromRow(row)) ?? '') !== undefined)
  const numbers = media.map(({ n }) => n)
  const linked = new Set((await filesOfBlocks(space.tx, numbers)).map(({ block }) => block))
  return new Set(numbers.filter((n) => !linked.has(n)))
}

/** @param ids  maps the ID of each original to the ID of its copy */
async function remapLinks(
  space: Space,
  originals: Block[],
  copies: InsertedBlock[],
  ids: Map<number, number>,
): Promise<readonly InsertedBlock[]> {
  const pairs: [Block, InsertedBlock][] = originals.map((original, index) => [original, copies[index] as InsertedBlock])
  for (const [original, copy] of pairs) {
    if (original.id !== undefined) ids.set(Number(original.id), copy.row.id)
    for (const [index, inner] of (original.content ?? []).entries())
      pairs.push([inner, copy.content[index] as InsertedBlock])
  }
  for (const [original, { row }] of pairs) {
    const { blockedBy } = original
    // A copied task waits for the copies of those that it waited for.
    if (blockedBy?.some((id) => ids.has(id))) {
      const copied = { ...fieldsFromRow(row), blockedBy: blockedBy.map((id) => ids.get(id) ?? id) }
      Object.assign(row, columnsFromFields(copied))
      await updateRow(space, row)
    }
    if (isCodeText(row.type) || !mayContainAddress(row.text)) continue
    const addresses = findAddresses(row.text, isTableText(row.type))
    const targetOf = ({ url }: { url: string }) => (/^block:/i.test(url) ? (parseAddress(url)?.ids[0] ?? '') : '')
    const targets = await space.readIds(addresses.map(targetOf))
    const text = replaceAddresses(row.text, addresses, ({ url }) => {
      const copy = ids.get(targets.get(targetOf({ url })) ?? 0)
      return copy === undefined ? url : BLOCK_LINK + copy
    })
    if (text !== row.text) await updateRow(space, { ...row, text })
  }
  return pairs.map(([, copy]) => copy)
}
