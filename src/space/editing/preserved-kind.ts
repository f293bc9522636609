/**
 * A block whose new Markdown has no prefix keeps its kind: `renamed` for a task is a task with other words. `listStyle`,
 * `textStyle` or `decorations` beside the Markdown say what else it is to be.
 */
import type { Block, BlockFields } from '../../markdown/block.ts'
import { readTaskBox } from '../../markdown/task-box.ts'
import type { BlockFieldsInput } from '../blocks/block-input.ts'

/** True if the caller says what kind of block it is to be. */
export const hasStyle = ({ listStyle, textStyle, decorations }: BlockFieldsInput): boolean =>
  listStyle !== undefined || textStyle !== undefined || decorations !== undefined

/**
 * @param parsed  the first block of the new Markdown
 * @returns the fields that the block keeps, and their name; undefined if the text has a prefix of its own, or the block
 *   was plain
 */
export function preservedKind(
  before: BlockFields,
  parsed: Block,
): { fields: Partial<BlockFields>; name?: string } | undefined {
  const { listStyle, number, textStyle, decorations, taskInfo } = before
  const isPlain =
    parsed.listStyle === undefined && parsed.textStyle === undefined && parsed.decorations?.quote === undefined
  if (!isPlain) return undefined
  const quote = decorations?.quote
  const names = [listStyle, textStyle, quote && 'quote'].filter((name) => name !== undefined)
  if (names.length === 0) return undefined
  const fields: Partial<BlockFields> = {
    ...(listStyle && { listStyle }),
    ...(listStyle === 'numbered' && number !== undefined && { number }),
    ...(textStyle && { textStyle }),
    ...(quote && { decorations: { ...parsed.decorations, ...decorations } }),
  }
  if (listStyle !== 'task') return { fields, name: names.join(' ') }
  // A box without a dash is the prefix of a task, too: `[x] renamed`.
  const box = readTaskBox(parsed.text)
  if (box === undefined) return { fields: { ...fields, ...(taskInfo && { taskInfo }) }, name: names.join(' ') }
  return { fields: { ...fields, text: box.text, taskInfo: { ...taskInfo, state: box.state } } }
}

/** @param kept  the blocks, each with its kind */
export const keptNote = (kept: readonly string[]): string =>
  `Kept as what they were, since their markdown has no prefix: ${kept.slice(0, SHOWN).join(', ')}${kept.length > SHOWN ? ` and ${kept.length - SHOWN} more` : ''}. listStyle "none" or textStyle "body" beside markdown makes plain text.`

const SHOWN = 5
