/** Inserts trees of new blocks. */

import { nextBlockNumber } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
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
export async function insertAllBlockTrees(space: Space, places: readonly BlocksToInsert[]): Promise<InsertedBlock[][]> {
  if (places.length === 0) return []
  let n = await nextBlockNumber(space.tx)
  const ids = await space.newIds(countBlocks(places.flatMap(({ blocks }) => blocks)))
  const rows: BlockRow[] = []
  const inserted: InsertedBlock[][] = places.map(() => [])
  // Level by level: parents before their children, as their foreign keys want it.
  let level: Siblings[] = []
  await space.documentRows(places.map(({ target }) => target.parent.document))
  for (const [index, { blocks, target, isEmpty }] of places.entries()) {
    await assertOnlyTasks(space, target.parent, blocks)
    const positions = isEmpty ? spacedPositions(blocks.length) : await allocatePositions(space, target, blocks.length)
    const { document, n: parent } = target.parent
    level.push({ blocks, document, parent, positions, into: inserted[index] ?? [] })
  }
  while (level.length > 0) {
    const nextLevel: Siblings[] = []
    for (const { blocks, document, parent, positions, into } of level) {
      for (const [index, block] of blocks.entries()) {
        const place = { n: n++, id: ids[rows.length] ?? 0, document, parent, position: positions[index] ?? 0 }
        const fields = canReferenceFile(block) ? await withReachableFile(space, block) : block
        if (block.statedFacts !== undefined) assertFileFacts(block.statedFacts, fields)
        const row = createBlockRow(space, fields, place)
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
): Promise<BlockRow> {
  const row = createBlockRow(space, await withReachableFile(space, block), {
    n: await nextBlockNumber(space.tx),
    id: await space.newId(),
    ...place,
  })
  await insertRows(space, [row])
  await updateFileReference(space, row)
  space.blocksCreated++
  return row
}

function createBlockRow(
  space: Space,
  block: Block,
  place: Pick<BlockRow, 'n' | 'id' | 'document' | 'parent' | 'position'>,
): BlockRow {
  const columns = columnsFromFields(normalizeTask(space, block))
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
