/** What filters refer to: blocks and members within reach. */
import { membersByIds } from '../../../storage/members.ts'
import { knownMembers, ownMember } from './member-reach.ts'
import type { Space } from './space.ts'

/** Stands in filters for the member that the connection is. No ID has so few digits. */
export const ME = 1

/**
 * What filters refer to: the numbers, by ID, of the blocks and members within reach. {@link ME} is the connection's own
 * member.
 */
export async function reachableTargets(space: Space, ids: readonly number[]): Promise<Map<number, number>> {
  const found = new Map((await space.findReachableBlocks(ids)).map(({ id, n }) => [id, n]))
  const others = ids.filter((id) => !found.has(id))
  if (others.length === 0) return found
  const isKnown = await knownMembers(space)
  for (const { id, n } of await membersByIds(space.tx, others, space.now)) if (isKnown(n)) found.set(id, n)
  const own = others.includes(ME) ? await ownMember(space) : undefined
  if (own !== undefined) found.set(ME, own)
  return found
}
