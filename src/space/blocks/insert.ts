/** Inserts trees of new blocks. */
import { insertBlocks, nextNumber } from '../../../storage/blocks.ts'
import { touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { breathe, eachInTurn } from '../../breathe.ts'
import type { Block } from '../../markdown/block.ts'
import { checkCount } from '../../markdown/block-count.ts'
import { canShowFile, noteFile, withReadableAddress } from '../files/shown.ts'
import { makeRoom, type Target } from '../positions.ts'
import type { Space } from '../space.ts'
import { refuseStrays } from '../tasks/kept.ts'
import { settleTask } from '../tasks/settle.ts'
import { columnsOf } from './rows.ts'

/** Rows that are made before a look at the clock. */
const MADE_AT_ONCE = 64
/** Rows that are inserted before other calls get their turn. */
const ROWS_AT_ONCE = 1_000

/** The rows that came of new blocks, as trees in the order given. */
export interface Added {
  row: BlockRow
  content: Added[]
}

/**
 * Insert blocks with all they hold, each with a new ID, whatever ID its value carries.
 *
 * @throws VALIDATION_ERROR for more than {@link BLOCKS_PER_CALL}, and for what is no task in the inbox
 */
export async function insertTree(space: Space, blocks: readonly Block[], target: Target): Promise<Added[]> {
  const { document, n: parent } = target.parent
  await refuseStrays(space, target.parent, blocks)
  let n = await nextNumber(space.tx)
  const positions = await makeRoom(space, target, blocks.length)
  const rows: BlockRow[] = []
  const top: Added[] = []
  // Level by level: parents before their children, as their foreign keys want it.
  let level = [{ blocks, parent, positions, into: top }]
  while (level.length > 0) {
    const below: typeof level = []
    for (const { blocks, parent, positions, into } of level) {
      for (const [index, block] of blocks.entries()) {
        const place = { n: n++, document, parent, position: positions[index] ?? 0 }
        const row = newRow(space, canShowFile(block) ? await withReadableAddress(space, block) : block, place)
        const content: Added[] = []
        rows.push(row)
        into.push({ row, content })
        const inner = block.content ?? []
        if (inner.length > 0)
          below.push({ blocks: inner, parent: row.n, positions: spaced(inner.length), into: content })
        if (n % MADE_AT_ONCE === 0) await breathe()
      }
    }
    level = below
    checkCount(rows.length)
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await insertBlocks(space.tx, rows.slice(start, start + ROWS_AT_ONCE))
    await breathe()
  }
  for await (const row of eachInTurn(rows.filter(canShowFile))) await noteFile(space, row)
  space.blocksMade += rows.length
  await touchDocument(space.tx, document, space.now)
  return top
}

const spaced = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * 2 ** 16)

/** Insert one block, without what it holds. */
export async function insertRow(
  space: Space,
  block: Block,
  place: { document: number; parent: number; position: number },
): Promise<BlockRow> {
  const row = newRow(space, await withReadableAddress(space, block), { n: await nextNumber(space.tx), ...place })
  await insertBlocks(space.tx, [row])
  await noteFile(space, row)
  space.blocksMade++
  return row
}

function newRow(space: Space, block: Block, place: Pick<BlockRow, 'n' | 'document' | 'parent' | 'position'>): BlockRow {
  const columns = columnsOf(settleTask(space, block))
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
