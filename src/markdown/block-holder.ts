import type { Block, CalloutLevel } from './block.ts'
import type { ListFields } from './blocks/list-item.ts'
import { NumberReader, type WrittenNumber } from './written-numbers.ts'

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

/** The mark of an item whose first block is still missing. */
export interface Mark {
  level: number
  listStyle?: ListFields['listStyle'] | undefined
  taskInfo?: ListFields['taskInfo'] | undefined
  written?: WrittenNumber | undefined
  /** Numbers that are text: `24.`. */
  text?: string | undefined
}
