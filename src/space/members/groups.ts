/**
 * Groups of members, which the person who runs the space makes: a name for several people and agents, who are given work,
 * named and asked together. A group is not in another.
 */

import { revokeLinksOfGroup, revokeLinksOfMembers } from '../../../storage/group-links.ts'
import { changeGroupMembers, membersOfGroups, removeGroup as remove } from '../../../storage/groups.ts'
import { activeMembers, insertMember, type MemberRow, membersByNumbers } from '../../../storage/members.ts'
import { invalid } from '../../base/errors.ts'
import { MEMBERS_PER_GROUP } from '../../base/limits.ts'
import { memberNamed } from '../model/given-members.ts'
import { validateMemberName } from '../model/names.ts'
import type { Space } from '../model/space.ts'
import { type Member, memberAnswer } from './members.ts'
import { assertFreeGroupName, changeMember, type MemberChange } from './update-member.ts'

/** A group with those who are in it and were not removed, in the order in which they became members of the space. */
export interface Group extends Member {
  members: Member[]
}

export interface GroupChange extends MemberChange {
  /** Members by ID, `@handle` or name. Who is in the group already stays in it. */
  add?: readonly string[] | undefined
  remove?: readonly string[] | undefined
}

/** The groups that were not removed, oldest first. */
export async function listGroups(space: Space): Promise<Group[]> {
  const groups = (await activeMembers(space.tx, space.now)).filter(isGroup)
  return groupAnswers(space, groups)
}

/** @throws VALIDATION_ERROR for an invalid name or handle, and for members that are not there */
export async function addGroup(space: Space, nameInput: string, change: Omit<GroupChange, 'name'>): Promise<Group> {
  const name = validateMemberName(nameInput, 'a group')
  await assertFreeGroupName(space, name)
  const id = await space.newId()
  await insertMember(space.tx, { id, kind: 'group', name })
  return updateGroup(space, String(id), change)
}

/**
 * @param reference  ID, handle with `@`, or name
 * @throws VALIDATION_ERROR for a group or members that are not there, a member to remove that is not in the group, and
 *   too many members
 */
export async function updateGroup(space: Space, reference: string, change: GroupChange): Promise<Group> {
  const { add = [], remove = [], ...ofMember } = change
  const active = await activeMembers(space.tx, space.now)
  const group = groupNamed(active, reference)
  await changeMember(space, group, ofMember)
  await changeMembership(space, group, {
    joined: membersFor(active, add),
    left: membersFor(active, remove),
  })
  return groupAnswer(space, group.n)
}

async function changeMembership(
  space: Space,
  { n, name }: MemberRow,
  { joined, left }: { joined: readonly MemberRow[]; left: readonly MemberRow[] },
): Promise<void> {
  const present = new Set((await membersOfGroups(space.tx, [n])).map(({ member }) => member))
  const active = await membersByNumbers(space.tx, [...present], space.now)
  const absent = left.find((one) => !present.has(one.n))
  if (absent !== undefined) {
    throw invalid(`Expected a member of ${name} to take out, found ${absent.name}, who is not in it; leave it out.`)
  }
  const both = left.find((one) => joined.includes(one))
  if (both !== undefined) throw invalid(`Expected ${both.name} to be added or removed, found both; choose one.`)
  const added = joined.filter((one) => !present.has(one.n))
  const count = active.filter(({ isActive }) => isActive === 1).length + added.length - left.length
  if (count > MEMBERS_PER_GROUP) {
    throw invalid(`Expected at most ${MEMBERS_PER_GROUP} members of a group, found ${count}; make another group.`)
  }
  await changeGroupMembers(space.tx, n, { joined: added.map(numberOf), left: left.map(numberOf) })
  if (left.length > 0) await revokeLinksOfMembers(space.tx, n, left.map(numberOf), space.now)
}

/** Each member once. */
function membersFor(active: readonly MemberRow[], references: readonly string[]): MemberRow[] {
  const rows = references.map((reference) => memberNamed(active, reference, LISTED))
  const inner = rows.find(isGroup)
  if (inner !== undefined) {
    throw invalid(`Expected people and agents as members of a group, found ${inner.name}, a group; name who is in it.`)
  }
  return [...new Set(rows)]
}

/**
 * Removes a group, and ends what its members reach by it. Texts and values that name it keep its name.
 *
 * @throws VALIDATION_ERROR if there is no such group
 */
export async function removeGroup(space: Space, reference: string): Promise<Group> {
  const group = groupNamed(await activeMembers(space.tx, space.now), reference)
  const answer = await groupAnswer(space, group.n)
  await remove(space.tx, group.n, space.now)
  await revokeLinksOfGroup(space.tx, group.n, space.now)
  return answer
}

const LISTED = 'scriptorium members list shows them'

const isGroup = ({ kind }: MemberRow): boolean => kind === 'group'
const numberOf = ({ n }: MemberRow): number => n

/** The group that a text names. @throws VALIDATION_ERROR */
export const groupNamed = (active: readonly MemberRow[], reference: string): MemberRow =>
  memberNamed(active.filter(isGroup), reference, 'scriptorium groups list shows the groups')

async function groupAnswer(space: Space, n: number): Promise<Group> {
  const [answer] = await groupAnswers(space, await membersByNumbers(space.tx, [n], space.now))
  if (answer === undefined) throw new Error(`Expected the group ${n}.`)
  return answer
}

async function groupAnswers(space: Space, groups: readonly MemberRow[]): Promise<Group[]> {
  const within = await membersOfGroups(space.tx, groups.map(numberOf))
  const numbers = [...new Set(within.map(({ member }) => member))]
  const rows = (await membersByNumbers(space.tx, numbers, space.now)).filter(({ isActive }) => isActive === 1)
  return groups.map((group) => {
    const own = new Set(within.filter(({ memberGroup }) => memberGroup === group.n).map(({ member }) => member))
    const members = rows.filter(({ n }) => own.has(n)).map((row) => memberAnswer(space, row))
    return { ...memberAnswer(space, group), members }
  })
}
