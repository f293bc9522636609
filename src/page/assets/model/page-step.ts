/** The steps that changes of a page consist of. */
import type { Title } from '../../../markdown/inline-title.ts'
import type { UnsavedText } from '../sync/unsaved-text.ts'
import { placeOf } from './block-levels.ts'
import { type Fields, markdownFor } from './block-text.ts'

/** A call, or one step of a change with several steps. */
export interface Step {
  tool: string
  arguments: Record<string, unknown>
  /** The placeholders for the IDs of the blocks that the step adds, in order. */
  added?: readonly string[]
  /** The path of the ID in the response, if the response is not a list of blocks. */
  idAt?: string
}

export type BlockPosition =
  | { position: 'before' | 'after'; siblingId: string }
  | { position: 'start' | 'end'; pageId: string }

/**
 * Builds the step that changes the title of a page.
 *
 * @param base  the inline Markdown of the title that it was made from; without it, it replaces any other
 */
export const titleStep = (id: string, title: Title, base?: string): Step => ({
  tool: 'blocks_update',
  arguments: { blocks: [{ id, title, ...(base !== undefined && { base }) }], answer: 'ids' },
})

/** Says that a text without a prefix is to be plain: otherwise blocks_update keeps the kind that the block had. */
export const plainStyle = ({ listStyle, textStyle, decorations }: Fields): { listStyle?: 'none' } =>
  listStyle === undefined && textStyle === undefined && decorations?.quote === undefined ? { listStyle: 'none' } : {}

/** Builds the step that saves a draft. */
export function draftStep({ blockId: id, fields, text, attributes, expected }: UnsavedText): Step {
  if (attributes !== undefined) return titleStep(id, { value: text, attributes: [...attributes] }, expected)
  const markdown = markdownFor(fields, text)
  const change = { id, markdown, base: expected, ...placeOf(fields), ...plainStyle(fields) }
  return { tool: 'blocks_update', arguments: { blocks: [change], answer: 'full' } }
}
