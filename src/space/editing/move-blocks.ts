/** Moves blocks, with all their content, to another place within reach. */

import { ancestorNumbers, blocksByNumbers, parentNumbers } from '../../../storage/blocks.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { treeNumbers } from '../blocks/block-tree.ts'
import { transferCalloutStarts } from '../blocks/callout-starts.ts'
import { assertNotDocument } from '../blocks/delete-blocks.ts'
import { noteHolders } from '../leases/report-holders.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import { setDocument, setPlaces } from '../model/block-writes.ts'
import type { AnyId } from '../model/ids.ts'
import { allocatePositions, type InsertTarget, type Position, resolvePosition } from '../model/positions.ts'
import type { Space } from '../model/space.ts'
import { assertOnlyTasks } from '../model/system-documents.ts'

/**
 * The moved blocks are placed at the position in the order in which they are named, and keep their IDs.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for the root block of a document, for an item that would leave its
 *   collection, and for a position in or next to a moved block
 */
export async function moveBlocks(space: Space, blockIds: readonly AnyId[], position: Position) {
  const rows = await space.getBlocks(blockIds)
  const target = await resolvePosition(space, position, rows)
  await moveRows(space, rows, target)
  await noteHolders(space, rows, 'written')
  return { items: rows.map(({ id }) => ({ id: space.spellId(id), ...target.resolvedDailyNote })) }
}

/**
 * Moves blocks with everything below them to a target, in the given order, and updates the given rows.
 *
 * @throws VALIDATION_ERROR as {@link moveBlocks} does; FORBIDDEN for a target in the trash if the link may not delete
 */
export async function moveRows(space: Space, rows: readonly BlockRow[], target: InsertTarget): Promise<void> {
  for (const row of rows) assertNotDocument(space, row, 'documents_move')
  assertItemsStayInCollection(space, rows, target)
  await assertNotInsideMoved(space, rows, target)
  await assertOnlyTasks(space, target.parent, rows)
  if (!canDelete(space.link)) await assertNotIntoTrash(space, rows, target)

  await transferCalloutStarts(space, rows)
  const places = await allocatePositions(space, target, rows.length)
  await setPlaces(space, rows, target.parent, places)
  await moveDescendants(space, rows, target.parent.document)
  for (const [index, row] of rows.entries()) {
    Object.assign(row, { document: target.parent.document, parent: target.parent.n, position: places[index] ?? 0 })
  }
}

/** Reads rows again after a block was moved, since they may include blocks that moved along with it. */
export async function refreshRows(space: Space, moved: BlockRow, rows: readonly BlockRow[]): Promise<void> {
  if ((await parentNumbers(space.tx, [moved.n])).size === 0) return
  const found = await blocksByNumbers(
    space.tx,
    rows.map(({ n }) => n),
  )
  const current = new Map(found.map((row) => [row.n, row]))
  for (const row of rows) Object.assign(row, current.get(row.n))
}

/** Refuses to move items out of their collection, where their property values would have no meaning. */
function assertItemsStayInCollection(space: Space, rows: readonly BlockRow[], { parent }: InsertTarget): void {
  const leaving = rows.find((row) => row.type === 'collectionItem' && row.parent !== parent.n)
  if (leaving === undefined) return
  throw invalid(
    `Expected items to stay in their collection, found ${space.spellId(leaving.id)} on its way out of it; add it where it is to be with items_add, move the blocks that it holds there, and delete it with items_delete.`,
  )
}

async function assertNotInsideMoved(
  space: Space,
  moved: readonly BlockRow[],
  { parent, sibling }: InsertTarget,
): Promise<void> {
  const movedSibling = moved.find((row) => row.n === sibling?.n)
  if (movedSibling !== undefined) {
    throw invalid(
      `Expected a siblingId that is not among the moved blocks, found ${space.spellId(movedSibling.id)}; name a block that stays where it is.`,
    )
  }
  const ancestors = new Set(await ancestorNumbers(space.tx, parent))
  const inside = moved.find((row) => ancestors.has(row.n))
  if (inside !== undefined) {
    throw invalid(
      `Expected a position outside of the moved blocks, found one inside ${space.spellId(inside.id)}; a block cannot be moved into itself or below itself.`,
    )
  }
}

/** Refuses moves into the trash. Blocks that are in the trash already may be moved within it. */
async function assertNotIntoTrash(space: Space, rows: readonly BlockRow[], { parent }: InsertTarget): Promise<void> {
  const isTrash = async (document: number) => (await space.documentRow(document))?.location === 'trash'
  if (!(await isTrash(parent.document))) return
  const documents = await space.documentRows(rows.map(({ document }) => document))
  const trashed = rows.filter(({ document }) => documents.get(document)?.location !== 'trash')
  const [first] = trashed.map(({ id }) => space.spellId(id))
  assertDeletionAllowed(space.link, trashed.length, {
    expected: 'a place outside of the trash',
    found: `${trashed.length} on the way into a document in the trash, the first ${first}`,
    instead: 'name another place',
  })
}

/** Updates the document of the descendants of blocks that were moved to another document. */
async function moveDescendants(space: Space, rows: readonly BlockRow[], document: number): Promise<void> {
  const numbers = await treeNumbers(
    space,
    rows.filter((row) => row.document !== document),
  )
  if (numbers.length > 0) await setDocument(space, numbers, document)
}
