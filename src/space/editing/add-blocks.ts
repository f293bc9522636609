/** Adds blocks at a position, from Markdown or from blocks. */
import type { Block } from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { readGivenText, UNWRAPPED_NOTE } from '../../markdown/given-text.ts'
import { type NewBlock, parseNewBlocks, parseText } from '../blocks/block-input.ts'
import { type Position, resolvePosition } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { type AnswerFormat, blockTreeAnswers } from '../reading/block-answer.ts'
import { insertBlockTrees } from './insert-blocks.ts'

interface AddBlocksInput {
  markdown?: string | undefined
  blocks?: readonly NewBlock[] | undefined
  position: Position
  answer: AnswerFormat
}

interface PreparedBlocks {
  blocks: readonly Block[]
  isUnwrapped: boolean
  position: Position
  answer: AnswerFormat
}

/** @throws VALIDATION_ERROR for input that cannot be parsed as blocks, or more blocks than one call may write */
export async function prepareAddBlocks({
  markdown,
  blocks = [],
  position,
  answer,
}: AddBlocksInput): Promise<PreparedBlocks> {
  const given = markdown === undefined ? undefined : readGivenText(markdown)
  const parsed = given === undefined ? await parseNewBlocks(blocks) : await parseText(given.text)
  assertBlockCount(countBlocks(parsed))
  return { blocks: parsed, isUnwrapped: given?.isUnwrapped ?? false, position, answer }
}

/** @throws NOT_FOUND_ERROR and VALIDATION_ERROR as {@link resolvePosition} does */
export async function addBlocks(space: Space, { blocks, isUnwrapped, position, answer }: PreparedBlocks) {
  if (isUnwrapped) space.notes.add(UNWRAPPED_NOTE)
  const target = await resolvePosition(space, position)
  const added = await insertBlockTrees(space, blocks, target)
  return { items: await blockTreeAnswers(space, added, answer, target.resolvedDailyNote) }
}
