/**
 * Blocks that were joined with the one above them, while others changed one of them: the words of all are merged, instead
 * of standing in both places.
 */
import { mergeTexts } from '../../../difference/merge-texts.ts'
import { editableText, type Fields, markdownFor } from '../model/block-text.ts'
import { plainStyle, type Step } from '../model/page-step.ts'

/** An entry of `blocks_update`. */
interface TextChange {
  id: string
  markdown?: string
  base?: string
  expectedMarkdown?: string
}

/** A block that got the text of those below it, which are deleted. */
export interface JoinedBlocks {
  kept: TextChange & { markdown: string; base: string }
  deleted: (TextChange & { expectedMarkdown: string })[]
}

/** A block as it is read. */
export type ReadBlock = Fields & { markdown?: string }

/** The blocks of a join, as others have changed them. */
export interface ChangedBlocks {
  /** The look of the block that stays, as it was written. */
  fields: Fields
  /** All of them, the one that stays first. */
  now: readonly ReadBlock[]
}

/** The steps as a block that may have got the text of others; undefined if they do anything else. */
export function joinIn(steps: readonly Pick<Step, 'tool' | 'arguments'>[]): JoinedBlocks | undefined {
  const [update, check, removal, ...others] = steps
  const isJoin =
    update?.tool === 'blocks_update' && check?.tool === 'blocks_update' && removal?.tool === 'blocks_delete'
  if (!isJoin || others.length > 0) return undefined
  const [kept, ...more] = update.arguments.blocks as TextChange[]
  const deleted = (check.arguments.blocks as TextChange[]).filter(isChecked)
  const areChecked = deleted.length === (removal.arguments.blockIds as string[]).length
  return kept !== undefined && isText(kept) && more.length === 0 && areChecked ? { kept, deleted } : undefined
}

const isText = (change: TextChange): change is JoinedBlocks['kept'] =>
  change.markdown !== undefined && change.base !== undefined
const isChecked = (change: TextChange): change is JoinedBlocks['deleted'][number] =>
  change.expectedMarkdown !== undefined

/**
 * The Markdown of the joined blocks as they are now.
 *
 * @returns undefined if they were not joined, or if both sides changed the same words
 */
export function mergeJoined({ kept, deleted }: JoinedBlocks, { fields, now }: ChangedBlocks): string | undefined {
  if (![fields, ...now].every(({ type }) => type === 'text')) return undefined
  const texts = (all: readonly string[]) => all.map((markdown, index) => editableText(markdown, now[index] ?? fields))
  const before = texts([kept.base, ...deleted.map(({ expectedMarkdown }) => expectedMarkdown)])
  const mine = editableText(kept.markdown, fields)
  const end = sharedEnd(mine, before.at(-1) ?? '')
  if (!HAS_WORD.test(end)) return undefined
  const own = mine.slice(0, mine.length - end.length) + BORDER + end
  const theirs = texts(now.map(({ markdown = '' }) => markdown))
  const merged = mergeTexts(before.join(BORDER), own, theirs.join(BORDER))
  return merged === undefined ? undefined : markdownFor(fields, merged.replaceAll(BORDER, ''))
}

/** Stands between the texts, so that the words on both sides stay two. No text contains it. */
const BORDER = '\0'
const HAS_WORD = /[\p{L}\p{N}]/u

/** The steps that join the blocks as they are now. @param markdown  of {@link mergeJoined} */
export function joinAgain({ kept, deleted }: JoinedBlocks, { fields, now }: ChangedBlocks, markdown: string): Step[] {
  const [base = '', ...found] = now.map((block) => block.markdown)
  const checked = deleted.map(({ id }, index) => ({ id, expectedMarkdown: found[index] }))
  return [
    { tool: 'blocks_update', arguments: { blocks: [{ ...kept, markdown, base, ...plainStyle(fields) }] } },
    { tool: 'blocks_update', arguments: { blocks: checked } },
    { tool: 'blocks_delete', arguments: { blockIds: deleted.map(({ id }) => id) } },
  ]
}

/** What both texts end with. */
function sharedEnd(one: string, other: string): string {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length++
  return one.slice(one.length - length)
}
