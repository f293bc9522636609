/** Moves blocks, with all they hold, to another place in reach. */
import { ancestorNumbers, blocksByNumbers, parentsAmong, setDocument, setPlace } from '../../../storage/blocks.ts'
import { documentByNumber, touchDocument } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { eachInTurn, partsInTurn } from '../../breathe.ts'
import { invalid } from '../../errors.ts'
import { mayDelete, refuseDeletion } from '../access.ts'
import { findTarget, makeRoom, type Position, type Target } from '../positions.ts'
import type { Space } from '../space.ts'
import { refuseStrays } from '../tasks/kept.ts'
import { refuseDocument } from './delete.ts'
import { readingOrder } from './tree.ts'

/**
 * The moved blocks stand at the position in the order in which they are named; their IDs stay.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a document itself, for an item that would leave its collection, and for
 *   a position in or beside a moved block
 */
export async function moveBlocks(space: Space, blockIds: readonly string[], position: Position) {
  const rows = await space.blocks(blockIds)
  const target = await findTarget(space, position, rows)
  await relocate(space, rows, target)
  return { items: rows.map(({ id }) => ({ id, ...target.landed })) }
}

/**
 * Bring blocks, with all they hold, to a target, in the order given. The rows say afterwards where they stand.
 *
 * @throws VALIDATION_ERROR as {@link moveBlocks} does; FORBIDDEN for a place in the trash, where the link may not delete
 */
export async function relocate(space: Space, rows: readonly BlockRow[], target: Target): Promise<void> {
  for (const row of rows) refuseDocument(row, 'documents_move')
  refuseItemsElsewhere(rows, target)
  await refuseInside(space, rows, target)
  await refuseStrays(space, target.parent, rows)
  if (!mayDelete(space.link)) await refuseTrash(space, rows, target)

  const places = await makeRoom(space, target, rows.length)
  for await (const [index, row] of eachInTurn(rows.entries())) {
    await setPlace(space.tx, row.n, target.parent.n, places[index] ?? 0)
  }
  const touched = new Set([target.parent.document, ...rows.map((row) => row.document)])
  for await (const row of eachInTurn(rows)) await follow(space, row, target.parent.document)
  for await (const document of eachInTurn(touched)) await touchDocument(space.tx, document, space.now)
  for (const [index, row] of rows.entries()) {
    Object.assign(row, { document: target.parent.document, parent: target.parent.n, position: places[index] ?? 0 })
  }
}

/** Makes rows say what they say now: what a moved block holds went with it, and may be among them. */
export async function readAgain(space: Space, moved: BlockRow, rows: readonly BlockRow[]): Promise<void> {
  if ((await parentsAmong(space.tx, [moved.n])).size === 0) return
  const found = await blocksByNumbers(
    space.tx,
    rows.map(({ n }) => n),
  )
  const now = new Map(found.map((row) => [row.n, row]))
  for (const row of rows) Object.assign(row, now.get(row.n))
}

/** What an item says on its properties means nothing outside of its collection. */
function refuseItemsElsewhere(rows: readonly BlockRow[], { parent }: Target): void {
  const leaving = rows.find((row) => row.type === 'collectionItem' && row.parent !== parent.n)
  if (leaving === undefined) return
  throw invalid(
    `Expected items to stay in their collection, found ${leaving.id} on its way out of it; add it where it is to be with items_add, move the blocks that it holds there, and delete it with items_delete.`,
  )
}

async function refuseInside(space: Space, moved: readonly BlockRow[], { parent, sibling }: Target): Promise<void> {
  const beside = moved.find((row) => row.n === sibling?.n)
  if (beside !== undefined) {
    throw invalid(
      `Expected a siblingId that is not among the moved blocks, found ${beside.id}; name a block that stays where it is.`,
    )
  }
  const around = new Set(await ancestorNumbers(space.tx, parent))
  const inside = moved.find((row) => around.has(row.n))
  if (inside !== undefined) {
    throw invalid(
      `Expected a position outside of the moved blocks, found one inside ${inside.id}; a block cannot be moved into itself or below itself.`,
    )
  }
}

/** What stands in the trash already may be moved about there. */
async function refuseTrash(space: Space, rows: readonly BlockRow[], { parent }: Target): Promise<void> {
  const isTrash = async (document: number) => (await documentByNumber(space.tx, document))?.location === 'trash'
  if (!(await isTrash(parent.document))) return
  const thrownAway = new Map<number, boolean>()
  for await (const { document } of eachInTurn(rows)) {
    if (!thrownAway.has(document)) thrownAway.set(document, await isTrash(document))
  }
  const going = rows.filter(({ document }) => thrownAway.get(document) === false)
  refuseDeletion(space.link, going.length, {
    expected: 'a place outside of the trash',
    found: `${going.length} on the way into a document in the trash, the first ${going[0]?.id}`,
    instead: 'name another place',
  })
}

/** Blocks that are brought along before other calls get their turn: some milliseconds. */
const AT_ONCE = 500

/** What a block holds stands in its document: after a move between documents it must say so. */
async function follow(space: Space, row: BlockRow, document: number): Promise<void> {
  if (row.document === document) return
  const numbers = (await readingOrder(space, row, -1)).map(({ n }) => n)
  for await (const part of partsInTurn(numbers, AT_ONCE)) await setDocument(space.tx, part, document)
}
