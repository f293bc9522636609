/**
 * What a caller of blocks_update believes to be in a block. With `expected`, a block that is another one by now is left
 * alone. With `base`, the words that the caller changed are merged with those that others changed since.
 */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { mergeTexts } from '../../difference/merge-texts.ts'
import { PairCount } from '../../difference/pair-count.ts'
import { MERGED_PAIRS } from '../../difference/text-edits.ts'
import type { Block, BlockFields, BlockType } from '../../markdown/block.ts'
import { hasTitle } from '../../markdown/block-traits.ts'
import { plainTitle, readTitle, type Title, writeTitle } from '../../markdown/inline-title.ts'
import { blockMarkdown } from '../../markdown/write-markdown.ts'
import { asListItem } from '../../markdown/written-numbers.ts'
import { type BlockFieldsInput, parseText } from '../blocks/block-input.ts'
import { visibleFields } from '../content/visible-fields.ts'
import type { Expected, FoundFields } from '../model/conditions.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { mergeParsedFields } from './parsed-fields.ts'

/** A partial block, with the blocks that were parsed from its Markdown before the transaction begins. */
export interface PreparedBlockUpdate {
  id: GivenId
  input: BlockFieldsInput
  parsed: readonly Block[]
  /** The blocks that were parsed from what the caller believes to be there. */
  expected: readonly Block[]
}

/**
 * Parses the texts of an entry.
 *
 * @param path  of the entry in the call, such as `blocks[0]`
 * @throws VALIDATION_ERROR for Markdown that cannot be parsed, and for several conditions at once
 */
export async function prepareBlockUpdate(
  input: BlockFieldsInput & { id: GivenId },
  path: string,
): Promise<PreparedBlockUpdate> {
  const { id, markdown, base } = input
  if (base !== undefined) assertMergeable(input, path)
  const parsed = markdown === undefined ? [] : await parseText(markdown)
  const believed = isTitleMerge(input) ? undefined : believedMarkdown(input)
  return { id, input, parsed, expected: believed === undefined ? [] : await parseText(believed) }
}

function assertMergeable(input: BlockFieldsInput, path: string): void {
  const [text, other] = TEXTS.filter((key) => input[key] !== undefined)
  const hasCondition = CONDITIONS.some((key) => (input[key] ?? undefined) !== undefined)
  if ((text === 'markdown' || text === 'title') && other === undefined && !hasCondition) return
  const message =
    text === undefined
      ? 'Expected the new markdown or title beside base, found none; base is the text that it was made from.'
      : hasCondition
        ? 'Expected base or a condition, found both; base merges with what others changed, expected and revision refuse it.'
        : `Expected markdown or title as the only text beside base, found ${other ?? text}${other === undefined ? '' : ' as well'}; leave it out.`
  throw mergeFault(message, path)
}

const mergeFault = (message: string, path: string) =>
  invalid(`At ${path}.base: ${message}`, [{ path: `${path}.base`, message }])

const CONDITIONS = ['expected', 'expectedMarkdown', 'revision'] as const
/** Fields that set the text of a block. */
const TEXTS = ['markdown', 'title', 'rawCode', 'rows'] as const

const isTitleMerge = ({ base, title }: BlockFieldsInput): boolean => base !== undefined && title !== undefined

/** Types whose title can be given as a field of its own, with its marks. */
const MERGED_TITLES: ReadonlySet<string> = new Set<BlockType>(['page', 'collectionItem'])

/** The condition of an entry. For a merge, it is that what others changed can be merged. */
export const expectationOf = ({ input }: PreparedBlockUpdate): Expected | undefined => {
  const markdown = believedMarkdown(input)
  return markdown === undefined ? undefined : { markdown }
}

const believedMarkdown = ({ base, expected, expectedMarkdown }: BlockFieldsInput): string | undefined =>
  base ?? expected?.markdown ?? expectedMarkdown

/** What the merges of one call share. */
export class Merges<Update> {
  /** The entries with the text of both, by those that were sent. */
  readonly entries = new Map<Update, Update>()
  readonly pairs = new PairCount(MERGED_PAIRS)
}

/**
 * What conditions can name of a block: its Markdown. A block is as its caller expects if its Markdown is the expected
 * one, if writing the expected one would not change it, or if both changes can be merged. What the call itself would
 * write does not matter.
 *
 * @param merges  gets the entries that write the changes of both
 */
export async function readMarkdown<Update extends PreparedBlockUpdate & { path: string }>(
  space: Space,
  updates: readonly Update[],
  rows: ReadonlyMap<number, BlockRow>,
  merges: Merges<Update>,
): Promise<(FoundFields | undefined)[]> {
  const visible = await visibleFields(
    space,
    updates.flatMap(({ id }) => rows.get(id.number) ?? []),
  )
  const found: (FoundFields | undefined)[] = []
  for await (const update of iterateCooperatively(updates)) {
    const row = rows.get(update.id.number)
    const markdown = believedMarkdown(update.input) ?? ''
    if (row === undefined) found.push(undefined)
    else if (isTitleMerge(update.input)) {
      assertHasTitle(row, update.path)
      const isSame = isTitleWritten(visible(row), update.input.title, markdown)
      const both = isSame ? undefined : mergeTitleUpdate(visible(row), update, merges.pairs)
      if (both !== undefined) merges.entries.set(update, both)
      found.push({ markdown: isSame || both ? markdown : titleAs(visible(row), update.input.title) })
    } else if (matchesMarkdown(visible(row), markdown, update.expected)) found.push({ markdown })
    else {
      const both = await mergeUpdate(visible(row), update, merges.pairs)
      if (both !== undefined) merges.entries.set(update, both)
      found.push({ markdown: both === undefined ? blockMarkdown(visible(row)) : markdown })
    }
  }
  return found
}

/** @returns undefined if there is nothing to merge, or both changed the same words */
async function mergeUpdate<Update extends PreparedBlockUpdate>(
  now: BlockFields,
  update: Update,
  pairs: PairCount,
): Promise<Update | undefined> {
  const { base, markdown = '' } = update.input
  const text = base === undefined ? undefined : mergeTexts(base, markdown, blockMarkdown(now), pairs)
  if (text === undefined) return undefined
  const parsed = await parseText(text)
  const [first] = parsed
  // Each side alone has as many cells in each row, and is one block of this type.
  const isWhole = hasTitle(now.type) || (first?.type === now.type && first.shortRows === undefined)
  return isWhole ? { ...update, input: { ...update.input, markdown: text }, parsed } : undefined
}

function assertHasTitle({ type }: BlockRow, path: string): void {
  if (MERGED_TITLES.has(type)) return
  throw mergeFault(
    `Expected base beside the title of a page or an item, found one of type ${type}; give its markdown beside base.`,
    path,
  )
}

/** The title in the form that base has: with its marks beside a title with marks, or else as its characters. */
const titleAs = ({ text }: BlockFields, title: Title | string | undefined): string =>
  typeof title === 'object' ? writeTitle(readTitle(text)) : plainTitle(text)

/** Of a title without marks, base may also be its characters as they are. */
const isTitleWritten = (now: BlockFields, title: Title | string | undefined, base: string): boolean =>
  titleAs(now, title) === base || (plainTitle(now.text) === base && readTitle(now.text).attributes.length === 0)

/** @returns undefined if both changed the same words */
function mergeTitleUpdate<Update extends PreparedBlockUpdate>(
  now: BlockFields,
  update: Update,
  pairs: PairCount,
): Update | undefined {
  const { base = '', title = '' } = update.input
  const mine = typeof title === 'object' ? writeTitle(title) : title
  const text = mergeTexts(base, mine, titleAs(now, title), pairs)
  if (text === undefined) return undefined
  return { ...update, input: { ...update.input, title: typeof title === 'object' ? readTitle(text) : text } }
}

/** True if writing this Markdown would not change the block. */
function matchesMarkdown(visible: BlockFields, markdown: string, parsed: readonly Block[]): boolean {
  if (isUnchanged(visible, markdown)) return true
  const [first, ...following] = visible.listStyle === 'numbered' ? parsed.map(asListItem) : parsed
  if (first === undefined || first.type !== visible.type || following.length > 0) return false
  return blockMarkdown(mergeParsedFields(visible, first)) === blockMarkdown(visible)
}

/**
 * True for Markdown that is written back exactly as it was read. It changes nothing, not even links that are hidden
 * from the reader.
 */
export const isUnchanged = (visible: BlockFields, markdown: string | undefined): boolean =>
  markdown === undefined || markdown === blockMarkdown(visible)
