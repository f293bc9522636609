/** What filters refer to: blocks and members within reach. */
import { membersByIds } from '../../../storage/members.ts'
import { knownMembers, ownMembers } from './member-reach.ts'
import type { Space } from './space.ts'

/** Stands in filters for the member that the connection is. No ID has so few digits. */
export const ME = 1

/**
 * What filters refer to: the numbers, by ID, of the blocks and members within reach. An ID has one, but {@link ME} has
 * that of the connection's own member, first, and those of its groups.
 */
export async function reachableTargets(space: Space, ids: readonly number[]): Promise<Map<number, readonly number[]>> {
  const found = new Map<number, readonly number[]>((await space.findReachableBlocks(ids)).map(({ id, n }) => [id, [n]]))
  const others = ids.filter((id) => !found.has(id))
  if (others.length === 0) return found
  const isKnown = await knownMembers(space)
  for (const { id, n } of await membersByIds(space.tx, others, space.now)) if (isKnown(n)) found.set(id, [n])
  const own = others.includes(ME) ? await ownMembers(space) : []
  if (own.length > 0) found.set(ME, own)
  return found
}
