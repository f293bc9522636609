/** The members of a space that a connection may know of, as it sees them. */

import { activeMembers, type MemberRow, membersByIds, membersByNumbers } from '../../../storage/members.ts'
import { MEMBER_KINDS, type MemberKind } from '../../../storage/schema.ts'
import { compareByCodePoint } from '../../base/compare-text.ts'
import { MEMBERS_PER_ANSWER } from '../../base/limits.ts'
import { knownMembers } from '../model/member-reach.ts'
import type { Space } from '../model/space.ts'

export { MEMBER_KINDS }

/** A person, an agent or a group. */
export interface Member {
  id: string
  kind: MemberKind
  name: string
  /** Without the `@`. */
  handle?: string
  /** An emoji or a few letters. */
  picture?: string
}

export const memberAnswer = (space: Space, { id, kind, name, handle, picture }: MemberRow): Member => ({
  id: space.spellId(id),
  kind,
  name,
  ...memberMarks({ handle, picture }),
})

/** The handle and the picture of a member, as far as it has them. */
export const memberMarks = (
  row: Pick<MemberRow, 'handle' | 'picture'> | undefined,
): Pick<Member, 'handle' | 'picture'> => ({
  ...(row != null && row.handle !== null && { handle: row.handle }),
  ...(row != null && row.picture !== null && { picture: row.picture }),
})

/** The members that were not removed and that the connection may know of, by name. */
export async function listReachedMembers(space: Space): Promise<MemberRow[]> {
  const all = await activeMembers(space.tx, space.now)
  const isKnown = await knownMembers(space)
  return all
    .filter(({ n }) => isKnown(n))
    .sort((one, other) => compareByCodePoint(one.name.toLowerCase(), other.name.toLowerCase()) || one.n - other.n)
}

/** The first of them, and how many more there are. */
export async function listMembers(space: Space): Promise<{ members: Member[]; moreMembers?: number }> {
  const rows = await listReachedMembers(space)
  const more = rows.length - MEMBERS_PER_ANSWER
  const members = rows.slice(0, MEMBERS_PER_ANSWER).map((row) => memberAnswer(space, row))
  return { members, ...(more > 0 && { moreMembers: more }) }
}

/** Those of the members with these IDs that the connection may know of, removed ones included. */
export async function findMembers(space: Space, ids: readonly number[]): Promise<MemberRow[]> {
  return knownOnes(space, await membersByIds(space.tx, ids, space.now))
}

/** The same for numbers of members. */
export async function findMembersByNumbers(space: Space, ns: readonly number[]): Promise<MemberRow[]> {
  return knownOnes(space, await membersByNumbers(space.tx, ns, space.now))
}

async function knownOnes(space: Space, rows: readonly MemberRow[]): Promise<MemberRow[]> {
  const isKnown = await knownMembers(space)
  return rows.filter(({ n }) => isKnown(n))
}

/** The pictures of members whom the connection knows, by name. A name that two of them have shows none. */
export async function memberPictures(space: Space): Promise<ReadonlyMap<string, string>> {
  const all = await activeMembers(space.tx, space.now)
  if (all.every(({ picture }) => picture === null)) return new Map()
  const isKnown = await knownMembers(space)
  const byName = Map.groupBy(
    all.filter(({ n }) => isKnown(n)),
    ({ name }) => name,
  )
  return new Map(
    [...byName].flatMap(([name, [one, other]]) =>
      one === undefined || one.picture === null || other !== undefined ? [] : [[name, one.picture] as const],
    ),
  )
}
