/** Queries on links that are given to groups. */

import { type SQL, sql } from 'drizzle-orm'
import { type AccessLinkRow, type GroupLinkRow, groupLink, link } from './schema.ts'
import { columnsOf, insertInto, integer, jsonList, listOf, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const INSERT = insertInto(groupLink)

export async function insertGroupLink(tx: Transaction, row: GroupLinkRow): Promise<void> {
  await tx.run(INSERT, row)
}

const BY_LINK = statement<GroupLinkRow>(() => sql`${selectFrom(groupLink)} WHERE link = ${integer('link')}`)

/** What a link has to do with a group; undefined for ordinary links. @param link  by number */
export function groupLinkOf(tx: Transaction, link: number): Promise<GroupLinkRow | undefined> {
  return tx.get(BY_LINK, { link })
}

const GIVEN_TO = statement<AccessLinkRow>(
  () => sql`SELECT ${columnsOf(link)} FROM group_link JOIN link ON link.n = group_link.link
    WHERE group_link.member_group = ${integer('memberGroup')} AND group_link.given_with IS NULL
      AND link.revoked_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > ${integer('now')})
    ORDER BY link.n`,
)

/** The links that are given to a group, without those of its people. Revoked and expired ones are left out. */
export function linksGivenTo(tx: Transaction, memberGroup: number, now: number): Promise<AccessLinkRow[]> {
  return tx.all(GIVEN_TO, { memberGroup, now })
}

const OF_PEOPLE = statement<{ n: number; participant: number }>(
  () => sql`SELECT link.n, link.participant FROM group_link JOIN link ON link.n = group_link.link
    WHERE group_link.given_with = ${integer('link')} AND link.revoked_at IS NULL ORDER BY link.n`,
)

/** The links that people have of one that was given to their group, unless they were revoked. All are numbers. */
export function linksOfPeople(tx: Transaction, link: number): Promise<{ n: number; participant: number }[]> {
  return tx.all(OF_PEOPLE, { link })
}

/** Revokes the active links that a query on `group_link` finds. */
const revoke = (links: SQL): SQL =>
  sql`UPDATE link SET revoked_at = ${param('now')} WHERE revoked_at IS NULL AND n IN (SELECT link FROM group_link WHERE ${links})`
const REVOKE_OF_GROUP = statement(() => revoke(sql`member_group = ${integer('memberGroup')}`))
const REVOKE_OF_MEMBERS = statement(
  (dialect) => sql`${revoke(sql`member_group = ${integer('memberGroup')} AND given_with IS NOT NULL`)}
    AND participant IN (SELECT participant FROM member WHERE n IN ${listOf(dialect, 'members', 'integer')})`,
)
const REVOKE_OF_PERSON = statement(
  () => sql`${revoke(sql`given_with IS NOT NULL`)} AND participant = ${integer('participant')}`,
)

/** Revokes all links of a group. */
export async function revokeLinksOfGroup(tx: Transaction, memberGroup: number, now: number): Promise<void> {
  await tx.run(REVOKE_OF_GROUP, { memberGroup, now })
}

/** Revokes the links that members have by a group. @param members  by number */
export async function revokeLinksOfMembers(
  tx: Transaction,
  memberGroup: number,
  members: readonly number[],
  now: number,
): Promise<void> {
  await tx.run(REVOKE_OF_MEMBERS, { memberGroup, members: jsonList(members), now })
}

/** Revokes the links that a participant has by any group. */
export async function revokeGroupLinksOfPerson(tx: Transaction, participant: number, now: number): Promise<void> {
  await tx.run(REVOKE_OF_PERSON, { participant, now })
}
