/** Previews: the first lines of content that a depth limit omits. */
import { childBlocks, parentNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { PREVIEW_BLOCKS, PREVIEW_LENGTH } from '../../base/limits.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { type BlockNode, rowOfNode } from '../blocks/block-tree.ts'
import type { Space } from '../model/space.ts'

/** Reads the first child blocks of each of these nodes that was cut off and has children. */
export async function readPreviews(
  space: Space,
  truncated: readonly BlockNode[],
  rows: ReadonlyMap<number, BlockRow>,
): Promise<Map<BlockNode, BlockRow[]>> {
  const previews = new Map<BlockNode, BlockRow[]>()
  if (truncated.length === 0) return previews
  const parents = await parentNumbers(
    space.tx,
    truncated.map((node) => node.n),
  )
  for (const node of truncated) {
    if (parents.has(node.n)) previews.set(node, await childBlocks(space.tx, rowOfNode(rows, node), PREVIEW_BLOCKS))
  }
  return previews
}

/** The name of the field that holds the preview of a block of this type. */
export const previewKey = (type: string) => (type === 'collection' ? 'itemsPreviewMd' : 'contentPreviewMd')

export function previewText(blocks: readonly BlockRow[], visible: (row: BlockRow) => BlockFields): string {
  const text = blocks.map((row) => blockMarkdown(visible(row))).join('\n')
  return text.length > PREVIEW_LENGTH ? `${Array.from(text).slice(0, PREVIEW_LENGTH).join('')}…` : text
}
