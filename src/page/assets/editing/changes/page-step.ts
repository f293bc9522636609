/** What a change of a page is made of. */
import type { Title } from '../../../../markdown/inline-title.ts'

/** One call, or one step of a change that is made of several. */
export interface Step {
  tool: string
  arguments: Record<string, unknown>
  /** What stands for the ID of the block that it adds. */
  name?: string
  /** Where the ID is in the answer of the call, where it is no list of blocks. */
  idAt?: string
}

export type BlockPosition =
  | { position: 'before' | 'after'; siblingId: string }
  | { position: 'start' | 'end'; pageId: string }

/** The step that gives a page another title. @param expectedMarkdown  the words of the one that it had */
export const titleStep = (id: string, title: Title, expectedMarkdown: string): Step => ({
  tool: 'blocks_update',
  arguments: { blocks: [{ id, title, expectedMarkdown }], answer: 'ids' },
})
