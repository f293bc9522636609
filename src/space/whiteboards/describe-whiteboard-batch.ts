/** Describes the whiteboards of a response in words. */

import { countElements, firstElements } from '../../../storage/elements.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { formatNumber } from '../../base/format-number.ts'
import {
  WHITEBOARD_DESCRIPTION_ELEMENTS,
  WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER,
  WHITEBOARD_DESCRIPTION_JSON_LENGTH,
} from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import { describeWhiteboard } from './describe-whiteboard.ts'
import { visibleElements } from './visible-elements.ts'

/**
 * Describes the drawings of those blocks that are whiteboards, by block number. After {@link
 * WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER} elements, the remaining whiteboards only get a count of their elements.
 */
export async function describeWhiteboards(space: Space, rows: readonly BlockRow[]): Promise<Map<number, string>> {
  const descriptions = new Map<number, string>()
  let left = WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER
  for (const { type, n } of rows) {
    if (type !== 'whiteboard') continue
    const count = await countElements(space.tx, n)
    if (count === 0) continue
    const storedElements = await firstElements(
      space.tx,
      n,
      Math.min(left, WHITEBOARD_DESCRIPTION_ELEMENTS),
      WHITEBOARD_DESCRIPTION_JSON_LENGTH,
    )
    const elements = await visibleElements(space, storedElements)
    const description = describeWhiteboard(elements, count)
    descriptions.set(n, description === '' && storedElements.length < count ? notDescribedMessage(count) : description)
    left -= storedElements.length
    await yieldToEventLoop()
  }
  return descriptions
}

const notDescribedMessage = (count: number): string =>
  `${formatNumber(count)} elements, not read here: see elements_list.`
