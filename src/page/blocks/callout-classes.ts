/** The look of callouts around several blocks. */
import type { BlockFields } from '../../markdown/block.ts'
import { calloutLevels, sharedCallouts } from '../../markdown/callout-levels.ts'

type InCallout = Pick<BlockFields, 'decorations'>

/** The greatest depth that has a look of its own. */
const SHOWN_LEVELS = 4

/** `callout-goes-on` joins a block to the one above; `callout-2` is in two callouts. */
export function calloutClasses(before: InCallout | undefined, block: InCallout): string[] {
  const { length } = calloutLevels(block)
  return [
    ...(sharedCallouts(before, block) > 0 ? ['callout-goes-on'] : []),
    ...(length > 1 ? [`callout-${Math.min(length, SHOWN_LEVELS)}`] : []),
  ]
}
