import type { Block, CalloutLevel } from './block.ts'
import { NumberReader } from './written-numbers.ts'

/** The container that blocks are added to: the text itself, or a page. */
export interface BlockHolder {
  blocks: Block[]
  page: Block | undefined
  /** True if the page has a `<pageTitle>` or a `<content>`. */
  isWhole: boolean
  boxes: Record<'quote' | 'caption', number>
  callouts: OpenCallout[]
  numbers: NumberReader
}

export const emptyHolder = (page?: Block): BlockHolder => ({
  blocks: [],
  page,
  isWhole: false,
  boxes: { quote: 0, caption: 0 },
  callouts: [],
  numbers: new NumberReader(),
})

interface OpenCallout {
  fields: CalloutLevel
  blocks: Block[]
  /** True for a callout in an item of a list, which it does not end. */
  isInItem: boolean
}
