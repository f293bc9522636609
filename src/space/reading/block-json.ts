/** Writes trees of blocks as JSON. */
import type { JsonText } from '../../base/json-text.ts'
import type { Steps } from '../../base/work-steps.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import type { BlockNode } from '../blocks/block-tree.ts'
import type { JsonBlock } from '../model/json-block.ts'
import type { BlockAnswer } from './block-answer.ts'

/** Blocks that are serialized in one step. */
const SIBLINGS_PER_WRITE = 32

/** @param type  undefined for the items of a list, which do not say it */
const showsEmptyContent = (type: string | undefined): boolean => type !== undefined && traitsOf(type).showsEmptyContent

/**
 * Writes a tree as one JSON text in which the content is the last field of each block. JSON.stringify only writes
 * siblings without their content, because it overflows the stack at about 5,000 levels.
 *
 * @param nodes  in reading order, the root first
 */
export function* blockTreeJson(
  nodes: readonly BlockNode[],
  describe: (node: BlockNode) => BlockAnswer,
): Steps<JsonText<JsonBlock>> {
  const pieces: string[] = []
  const open: BlockNode[] = []
  let siblingRun: BlockAnswer[] = []
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]
    const answer = describe(node)
    if (node.children.length === 0 && showsEmptyContent(answer.type) && !hasPreview(answer)) answer.content = []
    siblingRun.push(answer)
    // Parsing a title with many marks takes a while.
    yield
    if (next !== undefined && next.parent === node.parent && siblingRun.length < SIBLINGS_PER_WRITE) continue

    const siblings = JSON.stringify(siblingRun).slice(1, -1)
    siblingRun = []
    if (next?.parent === node) {
      pieces.push(siblings.slice(0, -1), ',"content":[')
      open.push(node)
    } else {
      pieces.push(siblings)
      for (; open.length > 0 && open.at(-1) !== next?.parent; open.pop()) pieces.push(']}')
      if (next !== undefined) pieces.push(',')
    }
  }
  return pieces.join('') as JsonText<JsonBlock>
}

const hasPreview = ({ contentPreviewMd, itemsPreviewMd }: BlockAnswer): boolean =>
  contentPreviewMd !== undefined || itemsPreviewMd !== undefined
