/** Adds blocks at a position, from Markdown or from blocks. */
import type { Block } from '../../markdown/block.ts'
import { checkCount, countBlocks } from '../../markdown/block-count.ts'
import { findTarget, type Position } from '../positions.ts'
import type { Space } from '../space.ts'
import { type AnswerForm, answerTrees } from './answer.ts'
import { type NewBlock, readNewBlocks, readText } from './input.ts'
import { insertTree } from './insert.ts'

interface Asked {
  markdown?: string | undefined
  blocks?: readonly NewBlock[] | undefined
  position: Position
  answer: AnswerForm
}

interface Ready {
  blocks: readonly Block[]
  position: Position
  answer: AnswerForm
}

/** @throws VALIDATION_ERROR for what cannot be read as blocks, or more of them than one call may write */
export async function prepareAdded({ markdown, blocks = [], position, answer }: Asked): Promise<Ready> {
  const read = markdown === undefined ? await readNewBlocks(blocks) : await readText(markdown)
  checkCount(countBlocks(read))
  return { blocks: read, position, answer }
}

/** @throws NOT_FOUND_ERROR and VALIDATION_ERROR as {@link findTarget} does */
export async function addBlocks(space: Space, { blocks, position, answer }: Ready) {
  const target = await findTarget(space, position)
  const added = await insertTree(space, blocks, target)
  return { items: await answerTrees(space, added, answer, target.landed) }
}
