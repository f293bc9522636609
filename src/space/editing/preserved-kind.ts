/**
 * A block whose new Markdown has no prefix keeps its kind: `renamed` for a task is a task with another text. `listStyle`,
 * `textStyle` or `decorations` beside the Markdown say what else it is to be.
 */
import type { Block, BlockFields } from '../../markdown/block.ts'
import { readTaskBox } from '../../markdown/task-box.ts'
import type { BlockFieldsInput } from '../blocks/block-input.ts'

const STYLES = ['listStyle', 'textStyle', 'decorations'] as const
type Style = (typeof STYLES)[number]

/** What a caller says of a block beside its new Markdown. */
interface StylesBeside {
  sent: BlockFieldsInput
  /** Without those that the block had already. */
  changed: BlockFieldsInput
}

/**
 * @param parsed  the first block of the new Markdown
 * @param beside  if a style changes, the block keeps only those that are sent as they were
 * @returns the fields that the block keeps, and the names of those that the caller did not send; undefined if the text
 *   has a prefix of its own, or nothing is kept
 */
export function preservedKind(
  before: BlockFields,
  parsed: Block,
  { sent, changed }: StylesBeside,
): { fields: Partial<BlockFields>; name?: string } | undefined {
  const hasPrefix =
    parsed.listStyle !== undefined || parsed.textStyle !== undefined || parsed.decorations?.quote !== undefined
  if (hasPrefix) return undefined
  const { listStyle, textStyle, quote } = preservedStyles(before, sent, changed)
  if (!listStyle && !textStyle && !quote) return undefined
  const { taskInfo, number } = before
  const fields: Partial<BlockFields> = {
    ...(listStyle && { listStyle }),
    ...(listStyle === 'numbered' && number !== undefined && { number }),
    ...(textStyle && { textStyle }),
    ...(quote && { decorations: { ...parsed.decorations, ...before.decorations } }),
  }
  // A box without a dash is the prefix of a task, too: `[x] renamed`.
  const box = listStyle === 'task' ? readTaskBox(parsed.text) : undefined
  if (box !== undefined) return { fields: { ...fields, text: box.text, taskInfo: { ...taskInfo, state: box.state } } }
  const unsaid = [!sent.listStyle && listStyle, !sent.textStyle && textStyle, quote && 'quote'].filter((one) => !!one)
  return {
    fields: { ...fields, ...(listStyle === 'task' && taskInfo && { taskInfo }) },
    ...(unsaid.length > 0 && { name: unsaid.join(' ') }),
  }
}

/** All styles of the block, or if a style changes, those that the caller sent as they were. */
function preservedStyles(before: BlockFields, sent: BlockFieldsInput, changed: BlockFieldsInput) {
  const isChanged = STYLES.some((style) => changed[style] !== undefined)
  const keeps = (style: Style) => !isChanged || (sent[style] !== undefined && changed[style] === undefined)
  return {
    listStyle: keeps('listStyle') ? before.listStyle : undefined,
    textStyle: keeps('textStyle') ? before.textStyle : undefined,
    quote: keeps('decorations') ? before.decorations?.quote : undefined,
  }
}

/** @param kept  the blocks, each with its kind */
export const keptNote = (kept: readonly string[]): string =>
  `Kept as what they were, since their markdown has no prefix: ${kept.slice(0, SHOWN).join(', ')}${kept.length > SHOWN ? ` and ${kept.length - SHOWN} more` : ''}. listStyle "none" or textStyle "body" beside markdown makes plain text.`

const SHOWN = 5
