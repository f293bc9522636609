/**
 * Edits a page by its text, with the smallest set of changes that turns the page into the edited text.
 *
 * Unchanged blocks are not written at all. Moved blocks are only moved. Changed blocks keep their identity and the
 * fields that text does not carry.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { longestIncreasingSubsequence } from '../../base/increasing-subsequence.ts'
import { BLOCKS_PER_CALL } from '../../base/limits.ts'
import { iterateCooperatively, runCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, BlockFields } from '../../markdown/block.ts'
import { calloutLevels, withCallout } from '../../markdown/callout-levels.ts'
import { assertCellsKept } from '../../markdown/table-cells.ts'
import { INDENTED_CODE_NOTE } from '../blocks/block-input.ts'
import { fieldsFromRow } from '../blocks/block-rows.ts'
import { flattenTree, matchTrees, type TreeMatches } from '../blocks/match-trees.ts'
import { movedTexts, restoreFields } from '../content/visible-fields.ts'
import { assertDeletionAllowed } from '../model/access.ts'
import { restoreText } from '../model/block-links.ts'
import { deleteRows, setPlaces } from '../model/block-writes.ts'
import type { GivenId } from '../model/ids.ts'
import { allocatePositions } from '../model/positions.ts'
import { getRevision, isCurrentRevision } from '../model/revisions.ts'
import type { Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'
import { type AnswerFormat, blockTreeAnswers } from '../reading/block-answer.ts'
import { getBlock } from '../reading/get-block.ts'
import { assertWhiteboardsKept } from '../whiteboards/guard-whiteboard-loss.ts'
import { exportedKey, mergeExportedFields } from './exported-fields.ts'
import { assertTablesStay } from './guard-tables.ts'
import { insertBlockRow, type KnownOfBlocks } from './insert-blocks.ts'
import { assertCollectionsKept, keepCollections, type PageText } from './page-collections.ts'
import {
  buildEditedTree,
  completeKey,
  contentKey,
  idOfBlock,
  type NewTree,
  type OldTree,
  readBlockIds,
  readCurrentTree,
  validateIds,
  withKnownIds,
} from './page-trees.ts'
import { mergeParsedFields } from './parsed-fields.ts'
import { writeBlock } from './write-block.ts'

/** An edited text, parsed before the transaction begins. */
export interface PageEdit extends PageText {
  pageId: GivenId
  revision: string
  answer: AnswerFormat
  /** The present text of the page, if it was read. */
  current?: string
}

/**
 * @throws NOT_FOUND_ERROR; CONFLICT with the current text if the page's document changed since the revision was read;
 *   VALIDATION_ERROR for a block that is not a page, a text that omits a collection or a drawn whiteboard or changes
 *   what a collection shows, an ID that the page does not hold, or an ID that is used twice; FORBIDDEN for a text that omits blocks
 *   if the link may not delete
 */
export async function editPage(space: Space, { pageId, revision, answer, current, ...text }: PageEdit) {
  const page = await space.getBlock(pageId)
  if (page.type !== 'page' && page.type !== 'collectionItem') {
    throw invalid(`Expected a page or document as pageId, found ${pageId} of type ${page.type}; change it by blocks.`)
  }
  await assertOnlyTasks(space, page, text.parsed)
  if (!(await isCurrentRevision(space, page.document, revision))) throw await revisionConflict(space, page, revision)
  const edit = await replacePageContent(space, page, text, {}, current)
  if (edit.isEmpty) return { items: [], ...edit.lists, revision }
  const items = await blockTreeAnswers(
    space,
    edit.writtenRows.map((row) => ({ row, content: [] })),
    answer,
  )
  return { items, ...edit.lists, revision: await getRevision(space, page.document) }
}

/** The changes to a page, with IDs as the connection spells them. */
export interface PageChanges {
  lists: Record<'added' | 'changed' | 'moved' | 'deleted', string[]>
  isEmpty: boolean
  /** The added and changed blocks, in reading order. */
  writtenRows: readonly BlockRow[]
  /** The stored row of each given block. */
  rows: ReadonlyMap<Block, BlockRow>
  /** Those rows that are new. */
  newRows: ReadonlySet<BlockRow>
}

/**
 * Replaces the content of a page with the given blocks, by the smallest set of changes.
 *
 * @param text  the blocks, and the tags around them if they are the text of an item
 * @param known  what is known about the blocks. Blocks with `haveAllFields` may include collections and their items, whose
 *   values are left unchanged, and may omit drawn whiteboards
 * @param current  the present text of the page, if it is known
 * @throws as {@link editPage} does, except for revisions
 */
export async function replacePageContent(
  space: Space,
  page: BlockRow,
  text: PageText,
  known: KnownOfBlocks = {},
  current?: string,
): Promise<PageChanges> {
  const keyOf = known.areExported ? exportedKey : known.haveAllFields ? completeKey : contentKey
  const { parsed: blocks } = text
  const before = await readCurrentTree(space, page, keyOf, known.haveAllFields !== true)
  const ids = await readBlockIds(space, blocks)
  if (!known.haveAllFields) await keepCollections(space, before, text, ids, current)
  const after = await runCooperatively(buildEditedTree(space, before, blocks, idOfBlock(before, ids, known), keyOf))
  validateIds(before, after)
  const matches = withKnownIds(await matchTrees(before, after), known)
  if (!known.haveAllFields) {
    assertCollectionsKept(space, before, matches)
    assertTablesStay(before, after, matches)
  }
  const edit = new PageEditor(space, before, matches, known)
  await edit.apply(after)
  return edit
}

async function revisionConflict(space: Space, page: BlockRow, revision: string): Promise<ScriptoriumError> {
  const current = await getRevision(space, page.document)
  const options = { id: page.id, maxDepth: -1, fetchMetadata: false, maxBlocks: BLOCKS_PER_CALL } as const
  const { body: message, rest } = await getBlock(space, { ...options, format: 'markdown' })
  const found = `Expected revision ${current}, found ${revision}: the document has changed since that was read.`
  // Other writes wait while the text is read. A longer page cannot be edited by its text either.
  if (rest !== undefined) {
    return new ScriptoriumError('CONFLICT', `${found} Read it again with blocks_get, and change its blocks one by one.`)
  }
  return new ScriptoriumError(
    'CONFLICT',
    `${found} Make your change in the present text, which is in details, and send it with revision ${current}.`,
    [{ path: 'markdown', message }],
  )
}

class PageEditor implements PageChanges {
  readonly writtenRows: BlockRow[] = []
  readonly rows = new Map<Block, BlockRow>()
  readonly newRows = new Set<BlockRow>()
  readonly lists = { added: [] as string[], changed: [] as string[], moved: [] as string[], deleted: [] as string[] }
  readonly #space: Space
  readonly #before: OldTree
  readonly #matches: TreeMatches
  readonly #known: KnownOfBlocks
  readonly #restoreMoved: <B extends BlockFields>(block: B) => B
  /** IDs of new blocks, by the blocks of the text. */
  #newIds: ReadonlyMap<Block, number> = new Map()

  constructor(space: Space, before: OldTree, matches: TreeMatches, known: KnownOfBlocks) {
    this.#space = space
    this.#before = before
    this.#matches = matches
    this.#known = known
    const olds = flattenTree(before) as OldTree[]
    const written = new Map([...matches].map(([tree, old]) => [old, (tree as NewTree).block]))
    this.#restoreMoved = movedTexts(
      olds.map((old) => ({ seen: old.fields, stored: fieldsFromRow(old.row), written: written.get(old) })),
    )
  }

  get isEmpty(): boolean {
    return Object.values(this.lists).every((list) => list.length === 0)
  }

  async apply(after: NewTree): Promise<void> {
    await this.#drawIds(after)
    const waiting: [NewTree, BlockRow][] = [[after, this.#before.row]]
    await this.#updateBlockContent(after)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [tree, row] = next
      if (tree !== after) this.rows.set(tree.block, row)
      const rows = await this.#arrangeChildren(tree, row)
      // Last to first, because the stack reverses them: written blocks are then listed in reading order.
      for (let index = tree.content.length - 1; index >= 0; index--) {
        const [inner, innerRow] = [tree.content[index], rows[index]]
        if (inner !== undefined && innerRow !== undefined) waiting.push([inner, innerRow])
      }
    }
    await this.#deleteUnmatched()
  }

  /** Draws the IDs of several new blocks in reading order, as `idsInReadingOrder` does. */
  async #drawIds(after: NewTree): Promise<void> {
    if (this.#known.ids !== undefined) return
    const added: Block[] = []
    const waiting = [after]
    for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
      if (this.#matchOf(tree) === undefined) added.push(tree.block)
      for (let index = tree.content.length - 1; index >= 0; index--) waiting.push(tree.content[index] as NewTree)
    }
    if (added.length < 2) return
    const ids = await this.#space.newIds(added.length)
    this.#newIds = new Map(added.map((block, index) => [block, ids[index] ?? 0]))
  }

  /** Puts the children of a page in order. Blocks that can stay do; the others are moved or added around them. */
  async #arrangeChildren(tree: NewTree, parent: BlockRow): Promise<BlockRow[]> {
    const old = this.#matchOf(tree)
    const staying = this.#findStaying(tree.content, old?.content ?? [])
    const rows: BlockRow[] = []
    let neighbour: BlockRow | undefined
    for (let index = 0; index < tree.content.length; ) {
      const run = runLength(tree.content, staying, index)
      const placed = tree.content.slice(index, index + run)
      const target = neighbour
        ? ({ parent, at: 'after', sibling: neighbour } as const)
        : ({ parent, at: 'start' } as const)
      const positions = run > 0 ? await allocatePositions(this.#space, target, run) : []
      for await (const [at, one] of iterateCooperatively(placed.entries())) {
        rows.push(await this.#placeBlock(one, parent, positions[at] ?? 0))
      }
      const anchor = tree.content[index + run]
      if (anchor !== undefined) {
        await this.#updateBlockContent(anchor)
        const row = this.#matchOf(anchor)?.row
        if (row !== undefined) rows.push(row)
        await yieldToEventLoop()
      }
      neighbour = rows.at(-1)
      index += run + 1
    }
    return rows
  }

  #findStaying(content: readonly NewTree[], olds: readonly OldTree[]): Set<NewTree> {
    const index = new Map(olds.map((old, at) => [old, at]))
    const matched = content.filter((one) => index.has(this.#matchOf(one) as OldTree))
    const increasing = longestIncreasingSubsequence(matched.map((one) => index.get(this.#matchOf(one) as OldTree) ?? 0))
    return new Set(matched.filter((_, at) => increasing.has(at)))
  }

  #matchOf(tree: NewTree): OldTree | undefined {
    return this.#matches.get(tree) as OldTree | undefined
  }

  async #placeBlock(tree: NewTree, parent: BlockRow, position: number): Promise<BlockRow> {
    const old = this.#matchOf(tree)
    if (old !== undefined) {
      await setPlaces(this.#space, [old.row], parent, [position])
      this.lists.moved.push(this.#space.spellId(old.row.id))
      await this.#updateBlockContent(tree)
      return old.row
    }
    const place = { document: parent.document, parent: parent.n, position }
    // Whole blocks have IDs by their identity, and no hidden texts.
    const block = this.#known.haveAllFields ? tree.block : this.#restoreMoved(tree.block)
    const id = this.#newIds.get(tree.block)
    const known = id === undefined ? this.#known : { ...this.#known, ids: new Map([[block, id]]) }
    const row = await insertBlockRow(this.#space, block, place, known)
    this.lists.added.push(this.#space.spellId(row.id))
    this.writtenRows.push(row)
    this.newRows.add(row)
    return row
  }

  async #updateBlockContent(tree: NewTree): Promise<void> {
    const old = this.#matchOf(tree)
    if (old === undefined || old.key === tree.key) return
    const { row } = old
    const before = fieldsFromRow(row)
    // The source of an import may leave out empty cells.
    if (row.type === 'table' && !this.#known.haveAllFields) assertCellsKept(before.text, tree.block)
    const { areExported, haveAllFields } = this.#known
    const merge = areExported ? mergeExportedFields : haveAllFields ? wholeFields : mergeParsedFields
    const written = tree.type === 'page' ? pageFields(before, tree.block) : merge(before, tree.block)
    const { callout } = tree.block.decorations ?? {}
    const isInBox = tree.type !== 'page' || calloutLevels(before).length > 0 || typeof callout === 'object'
    const boxed = isInBox ? withCallout(written, callout) : written
    const restored = restoreFields({ ...boxed, text: restoreText(row.type, written.text, row.text) }, before)
    const fields = this.#restoreMoved(restored)
    if (tree.block.isIndentedCode === true && fields.indentationLevel !== before.indentationLevel)
      this.#space.notes.add(INDENTED_CODE_NOTE)
    await writeBlock(this.#space, row, fields, { keepsPlace: true, keepsTaskTimes: this.#known.keepsTaskTimes })
    this.lists.changed.push(this.#space.spellId(row.id))
    this.writtenRows.push(row)
  }

  /** Deletes old blocks without a match in the edited text. Their content that is kept has been moved out by now. */
  async #deleteUnmatched(): Promise<void> {
    const matched = new Set(this.#matches.values())
    const removed = (flattenTree(this.#before) as OldTree[]).filter((one) => !matched.has(one))
    const [first] = removed.map(({ row }) => this.#space.spellId(row.id))
    assertDeletionAllowed(this.#space.link, removed.length, {
      expected: 'a text that keeps all blocks of the page',
      found: `${removed.length} left out, the first ${first}`,
      instead: 'put back what you left out',
    })
    const rows = removed.map(({ row }) => row)
    if (!this.#known.haveAllFields) await assertWhiteboardsKept(this.#space, rows)
    await deleteRows(
      this.#space,
      rows.map(({ n }) => n),
      rows.map(({ document }) => document),
    )
    for (const { id } of rows) this.lists.deleted.push(this.#space.spellId(id))
  }
}

function runLength(content: readonly NewTree[], staying: ReadonlySet<NewTree>, from: number): number {
  let end = from
  while (end < content.length && !staying.has(content[end] as NewTree)) end++
  return end - from
}

/** Applies the title and styles of a `<page>` and keeps the other fields. */
function pageFields(before: BlockFields, { text, textStyle, cardLayout }: Block): BlockFields {
  const { textStyle: _style, cardLayout: _layout, ...otherFields } = before
  return { ...otherFields, text, ...(textStyle && { textStyle }), ...(cardLayout && { cardLayout }) }
}

/**
 * The fields of a block from another source. A task whose state does not change keeps the time of its last change of
 * state.
 */
function wholeFields(before: BlockFields, { id: _id, content: _content, ...fields }: Block): BlockFields {
  if (fields.taskInfo === undefined || fields.taskInfo.state !== before.taskInfo?.state) return fields
  const { completedAt, canceledAt } = before.taskInfo
  return {
    ...fields,
    taskInfo: { ...(completedAt && { completedAt }), ...(canceledAt && { canceledAt }), ...fields.taskInfo },
  }
}
