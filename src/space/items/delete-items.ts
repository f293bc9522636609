/** Deletes items with all their content. */
import { notFound } from '../../base/errors.ts'
import { deleteTrees } from '../blocks/delete-blocks.ts'
import { findCollection } from '../collections/schema/find-collection.ts'
import { noteHolders } from '../leases/report-holders.ts'
import { type AnyId, idNumber, uniqueIds } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { findItemsById, itemNotFoundMessage } from './update-items.ts'

/** @throws NOT_FOUND_ERROR that names the first ID that is not an item of the collection. Nothing is deleted then. */
export async function deleteItems(space: Space, collectionId: AnyId, idsToDelete: readonly AnyId[]) {
  const collection = await findCollection(space, collectionId)
  const ids = uniqueIds(idsToDelete)
  const found = await findItemsById(space, collection, ids)
  const unknown = ids.find((id) => !found.has(idNumber(id)))
  if (unknown !== undefined) throw notFound(itemNotFoundMessage(collection, unknown))
  await noteHolders(space, [...found.values()], 'deleted')
  await deleteTrees(space, found.values())
  await space.markChanged(collection.block.document)
  return { items: ids.map((id) => ({ id: space.spellId(idNumber(id)) })) }
}
