/** Changes blocks: one by one, or as the text of a whole page. */
import { checkCount, countBlocks } from '../../markdown/block-count.ts'
import { readAside } from '../../markdown/read-aside.ts'
import type { Space } from '../space.ts'
import type { AnswerForm } from './answer.ts'
import { editPage, type PageEdit } from './edit.ts'
import type { FieldsInput } from './input.ts'
import { type BlockUpdates, prepareUpdates, updateBlocks } from './update.ts'

export type ChangeAsked =
  | { blocks: readonly (FieldsInput & { id: string })[]; answer: AnswerForm }
  | { pageId: string; markdown: string; revision: string; answer: AnswerForm }

/** @throws VALIDATION_ERROR for Markdown that cannot be read, or too much of it, and colours that are none */
export async function prepareChange(asked: ChangeAsked): Promise<BlockUpdates | PageEdit> {
  if ('blocks' in asked) return prepareUpdates(asked)
  const { markdown, ...edit } = asked
  const parsed = await readAside(markdown)
  checkCount(countBlocks(parsed))
  return { ...edit, parsed }
}

/** The blocks that a change may write: those that are named, or those of the edited text. */
export const countChanged = (change: BlockUpdates | PageEdit): number =>
  'pageId' in change
    ? countBlocks(change.parsed)
    : change.blocks.reduce((sum, { parsed }) => sum + Math.max(1, countBlocks(parsed)), 0)

/** @throws as {@link updateBlocks} and {@link editPage} do */
export async function changeBlocks(space: Space, change: BlockUpdates | PageEdit) {
  return 'pageId' in change ? editPage(space, change) : updateBlocks(space, change)
}
