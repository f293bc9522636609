/** Changes the content and appearance of blocks. Fields that are not given stay unchanged. */

import { parentBlock } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { blockPosition } from '../../../storage/siblings.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { hasTitle } from '../../markdown/block-traits.ts'
import { calloutLevels } from '../../markdown/callout-levels.ts'
import {
  assertTitle,
  plainTitle,
  readTitle,
  type Title,
  titleFromPlain,
  writeTitle,
} from '../../markdown/inline-title.ts'
import { assertCellsKept, changeTableRows } from '../../markdown/table-cells.ts'
import { assertSafeFields, assertSafeText } from '../../markdown/unsafe-addresses.ts'
import { inCalloutsOf } from '../../markdown/written-callouts.ts'
import { asListItem, withOwnNumber } from '../../markdown/written-numbers.ts'
import {
  applyFields,
  type BlockFieldsInput,
  INDENTED_CODE_NOTE,
  ignoredTaskInfoNote,
  ignoresTaskInfo,
  requireBlockOfType,
  statedFactsIn,
} from '../blocks/block-input.ts'
import { fieldsFromRow, levelOfRow } from '../blocks/block-rows.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { transferCalloutStarts } from '../blocks/callout-starts.ts'
import { assertNoRowsRemoved } from '../blocks/guard-table-rows.ts'
import { withoutAsRead } from '../blocks/named-twice.ts'
import { commentTagKeeper } from '../comments/comment-threads.ts'
import { restoreFields, visibleFields } from '../content/visible-fields.ts'
import { noteHolders } from '../leases/report-holders.ts'
import { restoreText } from '../model/block-links.ts'
import { type Differences, entriesAsExpected } from '../model/conditions.ts'
import type { GivenId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import type { Space } from '../model/space.ts'
import { checkAsRead, checkRevisions, type SentBlock } from '../reading/as-read.ts'
import { type AnswerFormat, blockTreeAnswers } from '../reading/block-answer.ts'
import {
  expectationOf,
  isUnchanged,
  Merges,
  type PreparedBlockUpdate,
  prepareBlockUpdate,
  readMarkdown,
} from './block-conditions.ts'
import { insertBlockTrees } from './insert-blocks.ts'
import { refreshRows } from './move-blocks.ts'
import { continueList, mayContinueList, numbersBefore } from './number-items.ts'
import { mergeParsedFields } from './parsed-fields.ts'
import { keptNote, preservedKind } from './preserved-kind.ts'
import { BlockUpdateBatch, writeBlock } from './write-block.ts'

interface UpdateBlocksInput<Update> {
  blocks: readonly Update[]
  /** True to change the other blocks if conditions of some do not hold. */
  partial?: boolean
  answer: AnswerFormat
}

/** A partial block with its place in the call. */
type SentUpdate = PreparedBlockUpdate & SentBlock

export type PreparedBlockUpdates = UpdateBlocksInput<PreparedBlockUpdate>

/** @throws VALIDATION_ERROR for Markdown that cannot be parsed, and addresses that run code */
export async function prepareUpdateBlocks({
  blocks,
  ...others
}: UpdateBlocksInput<BlockFieldsInput & { id: GivenId }>): Promise<PreparedBlockUpdates> {
  const updates: PreparedBlockUpdate[] = []
  for (const [index, input] of blocks.entries()) {
    for (const { markdown = '', cells = [] } of input.rows ?? []) [markdown, ...cells].forEach(assertSafeText)
    updates.push(await prepareBlockUpdate(input, `blocks[${index}]`))
    await yieldToEventLoop()
  }
  return { blocks: updates, ...others }
}

/**
 * Returns the changed blocks in the given order, each followed by the blocks that its Markdown adds after it.
 *
 * @throws NOT_FOUND_ERROR; CONFLICT for a block that is not as the caller expects; VALIDATION_ERROR for another type,
 *   fields that the type lacks, and the title of a daily note
 */
export async function updateBlocks(space: Space, { blocks: all, partial = false, answer }: PreparedBlockUpdates) {
  const rows = new Map((await space.getBlocks(all.map(({ id }) => id))).map((row) => [row.id, row]))
  // Checked even if a change would turn out to be none: the caller that made that change first must be the only one
  // that succeeds. A further change of a block is checked against the one before it.
  const named = new Set<number>()
  const entries = all.map((update, index) => ({ ...update, row: rowOf(rows, update), path: `blocks[${index}]` }))
  const further = new Set(entries.filter(({ id }) => named.size === named.add(id.number).size))
  const check = (isDue: (update: SentUpdate) => boolean, differences: Differences<SentUpdate> = new Map()) =>
    entriesAsExpected({
      ...{ entries, noun: 'block', isPartial: partial, differences },
      pathOf: (index) => `blocks[${index}]`,
      idOf: ({ id }) => space.spellId(id.number),
      expectedOf: (update) => (isDue(update) ? expectationOf(update) : undefined),
      read: (some) => readMarkdown(space, some, rows, merges),
    })
  const merges = new Merges<SentUpdate>()
  const errors = new InputErrors()
  const sinceRead = await checkRevisions(space, entries, errors)
  errors.throwIfAny()
  const { held, conflicts } = await check((update) => !further.has(update), sinceRead.differences)
  const different = await checkAsRead(space, held, errors, sinceRead.stale)
  conflicts.push(...(await check(() => false, different)).conflicts)
  errors.throwIfAny()
  const updates = held.filter((update) => !different.has(update))
  const visible = await visibleFields(space, [...rows.values()])
  const changed: InsertedBlock[] = []
  const keptKinds: string[] = []
  const ignored: string[] = []
  const merged: string[] = []
  const batch = new BlockUpdateBatch(space, await commentTagKeeper(space, [...rows.values()]))
  for await (const sent of iterateCooperatively(updates)) {
    const { row } = sent
    if (further.has(sent)) {
      const later = await check((one) => one === sent)
      conflicts.push(...later.conflicts)
      if (later.conflicts.length > 0) continue
    }
    const update = merges.entries.get(sent) ?? sent
    if (update !== sent) merged.push(space.spellId(row.id))
    assertNoRowsRemoved(space, update.id, update.input.rows)
    const { fields, following, kept } = await applyUpdateInList(space, row, visible(row), update)
    if (kept !== undefined) keptKinds.push(`${space.spellId(row.id)} (${kept})`)
    if (ignoresTaskInfo(fields, update.input)) ignored.push(space.spellId(row.id))
    if (update.parsed[0]?.isIndentedCode === true && fields.indentationLevel !== visible(row).indentationLevel) {
      space.notes.add(INDENTED_CODE_NOTE)
    }
    const { document } = row
    if (calloutLevels(fields).length < calloutLevels(visible(row)).length) {
      await batch.write()
      await transferCalloutStarts(space, [row])
    }
    const knowsDate = update.input.revision !== undefined
    await writeBlock(space, row, fields, { batch, knowsDate, stated: statedFactsIn(update.input, update.path) })
    if (row.document !== document) await refreshRows(space, row, [...rows.values()])
    changed.push({ row, content: [] })
    if (following.length === 0) continue
    await batch.write()
    changed.push(...(await insertAfter(space, row, following)))
  }
  await batch.write()
  await noteHolders(
    space,
    changed.map(({ row }) => row),
    'written',
  )
  if (ignored.length > 0) space.notes.add(ignoredTaskInfoNote(ignored))
  if (merged.length > 0) space.notes.add(mergedNote(merged))
  const items = await blockTreeAnswers(space, changed, answer)
  conflicts.sort((one, other) => one.index - other.index)
  return {
    items,
    ...(conflicts.length > 0 && { conflicts }),
    ...(keptKinds.length > 0 && { note: keptNote(keptKinds) }),
  }
}

const mergedNote = (blocks: readonly string[]): string =>
  `Merged with what others changed: ${blocks.slice(0, SHOWN).join(', ')}${blocks.length > SHOWN ? ` and ${blocks.length - SHOWN} more` : ''}; read the text before you change it again.`

/** Blocks that a note names. */
const SHOWN = 5

function rowOf(rows: ReadonlyMap<number, BlockRow>, { id }: PreparedBlockUpdate): BlockRow {
  const row = rows.get(id.number)
  if (row === undefined) throw new Error(`Expected block ${id} among those found.`)
  return row
}

/** The same as {@link applyUpdate}, where the number of an item depends on the list before it. */
async function applyUpdateInList(space: Space, row: BlockRow, visible: BlockFields, update: PreparedBlockUpdate) {
  const sent = update.input.number
  const depends = mayContinueList(update.parsed) || typeof sent === 'number'
  if (!depends || row.parent === null || isUnchanged(visible, update.input.markdown))
    return applyUpdate(row, visible, update)
  const { document, parent } = row
  const position = (await blockPosition(space.tx, row.n)) ?? row.position
  const numbers = await numbersBefore(space, { document, parent }, position)
  const [first, ...others] = row.listStyle === 'numbered' ? update.parsed.map(asListItem) : update.parsed
  const parsed = first === undefined ? [] : continueList([withLevel(first, row), ...others], numbers)
  const { fields, ...applied } = applyUpdate(row, visible, { ...update, parsed })
  return { fields: withOwnNumber(fields, numbers), ...applied }
}

/** A line without indentation stays on the level of its block. */
function withLevel(block: Block, row: BlockRow): Block {
  const level = levelOfRow(row)
  return block.indentationLevel === undefined && level > 0 ? { ...block, indentationLevel: level } : block
}

/** Returns a block's fields after an update, and the blocks to add after it. */
function applyUpdate(row: BlockRow, visible: BlockFields, { id, input, parsed }: PreparedBlockUpdate) {
  const before = fieldsFromRow(row)
  if (input.type !== undefined && input.type !== before.type) {
    throw invalid(
      `Expected type ${before.type} of block ${id}, found ${input.type}; a block keeps its type, add another with blocks_add.`,
    )
  }
  const isAsRead = isUnchanged(visible, input.markdown)
  const given = isAsRead ? input : withoutAsRead(input, before)
  const { fields, following, kept } = isAsRead
    ? { fields: before, following: [], kept: undefined }
    : applyMarkdown(before, { sent: input, changed: given }, parsed)
  const restored = { ...fields, text: restoreText(row.type, fields.text, row.text) }
  const { content: _asRead, base: _base, expected: _expected, expectedMarkdown: _alias, ...changes } = given
  const changed = restoreFields(applyFields(applyText(restored, visible, changes), changes), before)
  // The Markdown was checked when it was parsed.
  assertSafeFields(changed, typeof input.title === 'object' ? before : { ...before, text: changed.text })
  return { fields: changed, following, kept }
}

function applyMarkdown(
  before: BlockFields,
  input: { sent: BlockFieldsInput; changed: BlockFieldsInput },
  parsed: readonly Block[],
): AppliedMarkdown {
  const { markdown = '' } = input.sent
  if (hasTitle(before.type)) {
    const text = assertTitle(titleFromPlain(titleLine(before, markdown)))
    if (before.type === 'collection') validateCollectionName(plainTitle(text))
    return { fields: { ...before, text }, following: [] }
  }
  const [first, ...others] = parsed
  const same = first?.type === before.type ? first : requireBlockOfType(before.type, parsed)
  if (before.type === 'table') assertCellsKept(before.text, same)
  const [own = same, ...following] = inCalloutsOf(before, [same, ...others])
  const fields = mergeParsedFields(before, own)
  const kind = preservedKind(before, own, input)
  return kind === undefined
    ? { fields, following }
    : { fields: { ...fields, ...kind.fields }, following, kept: kind.name }
}

/** @throws VALIDATION_ERROR for several lines, which are the text of the page and not its title */
function titleLine({ type }: BlockFields, markdown: string): string {
  if (/[\r\n]/.test(markdown.trim())) {
    throw invalid(
      `Expected the title of the ${type} as its markdown, on one line, found several lines; to change the text of a page, send pageId with replace, or pageId with the whole markdown and the revision that was read; to add to it, use blocks_add.`,
    )
  }
  return markdown
}

interface AppliedMarkdown {
  fields: BlockFields
  following: Block[]
  /** The kind that the block kept although its new text does not say it. */
  kept?: string | undefined
}

/** Validates the name like schema_update does, so that a schema that was read can be written back. */
function validateCollectionName(name: string): void {
  const { length } = Array.from(name)
  if (name.trim() !== '' && length <= TITLE_LENGTH) return
  const found = name.trim() === '' ? 'none' : formatNumber(length)
  throw invalid(
    `Expected a name of 1 to ${formatNumber(TITLE_LENGTH)} characters for the collection, found ${found}; give another.`,
  )
}

function applyText(
  fields: BlockFields,
  visible: BlockFields,
  { markdown, title, rawCode, rows }: BlockFieldsInput,
): BlockFields {
  if (rows !== undefined && fields.type === 'table') return { ...fields, text: changeTableRows(fields.text, rows) }
  if (rawCode !== undefined && fields.type === 'code') return { ...fields, text: rawCode }
  if (title === undefined || (fields.type !== 'page' && fields.type !== 'collectionItem')) return fields
  // Written back as it was read, beside Markdown that may have changed; or the title that the Markdown sets.
  if (isTitleOf(visible, title) || (markdown !== undefined && isTitleOf(fields, title))) return fields
  if (typeof title === 'object') {
    return { ...fields, text: assertTitle(restoreText(fields.type, writeTitle(title), fields.text)) }
  }
  return { ...fields, text: restoreText(fields.type, titleFromPlain(title), fields.text) }
}

/** True if the block has this title already. */
const isTitleOf = ({ text }: BlockFields, title: string | Title): boolean =>
  typeof title === 'string' ? title === plainTitle(text) : writeTitle(title) === writeTitle(readTitle(text))

async function insertAfter(space: Space, row: BlockRow, following: readonly Block[]): Promise<InsertedBlock[]> {
  const parent = await parentBlock(space.tx, row)
  if (parent === undefined) throw invalid('Expected one line as the title of a document, found several blocks.')
  return insertBlockTrees(space, following, { parent, at: 'after', sibling: row })
}
