/** Changes blocks: one by one, or as the text of a whole page. */
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import type { BlockFieldsInput } from '../blocks/block-input.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import type { AnswerFormat } from '../reading/block-answer.ts'
import { editPage, type PageEdit } from './edit-page.ts'
import { type PreparedBlockUpdates, prepareUpdateBlocks, updateBlocks } from './update-blocks.ts'

export type ChangeBlocksInput =
  | { blocks: readonly (BlockFieldsInput & { id: GivenId })[]; answer: AnswerFormat }
  | { pageId: GivenId; markdown: string; revision: string; answer: AnswerFormat }

/** @throws VALIDATION_ERROR for Markdown that cannot be read, or too much of it, and colours that are none */
export async function prepareChangeBlocks(input: ChangeBlocksInput): Promise<PreparedBlockUpdates | PageEdit> {
  if ('blocks' in input) return prepareUpdateBlocks(input)
  const { markdown, ...edit } = input
  const parsed = await readMarkdownInWorker(markdown)
  assertBlockCount(countBlocks(parsed))
  return { ...edit, parsed }
}

/** The blocks that a change may write: those that are named, or those of the edited text. */
export const countChangedBlocks = (change: PreparedBlockUpdates | PageEdit): number =>
  'pageId' in change
    ? countBlocks(change.parsed)
    : change.blocks.reduce((sum, { parsed }) => sum + Math.max(1, countBlocks(parsed)), 0)

/** @throws as {@link updateBlocks} and {@link editPage} do */
export async function changeBlocks(space: Space, change: PreparedBlockUpdates | PageEdit) {
  return 'pageId' in change ? editPage(space, change) : updateBlocks(space, change)
}
