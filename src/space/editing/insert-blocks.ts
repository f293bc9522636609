/** Inserts trees of new blocks. */

import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { ListNumbers } from '../../markdown/list-numbers.ts'
import { countedBlock } from '../../markdown/written-numbers.ts'
import { INDENTED_CODE_NOTE, ignoredTaskInfoNote } from '../blocks/block-input.ts'
import { columnsFromFields } from '../blocks/block-rows.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { withStatedFacts } from '../content/file-facts.ts'
import { canReferenceFile, showsFile, updateFileReference, withReachableFile } from '../content/file-references.ts'
import { insertRows } from '../model/block-writes.ts'
import { allocatePositions, type InsertTarget } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'
import { addRepeatReminders } from '../reminders/repeat-reminders.ts'
import { normalizeTask, withFirstDate } from '../schedule/normalize-task.ts'
import { continueList, mayContinueList, numbersBefore } from './number-items.ts'

/** Rows that are built before the clock is checked. */
const ROWS_PER_STEP = 64

/** Blocks to insert at one place. */
export interface BlocksToInsert {
  blocks: readonly Block[]
  target: InsertTarget
  /** True if the parent was just created and has no children yet, so that all positions are free. */
  isEmpty?: boolean
}

/** What is known about blocks from their source. */
export interface KnownOfBlocks {
  /** IDs that were drawn beforehand because other things refer to them. The other blocks get new IDs. */
  ids?: ReadonlyMap<Block, number>
  /** True if these are the IDs of all blocks. */
  areAllDrawn?: boolean
  /** True if tasks keep their own times of completion or cancellation. */
  keepsTaskTimes?: boolean
  /** True if the blocks have all their fields, including those that text does not carry: dates of tasks, and colors. */
  haveAllFields?: boolean
  /** True if they are from our own export: equal blocks are not written, and changed ones keep what exports leave out. */
  areExported?: boolean
}

/**
 * Inserts blocks with all their content. Each block gets a new ID and the ID in its value is ignored.
 *
 * @throws VALIDATION_ERROR for more blocks than {@link BLOCKS_PER_CALL}, blocks other than tasks in the inbox or
 *   logbook, and wrong statements about a file
 */
export async function insertBlockTrees(
  space: Space,
  blocks: readonly Block[],
  target: InsertTarget,
): Promise<InsertedBlock[]> {
  const [inserted = []] = await insertAllBlockTrees(space, [{ blocks, target }])
  return inserted
}

/** The same for several places at once. @returns the inserted blocks of each place */
export async function insertAllBlockTrees(
  space: Space,
  places: readonly BlocksToInsert[],
  known: KnownOfBlocks = {},
): Promise<InsertedBlock[][]> {
  if (places.length === 0) return []
  // These reads are independent, so the database can answer all of them at once.
  const count = countBlocks(places.flatMap(({ blocks }) => blocks))
  const [{ firstNumber, ids }, positionsOfPlaces] = await Promise.all([
    space.newBlocks(count, known.areAllDrawn ? [] : undefined),
    positionsOf(space, places),
    space.documentRows(places.map(({ target }) => target.parent.document)),
  ])
  let n = firstNumber
  const rows: BlockRow[] = []
  const inserted: InsertedBlock[][] = places.map(() => [])
  const ignored: string[] = []
  // Level by level, because foreign keys require that parents are inserted before their children.
  let level: Siblings[] = []
  for (const [index, place] of places.entries())
    level.push(await topLevelOf(space, place, positionsOfPlaces[index] ?? [], inserted[index] ?? []))
  const idOf = idsInReadingOrder(
    level.flatMap(({ blocks }) => blocks),
    ids,
    known.ids,
  )
  while (level.length > 0) {
    const nextLevel: Siblings[] = []
    for (const { blocks, numbers, document, parent, positions, into } of level) {
      for (const [index, block] of blocks.entries()) {
        const id = idOf.get(block) ?? 0
        const place = { n: n++, id, document, parent, position: positions[index] ?? 0 }
        const isShowing = canReferenceFile(block) || block.styling !== undefined
        const shown = isShowing ? await withReachableFile(space, block) : block
        const fields = block.statedFacts === undefined ? shown : withStatedFacts(shown, block.statedFacts)
        const row = createBlockRow(space, fields, place, known)
        row.number = numbers.nextOwn(countedBlock(fields)) ?? null
        const content: InsertedBlock[] = []
        if (block.ignoredTaskInfo !== undefined) ignored.push(block.ignoredTaskInfo)
        rows.push(row)
        into.push({ row, content })
        const inner = block.content ?? []
        if (inner.length > 0) {
          const positions = spacedPositions(inner.length)
          nextLevel.push({
            blocks: inner,
            numbers: new ListNumbers(),
            document,
            parent: row.n,
            positions,
            into: content,
          })
        }
        if (n % ROWS_PER_STEP === 0) await yieldToEventLoop()
      }
    }
    level = nextLevel
    assertBlockCount(rows.length)
  }
  if (ignored.length > 0) space.notes.add(ignoredTaskInfoNote(ignored))
  await insertRows(space, rows)
  for await (const row of iterateCooperatively(rows.filter(showsFile))) await updateFileReference(space, row)
  await addRepeatReminders(space, rows)
  space.blocksCreated += rows.length
  return inserted
}

/**
 * Assigns ascending IDs to blocks in reading order, so that those of each block with all that it holds are neighbors:
 * the same blocks get the same IDs if they are added one after the other.
 *
 * @param known  blocks that have an ID already
 */
export function idsInReadingOrder(
  blocks: readonly Block[],
  ids: readonly number[],
  known?: ReadonlyMap<Block, number>,
): Map<Block, number> {
  const found = new Map<Block, number>()
  const waiting = blocks.toReversed()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const { content = [] } = block
    found.set(block, known?.get(block) ?? ids[found.size] ?? 0)
    for (let index = content.length - 1; index >= 0; index--) waiting.push(content[index] as Block)
  }
  return found
}

async function topLevelOf(
  space: Space,
  { blocks, target, isEmpty = false }: BlocksToInsert,
  positions: readonly number[],
  into: InsertedBlock[],
): Promise<Siblings> {
  await assertOnlyTasks(space, target.parent, blocks)
  const { document, n: parent } = target.parent
  const isContinued = !isEmpty && mayContinueList(blocks)
  const numbers = isContinued ? await numbersBefore(space, { document, parent }, positions[0] ?? 0) : new ListNumbers()
  const items = isContinued ? continueList(blocks, numbers) : blocks
  return { blocks: items, numbers, document, parent, positions, into }
}

/**
 * Allocates the positions for each place. The places are processed in sequence, since making room for one may move
 * siblings of another.
 */
async function positionsOf(space: Space, places: readonly BlocksToInsert[]): Promise<number[][]> {
  const all: number[][] = []
  for (const { blocks, target, isEmpty } of places) {
    all.push(isEmpty ? spacedPositions(blocks.length) : await allocatePositions(space, target, blocks.length))
  }
  return all
}

/** Blocks that are inserted as children of one parent. */
interface Siblings {
  blocks: readonly Block[]
  /** Drops the numbers that counting gives. */
  numbers: ListNumbers
  document: number
  parent: number
  positions: readonly number[]
  into: InsertedBlock[]
}

const spacedPositions = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * 2 ** 16)

/** Inserts one block without its content. */
export async function insertBlockRow(
  space: Space,
  block: Block,
  place: { document: number; parent: number; position: number },
  known: KnownOfBlocks = {},
): Promise<BlockRow> {
  const knownId = known.ids?.get(block)
  const { firstNumber, ids } = await space.newBlocks(1, knownId === undefined ? undefined : [knownId])
  const fields = await withReachableFile(space, block)
  const row = createBlockRow(space, fields, { n: firstNumber, id: ids[0] ?? 0, ...place }, known)
  await insertRows(space, [row])
  if (showsFile(row)) await updateFileReference(space, row)
  space.blocksCreated++
  return row
}

function createBlockRow(
  space: Space,
  block: Block,
  place: Pick<BlockRow, 'n' | 'id' | 'document' | 'parent' | 'position'>,
  { keepsTaskTimes = false }: KnownOfBlocks,
): BlockRow {
  if (block.isIndentedCode === true) space.notes.add(INDENTED_CODE_NOTE)
  const columns = columnsFromFields(
    keepsTaskTimes ? normalizeTask(space, block, stampsOf(block)) : withFirstDate(space, normalizeTask(space, block)),
  )
  return {
    n: place.n,
    id: place.id,
    document: place.document,
    parent: place.parent,
    position: place.position,
    type: columns.type,
    text: columns.text,
    indentation: columns.indentation,
    listStyle: columns.listStyle,
    number: columns.number,
    attributes: columns.attributes,
    createdAt: space.now,
    createdBy: space.link.author,
    modifiedAt: null,
    modifiedBy: null,
  }
}

/** A task's own times, in the form of the previous state of a task, so that they are kept. */
const stampsOf = ({ taskInfo }: Block): TaskInfo | undefined =>
  taskInfo && {
    state: taskInfo.state,
    ...(taskInfo.completedAt !== undefined && { completedAt: taskInfo.completedAt }),
    ...(taskInfo.canceledAt !== undefined && { canceledAt: taskInfo.canceledAt }),
  }
