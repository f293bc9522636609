/** Trees of blocks as JSON. */
import type { Parts } from '../../breathe.ts'
import type { BlockAnswer } from './answer.ts'
import type { Node } from './tree.ts'

/** Blocks that are written at once. */
const RUN = 32

/** What always says what it holds, be it nothing. */
const HOLDERS: ReadonlySet<string> = new Set(['page', 'collection'])

/**
 * A tree as one JSON text, each block's content last in it. JSON.stringify writes siblings, but not what they hold: it
 * overflows the stack some 5,000 levels deep.
 *
 * @param nodes  in reading order, the root first
 */
export function* nestedJson(nodes: readonly Node[], describe: (node: Node) => BlockAnswer): Parts<string> {
  const pieces: string[] = []
  const open: Node[] = []
  let run: BlockAnswer[] = []
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]
    const answer = describe(node)
    if (node.children.length === 0 && HOLDERS.has(answer.type) && !isCutOff(answer)) answer.content = []
    run.push(answer)
    // A title of many marks takes a while to read.
    yield
    if (next !== undefined && next.parent === node.parent && run.length < RUN) continue

    const siblings = JSON.stringify(run).slice(1, -1)
    run = []
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

const isCutOff = ({ contentPreviewMd, itemsPreviewMd }: BlockAnswer): boolean =>
  contentPreviewMd !== undefined || itemsPreviewMd !== undefined
