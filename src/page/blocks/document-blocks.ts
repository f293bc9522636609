/** What has changed on a page, as a script that edits it reads it. */
import type { Title } from '../../markdown/inline-title.ts'

export interface DocumentBlocks {
  title: Title
  titleHtml: string
  /** The IDs of all blocks, in their order. */
  order: string[]
  /** HTML of those that were changed, or asked for. */
  blocks: { id: string; html: string }[]
  /** When it was read: what is to be given as `since` the next time. */
  readAt: string
}
