/** Which member a connection is, and which ones it may know of. */
import { groupsOfMember } from '../../../storage/groups.ts'
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
 * without a link that writes under any other name, and for guests.
 */
export async function ownMember({ tx, link }: ConnectedMember): Promise<number | undefined> {
  if (link.isGuest) return undefined
  return link.id === undefined ? memberOfPersonName(tx, link.author) : memberOfLink(tx, link.id)
}

/**
 * Says which members, by number, the connection may know of. A full one knows all, others those who wrote, commented or
 * are named within their reach, themselves, and the groups that they are in.
 */
export async function knownMembers(space: ConnectedMember): Promise<(n: number) => boolean> {
  if (space.link.kind === 'full') return () => true
  const known = await membersWithinReach(space.tx, reachOf(space.link))
  const own = await ownMember(space)
  if (own !== undefined) for (const n of [own, ...(await groupsOf(space, own))]) known.add(n)
  return (n) => known.has(n)
}

/** The member that the connection is, first, and the groups that it is in, by number: whom `me` stands for in filters. */
export async function ownMembers(space: ConnectedMember): Promise<number[]> {
  const own = await ownMember(space)
  return own === undefined ? [] : [own, ...(await groupsOf(space, own))]
}

const groupsOf = async ({ tx }: ConnectedMember, own: number): Promise<number[]> =>
  (await groupsOfMember(tx, own)).map(({ n }) => n)

/**
 * The IDs, as digits, with which a member is called: its own, and those of its groups if it is the connection. Who else
 * is in which group is nothing that a connection learns by asking for their work.
 */
export async function callingIds(space: ConnectedMember, id: string): Promise<string[]> {
  const own = await ownMember(space)
  const groups = own === undefined ? [] : await groupsOfMember(space.tx, own)
  return groups[0]?.own === Number(id) ? [id, ...groups.map((one) => String(one.id))] : [id]
}

/** Those of these IDs that are of members, removed or not, whom the connection may know of. */
export async function knownMemberIds(
  space: ConnectedMember & { now: number },
  ids: readonly number[],
): Promise<Set<number>> {
  const isKnown = await knownMembers(space)
  return new Set((await membersByIds(space.tx, ids, space.now)).filter(({ n }) => isKnown(n)).map(({ id }) => id))
}
