/** What blocks are shown with. */
import type { Formats } from '../formats.ts'
import type { Html } from '../html.ts'
import type { PageLinks } from '../page-links.ts'
import type { JsonBlock } from './json-block.ts'

/** Addresses of forms about blocks. One that is absent is not for this link. */
export interface BlockForms {
  /** Changes a task. */
  task?(id: string): string
  /** Comments on a block, or answers. */
  comment?(blockId: string): string
  /** Changes or deletes a comment of one's own. */
  ownComment?(id: string, blockId: string): string
  /** Whose comments are one's own. Absent where comments cannot be changed or resolved. */
  author?: string
}

/** What the writer is given besides the blocks. */
export interface BlockContext {
  links: PageLinks
  formats: Formats
  /** Whether boxes of tasks can be ticked. */
  mayChange: boolean
  forms?: BlockForms
  /** Whether a script edits the blocks: they stand one after another then, each with its Markdown. */
  isEditable: boolean
  /** Whether a program wrote the block just now. */
  isFresh(block: JsonBlock): boolean
  /** Who wrote a block last, as a reader knows them. */
  writerOf(block: JsonBlock): string
  /** A collection as a table. */
  collection(block: JsonBlock): Promise<Html>
}
