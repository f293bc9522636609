/** Inserts trees of new blocks. */

import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block, TaskInfo } from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { columnsFromFields } from '../blocks/block-rows.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { canReferenceFile, updateFileReference, withReachableFile } from '../content/file-references.ts'
import { insertRows } from '../model/block-writes.ts'
import { allocatePositions, type InsertTarget } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'
import { assertFileFacts } from '../reading/as-read.ts'
import { addRepeatReminders } from '../reminders/repeat-reminders.ts'
import { normalizeTask } from '../schedule/normalize-task.ts'

/** Rows that are made before a look at the clock. */
const ROWS_PER_STEP = 64

/** Blocks for one place. */
export interface BlocksToInsert {
  blocks: readonly Block[]
  target: InsertTarget
  /** True for a parent that was just made and has no children yet: its positions are free. */
  isEmpty?: boolean
}

/** What of blocks is known from where they come from. */
export interface KnownOfBlocks {
  /** IDs that were drawn beforehand, since others refer to them. The other blocks get new ones. */
  ids?: ReadonlyMap<Block, number>
  /** Whether tasks keep the moment at which they say that they were done or canceled. */
  keepsTaskTimes?: boolean
  /** Whether they have all their fields, also those that text has not: dates of tasks, and colors. */
  areWhole?: boolean
}

/**
 * Insert blocks with all they hold, each with a new ID, whatever ID its value carries.
 *
 * @throws VALIDATION_ERROR for more than {@link BLOCKS_PER_CALL}, what is no task in the inbox, and what is not so of a
 *   file
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
  // None of these needs what another reads, so that a database answers all of them at once.
  const [{ firstNumber, ids }, positionsOfPlaces] = await Promise.all([
    space.newBlocks(countBlocks(places.flatMap(({ blocks }) => blocks))),
    positionsOf(space, places),
    space.documentRows(places.map(({ target }) => target.parent.document)),
  ])
  let n = firstNumber
  const rows: BlockRow[] = []
  const inserted: InsertedBlock[][] = places.map(() => [])
  // Level by level: parents before their children, as their foreign keys want it.
  let level: Siblings[] = []
  for (const [index, { blocks, target }] of places.entries()) {
    await assertOnlyTasks(space, target.parent, blocks)
    const { document, n: parent } = target.parent
    level.push({ blocks, document, parent, positions: positionsOfPlaces[index] ?? [], into: inserted[index] ?? [] })
  }
  while (level.length > 0) {
    const nextLevel: Siblings[] = []
    for (const { blocks, document, parent, positions, into } of level) {
      for (const [index, block] of blocks.entries()) {
        const id = known.ids?.get(block) ?? ids[rows.length] ?? 0
        const place = { n: n++, id, document, parent, position: positions[index] ?? 0 }
        const fields = canReferenceFile(block) ? await withReachableFile(space, block) : block
        if (block.statedFacts !== undefined) assertFileFacts(block.statedFacts, fields)
        const row = createBlockRow(space, fields, place, known)
        const content: InsertedBlock[] = []
        rows.push(row)
        into.push({ row, content })
        const inner = block.content ?? []
        if (inner.length > 0) {
          const positions = spacedPositions(inner.length)
          nextLevel.push({ blocks: inner, document, parent: row.n, positions, into: content })
        }
        if (n % ROWS_PER_STEP === 0) await yieldToEventLoop()
      }
    }
    level = nextLevel
    assertBlockCount(rows.length)
  }
  await insertRows(space, rows)
  for await (const row of iterateCooperatively(rows.filter(canReferenceFile))) await updateFileReference(space, row)
  await addRepeatReminders(space, rows)
  space.blocksCreated += rows.length
  return inserted
}

/** Where the blocks of each place come. One place after another, since making room for one may move what is in another. */
async function positionsOf(space: Space, places: readonly BlocksToInsert[]): Promise<number[][]> {
  const all: number[][] = []
  for (const { blocks, target, isEmpty } of places) {
    all.push(isEmpty ? spacedPositions(blocks.length) : await allocatePositions(space, target, blocks.length))
  }
  return all
}

/** Blocks that become children of one parent. */
interface Siblings {
  blocks: readonly Block[]
  document: number
  parent: number
  positions: readonly number[]
  into: InsertedBlock[]
}

const spacedPositions = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * 2 ** 16)

/** Insert one block, without what it holds. */
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
  await updateFileReference(space, row)
  space.blocksCreated++
  return row
}

function createBlockRow(
  space: Space,
  block: Block,
  place: Pick<BlockRow, 'n' | 'id' | 'document' | 'parent' | 'position'>,
  { keepsTaskTimes = false }: KnownOfBlocks,
): BlockRow {
  const columns = columnsFromFields(normalizeTask(space, block, keepsTaskTimes ? stampsOf(block) : undefined))
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
    attributes: columns.attributes,
    createdAt: space.now,
    createdBy: space.link.author,
    modifiedAt: null,
    modifiedBy: null,
  }
}

/** The moments that a task says of itself, as those of a task that was in this state before. */
const stampsOf = ({ taskInfo }: Block): TaskInfo | undefined =>
  taskInfo && {
    state: taskInfo.state,
    ...(taskInfo.completedAt !== undefined && { completedAt: taskInfo.completedAt }),
    ...(taskInfo.canceledAt !== undefined && { canceledAt: taskInfo.canceledAt }),
  }
