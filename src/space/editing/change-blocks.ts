/** Changes blocks: one by one, or as the text of a whole page. */
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import type { BlockFieldsInput } from '../blocks/block-input.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import type { AnswerFormat } from '../reading/block-answer.ts'
import { editPage, type PageEdit } from './edit-page.ts'
import { readPageText } from './page-collections.ts'
import { countReplacedBlocks, replaceText, type TextReplacements } from './replace-text.ts'
import { type PreparedBlockUpdates, prepareUpdateBlocks, updateBlocks } from './update-blocks.ts'

export type ChangeBlocksInput =
  | { blocks: readonly (BlockFieldsInput & { id: GivenId })[]; partial: boolean; answer: AnswerFormat }
  | { pageId: GivenId; markdown: string; revision: string; answer: AnswerFormat }
  | TextReplacements

/** A change whose texts were parsed before the transaction begins. */
export type PreparedChange = PreparedBlockUpdates | PageEdit | TextReplacements

/** @throws VALIDATION_ERROR for Markdown that cannot be parsed, too much of it, and invalid colours */
export async function prepareChangeBlocks(input: ChangeBlocksInput): Promise<PreparedChange> {
  if ('blocks' in input) return prepareUpdateBlocks(input)
  if ('replace' in input) return input
  const { markdown, ...edit } = input
  const text = await readPageText(markdown)
  assertBlockCount(countBlocks(text.parsed))
  return { ...edit, ...text }
}

/** The number of blocks that a change may write: the named ones, those of the edited text, or one for each passage. */
export function countChangedBlocks(change: PreparedChange): number {
  if ('replace' in change) return countReplacedBlocks(change)
  if ('pageId' in change) return countBlocks(change.parsed)
  return change.blocks.reduce((sum, { parsed }) => sum + Math.max(1, countBlocks(parsed)), 0)
}

/** @throws as {@link updateBlocks}, {@link editPage} and {@link replaceText} do */
export async function changeBlocks(space: Space, change: PreparedChange) {
  if ('replace' in change) return replaceText(space, change)
  return 'pageId' in change ? editPage(space, change) : updateBlocks(space, change)
}
