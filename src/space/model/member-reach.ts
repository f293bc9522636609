/** Which member a connection is, and which ones it may know of. */
import { memberOfLink, memberOfPersonName, membersByIds, membersWithinReach } from '../../../storage/members.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { type AccessLink, reachOf } from './access-link.ts'

/** A connection, in a transaction. */
export interface ConnectedMember {
  tx: Transaction
  link: AccessLink
}

/**
 * The number of the member that the connection writes as. A link of a program is a member of its own; a person who signed
 * in to the pages is the participant, and so is a program on this machine that writes under the name of one. Undefined for a program
 * without a link that writes under any other name.
 */
export async function ownMember({ tx, link }: ConnectedMember): Promise<number | undefined> {
  return link.id === undefined ? memberOfPersonName(tx, link.author) : memberOfLink(tx, link.id)
}

/**
 * Says which members, by number, the connection may know of. A full one knows all, others those who wrote, commented or
 * are named within their reach, and themselves.
 */
export async function knownMembers(space: ConnectedMember): Promise<(n: number) => boolean> {
  if (space.link.kind === 'full') return () => true
  const known = await membersWithinReach(space.tx, reachOf(space.link))
  const own = await ownMember(space)
  if (own !== undefined) known.add(own)
  return (n) => known.has(n)
}

/** Those of these IDs that are of members, removed or not, whom the connection may know of. */
export async function knownMemberIds(
  space: ConnectedMember & { now: number },
  ids: readonly number[],
): Promise<Set<number>> {
  const isKnown = await knownMembers(space)
  return new Set((await membersByIds(space.tx, ids, space.now)).filter(({ n }) => isKnown(n)).map(({ id }) => id))
}
