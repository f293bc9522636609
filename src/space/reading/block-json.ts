/** Trees of blocks as JSON. */
import type { Steps } from '../../base/scheduling.ts'
import type { BlockNode } from '../blocks/block-tree.ts'
import type { BlockAnswer } from './block-answer.ts'

/** Blocks that are written at once. */
const SIBLINGS_PER_WRITE = 32

/** What always says what it holds, be it nothing. */
const CONTAINER_TYPES: ReadonlySet<string> = new Set(['page', 'collection'])

/**
 * A tree as one JSON text, each block's content last in it. JSON.stringify writes siblings, but not what they hold: it
 * overflows the stack some 5,000 levels deep.
 *
 * @param nodes  in reading order, the root first
 */
export function* blockTreeJson(nodes: readonly BlockNode[], describe: (node: BlockNode) => BlockAnswer): Steps<string> {
  const pieces: string[] = []
  const open: BlockNode[] = []
  let siblingRun: BlockAnswer[] = []
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]
    const answer = describe(node)
    if (node.children.length === 0 && CONTAINER_TYPES.has(answer.type) && !hasPreview(answer)) answer.content = []
    siblingRun.push(answer)
    // A title of many marks takes a while to read.
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
  return pieces.join('')
}

const hasPreview = ({ contentPreviewMd, itemsPreviewMd }: BlockAnswer): boolean =>
  contentPreviewMd !== undefined || itemsPreviewMd !== undefined
