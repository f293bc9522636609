/** The changes of a page, as the editing script receives them. */
import type { Title } from '../../markdown/inline-title.ts'

export interface DocumentBlocks {
  title: Title
  titleHtml: string
  /** The IDs of all blocks, in order. */
  order: string[]
  /** HTML of blocks that were changed or requested. */
  blocks: { id: string; html: string }[]
  /** The names of others who changed something in the document since the last time. */
  writers: string[]
  /** Time of reading, to be sent as `since` the next time. */
  readAt: string
}
