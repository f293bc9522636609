/** Inserts trees of new blocks. */

import { nextBlockNumber } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { iterateCooperatively, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { assertBlockCount } from '../../markdown/block-count.ts'
import { columnsFromFields } from '../blocks/block-rows.ts'
import type { InsertedBlock } from '../blocks/block-tree.ts'
import { canReferenceFile, updateFileReference, withReachableAddress } from '../content/file-references.ts'
import { insertRows } from '../model/block-writes.ts'
import { allocatePositions, type InsertTarget } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'
import { normalizeTask } from '../schedule/normalize-task.ts'

/** Rows that are made before a look at the clock. */
const ROWS_PER_STEP = 64

/**
 * Insert blocks with all they hold, each with a new ID, whatever ID its value carries.
 *
 * @throws VALIDATION_ERROR for more than {@link BLOCKS_PER_CALL}, and for what is no task in the inbox
 */
export async function insertBlockTrees(
  space: Space,
  blocks: readonly Block[],
  target: InsertTarget,
): Promise<InsertedBlock[]> {
  const { document, n: parent } = target.parent
  await assertOnlyTasks(space, target.parent, blocks)
  let n = await nextBlockNumber(space.tx)
  const positions = await allocatePositions(space, target, blocks.length)
  const rows: BlockRow[] = []
  const top: InsertedBlock[] = []
  // Level by level: parents before their children, as their foreign keys want it.
  let level = [{ blocks, parent, positions, into: top }]
  while (level.length > 0) {
    const nextLevel: typeof level = []
    for (const { blocks, parent, positions, into } of level) {
      for (const [index, block] of blocks.entries()) {
        const place = { n: n++, document, parent, position: positions[index] ?? 0 }
        const row = createBlockRow(
          space,
          canReferenceFile(block) ? await withReachableAddress(space, block) : block,
          place,
        )
        const content: InsertedBlock[] = []
        rows.push(row)
        into.push({ row, content })
        const inner = block.content ?? []
        if (inner.length > 0)
          nextLevel.push({ blocks: inner, parent: row.n, positions: spacedPositions(inner.length), into: content })
        if (n % ROWS_PER_STEP === 0) await yieldToEventLoop()
      }
    }
    level = nextLevel
    assertBlockCount(rows.length)
  }
  await insertRows(space, rows)
  for await (const row of iterateCooperatively(rows.filter(canReferenceFile))) await updateFileReference(space, row)
  space.blocksCreated += rows.length
  return top
}

const spacedPositions = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * 2 ** 16)

/** Insert one block, without what it holds. */
export async function insertBlockRow(
  space: Space,
  block: Block,
  place: { document: number; parent: number; position: number },
): Promise<BlockRow> {
  const row = createBlockRow(space, await withReachableAddress(space, block), {
    n: await nextBlockNumber(space.tx),
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
  place: Pick<BlockRow, 'n' | 'document' | 'parent' | 'position'>,
): BlockRow {
  const columns = columnsFromFields(normalizeTask(space, block))
  return {
    n: place.n,
    id: space.newId(),
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
