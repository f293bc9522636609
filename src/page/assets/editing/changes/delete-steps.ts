/** Builds the steps that delete blocks in the state in which the page shows them. */

import type { Step } from '../../model/page-step.ts'
import { blockId, hasEditableText, markdownOf } from '../blocks/block-element.ts'

/** If others have changed a block in the meantime, the steps are refused and the blocks stay. */
export function deleteSteps(elements: readonly HTMLElement[]): Step[] {
  const blocks = elements
    .filter(hasEditableText)
    .map((element) => ({ id: blockId(element), expectedMarkdown: markdownOf(element) }))
  const blockIds = elements.map(blockId)
  const check = { tool: 'blocks_update', arguments: { blocks } }
  return [...(blocks.length > 0 ? [check] : []), { tool: 'blocks_delete', arguments: { blockIds } }]
}
