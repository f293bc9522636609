/** Deleting blocks as they stand on the page. */
import { blockId, hasWords, markdownOf } from '../blocks/block-element.ts'
import type { Step } from './page-step.ts'

/** What others changed meanwhile is not deleted: the steps are refused then, and the blocks stay. */
export function deleteSteps(elements: readonly HTMLElement[]): Step[] {
  const blocks = elements
    .filter(hasWords)
    .map((element) => ({ id: blockId(element), expectedMarkdown: markdownOf(element) }))
  const blockIds = elements.map(blockId)
  const check = { tool: 'blocks_update', arguments: { blocks } }
  return [...(blocks.length > 0 ? [check] : []), { tool: 'blocks_delete', arguments: { blockIds } }]
}
