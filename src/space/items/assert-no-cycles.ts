/** Refuses items that would depend on themselves. */
import type { BlockRow } from '../../../storage/schema.ts'
import { invalidFields } from '../../base/errors.ts'
import type { Collection } from '../collections/schema/find-collection.ts'
import { dependencyAmong, findCycle } from '../model/dependencies.ts'
import type { Space } from '../model/space.ts'
import type { ItemEntry } from './item-input.ts'

/**
 * Checks items whose values were written. A new cycle contains one of the items whose relation was written, on either of
 * its sides, so only what these depend on is read.
 *
 * @throws VALIDATION_ERROR with the path of a value in the cycle
 */
export async function assertNoCycles(
  space: Space,
  { properties }: Collection,
  items: readonly { item: BlockRow; entries: readonly ItemEntry[] }[],
): Promise<void> {
  const relation = dependencyAmong(properties)
  if (relation === undefined) return
  const written = new Map<number, ItemEntry>()
  for (const { item, entries } of items) {
    const entry = entries.find(
      ({ property: { n }, values }) => values.length > 0 && (n === relation.n || n === relation.otherSide),
    )
    if (entry !== undefined) written.set(item.n, entry)
  }
  if (written.size === 0) return
  const cycle = await findCycle(space, relation.n, [...written.keys()])
  if (cycle === undefined) return
  const message = `Expected dependencies without a cycle, found ${cycle.words}, each of which depends on the next by ${relation.key}; leave one of them out.`
  throw invalidFields([{ path: written.get(cycle.item)?.path ?? '', message }])
}
