/** Trees of blocks as JSON. */
import type { Parts } from '../../breathe.ts'
import type { BlockAnswer } from './answer.ts'
import type { Node } from './tree.ts'

/** Nodes after which a look at the clock is due. */
const NODES = 32

/** What always says what it holds, be it nothing. */
const HOLDERS: ReadonlySet<string> = new Set(['page', 'collection'])

/**
 * A tree as one JSON text, each block's content last in it. Written piece by piece, because JSON.stringify overflows
 * the stack some 5,000 levels deep.
 *
 * @param nodes  in reading order, the root first
 */
export function* nestedJson(nodes: readonly Node[], describe: (node: Node) => BlockAnswer): Parts<string> {
  const pieces: string[] = []
  const open: Node[] = []
  for (const [index, node] of nodes.entries()) {
    while (open.length > 0 && open.at(-1) !== node.parent) {
      pieces.push(']}')
      open.pop()
    }
    if (index > 0 && nodes[index - 1] !== node.parent) pieces.push(',')
    const answer = describe(node)
    const json = JSON.stringify(answer)
    if (nodes[index + 1]?.parent === node) {
      pieces.push(json.slice(0, -1), ',"content":[')
      open.push(node)
    } else if (HOLDERS.has(answer.type) && !isCutOff(answer) && node.children.length === 0) {
      pieces.push(json.slice(0, -1), ',"content":[]}')
    } else {
      pieces.push(json)
    }
    if (index % NODES === 0) yield
  }
  for (const _ of open) pieces.push(']}')
  return pieces.join('')
}

const isCutOff = ({ contentPreviewMd, itemsPreviewMd }: BlockAnswer): boolean =>
  contentPreviewMd !== undefined || itemsPreviewMd !== undefined
