/** Queries on groups of members: who is in which. */

import { sql } from 'drizzle-orm'
import { groupMember } from './schema.ts'
import { insertInto, integer, jsonList, listOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const OF_MEMBER = statement<{ n: number; id: number; own: number }>(
  (dialect) => sql`SELECT team.n, team.id, own.id AS own FROM member AS own
      ${dialect.thenJoin} group_member ON group_member.member = own.n
      ${dialect.thenJoin} member AS team ON team.n = group_member.member_group
    WHERE own.n = ${integer('member')} AND team.removed_at IS NULL ORDER BY team.n`,
)

/** The groups that a member is in, by number and ID, each with the ID of the member. Removed groups are left out. */
export function groupsOfMember(tx: Transaction, member: number): Promise<{ n: number; id: number; own: number }[]> {
  return tx.all(OF_MEMBER, { member })
}

const OF_GROUPS = statement<{ memberGroup: number; member: number }>(
  (dialect) => sql`SELECT member_group AS "memberGroup", member FROM group_member
    WHERE member_group IN ${listOf(dialect, 'groups', 'integer')} ORDER BY member_group, member`,
)

/** Who is in these groups, by number, removed members included. */
export function membersOfGroups(
  tx: Transaction,
  groups: readonly number[],
): Promise<{ memberGroup: number; member: number }[]> {
  return tx.all(OF_GROUPS, { groups: jsonList(groups) })
}

const INSERT = insertInto(groupMember)
const LEAVE = statement(
  (dialect) => sql`DELETE FROM group_member
    WHERE member_group = ${integer('memberGroup')} AND member IN ${listOf(dialect, 'members', 'integer')}`,
)
/** Adds members to a group, in which they must not be yet, and takes others out of it. All are numbers. */
export async function changeGroupMembers(
  tx: Transaction,
  memberGroup: number,
  { joined, left }: { joined: readonly number[]; left: readonly number[] },
): Promise<void> {
  if (left.length > 0) await tx.run(LEAVE, { memberGroup, members: jsonList(left) })
  await tx.batch(
    INSERT,
    joined.map((member) => ({ memberGroup, member })),
  )
}

const REMOVE = statement(() => sql`UPDATE member SET removed_at = ${integer('now')} WHERE n = ${integer('n')}`)

/** Removes a group. Who was in it stays known, as do the texts that name it. */
export async function removeGroup(tx: Transaction, n: number, now: number): Promise<void> {
  await tx.run(REMOVE, { n, now })
}
