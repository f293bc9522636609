/** Queries on members: participants, links of programs, and groups. */

import { type SQL, sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { type MemberKind, member } from './schema.ts'
import { insertInto, integer, integerValue, jsonList, listOf, param, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

export interface MemberRow {
  n: number
  id: number
  kind: MemberKind
  /** That of the participant or link at present, or when it was removed. */
  name: string
  handle: string | null
  picture: string | null
  participant: number | null
  link: number | null
  /** 1 if it was not removed, and its link has not expired. */
  isActive: number
}

const IS_ACTIVE = sql`coalesce(person.removed_at, link.revoked_at, member.removed_at) IS NULL
  AND (link.expires_at IS NULL OR link.expires_at > ${integer('now')})`

const FROM = sql`FROM member LEFT JOIN participant AS person ON person.n = member.participant
    LEFT JOIN link ON link.n = member.link`

const SELECT = sql`SELECT member.n, member.id, member.kind, coalesce(person.name, link.name, member.name) AS name,
    member.handle, member.picture, member.participant, member.link, CASE WHEN ${IS_ACTIVE} THEN 1 ELSE 0 END AS "isActive"
  ${FROM}`

/** The name of the member with this number, as SQL. */
export const memberName = (n: SQL): SQL =>
  sql`(SELECT coalesce(person.name, link.name, member.name) ${FROM} WHERE member.n = ${n})`

const ACTIVE = statement<MemberRow>(() => sql`${SELECT} WHERE ${IS_ACTIVE} ORDER BY member.n`)

/** The members that were not removed, oldest first. @param now  links that expired until then are left out */
export function activeMembers(tx: Transaction, now: number): Promise<MemberRow[]> {
  return tx.all(ACTIVE, { now })
}

const BY_IDS = statement<MemberRow>(
  (dialect) => sql`${SELECT} WHERE member.id IN ${listOf(dialect, 'ids', 'integer')} ORDER BY member.n`,
)
const BY_NUMBERS = statement<MemberRow>(
  (dialect) => sql`${SELECT} WHERE member.n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY member.n`,
)

const BY_PARTICIPANT = statement<MemberRow>(() => sql`${SELECT} WHERE member.participant = ${integer('participant')}`)

/** The member that is this participant. @param participant  by number */
export function memberOfParticipant(tx: Transaction, participant: number, now: number): Promise<MemberRow | undefined> {
  return tx.get(BY_PARTICIPANT, { participant, now })
}

const BY_LINK_NUMBER = statement<MemberRow>(() => sql`${SELECT} WHERE member.link = ${integer('link')}`)

/** The member that is this link, unless it is a participant's for the pages. @param link  by number */
export function memberThatIsLink(tx: Transaction, link: number, now: number): Promise<MemberRow | undefined> {
  return tx.get(BY_LINK_NUMBER, { link, now })
}

const BY_HANDLE = statement<MemberRow>(() => sql`${SELECT} WHERE member.handle = ${param('handle')}`)

/** The member with this handle, which it may still have after it was removed. */
export function memberWithHandle(tx: Transaction, handle: string, now: number): Promise<MemberRow | undefined> {
  return tx.get(BY_HANDLE, { handle, now })
}

/** The members with these IDs, including removed ones. */
export function membersByIds(tx: Transaction, ids: readonly number[], now: number): Promise<MemberRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids), now })
}

/** The members with these numbers, including removed ones. */
export function membersByNumbers(tx: Transaction, ns: readonly number[], now: number): Promise<MemberRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns), now })
}

// A link writes as its own member, or as its participant if it has none.
const OWN_AND_PERSON = sql`LEFT JOIN member AS own ON own.link = link.n
    LEFT JOIN member AS person ON person.participant = link.participant`
const BY_LINK = statement<{ n: number | null }>(
  () => sql`SELECT coalesce(own.n, person.n) AS n FROM link ${OWN_AND_PERSON} WHERE link.id = ${param('id')}`,
)

/** The number of the member that a link writes as. @param id  of the link */
export async function memberOfLink(tx: Transaction, id: string): Promise<number | undefined> {
  return (await tx.get(BY_LINK, { id }))?.n ?? undefined
}

const BY_PERSON_NAME = statement<{ n: number }>(
  () => sql`SELECT member.n FROM participant AS person JOIN member ON member.participant = person.n
    WHERE person.name = ${param('name')} AND person.removed_at IS NULL`,
)

/** The number of the member that is the active participant with this name. */
export async function memberOfPersonName(tx: Transaction, name: string): Promise<number | undefined> {
  return (await tx.get(BY_PERSON_NAME, { name }))?.n
}

/** The newest calls within reach whose authors count. */
const CALLS_READ = 10_000

/**
 * The numbers of the members that a connection may know of: those who wrote or commented within reach, as far as the
 * audit log goes back, and those who are mentioned there or are a value of an item.
 */
export async function membersWithinReach(tx: Transaction, reach: Reach): Promise<Set<number>> {
  const find = statement<{ n: number }>((dialect) => {
    const { thenJoin } = dialect
    const isReached = documentWithinReach(dialect, reach)
    return sql`WITH newest AS (
        SELECT DISTINCT call_document.call FROM document AS place
          ${thenJoin} call_document ON call_document.document = place.n
        WHERE call_document.is_marked = 1 AND ${isReached}
        ORDER BY call_document.call DESC LIMIT ${integerValue(CALLS_READ)}
      ), written AS (
        SELECT DISTINCT write_log.link, write_log.author FROM newest ${thenJoin} write_log ON write_log.n = newest.call
      )
      SELECT coalesce(own.n, person.n) AS n FROM written ${thenJoin} link ON link.id = written.link ${OWN_AND_PERSON}
      UNION SELECT member.n FROM written JOIN participant AS person ON person.name = written.author
          JOIN member ON member.participant = person.n
        WHERE written.link IS NULL AND person.removed_at IS NULL
      UNION SELECT member.n FROM member WHERE EXISTS (
        SELECT 1 FROM block_link ${thenJoin} block ON block.n = block_link.block
          ${thenJoin} document AS place ON place.n = block.document
        WHERE block_link.target = member.id AND ${isReached})
      UNION SELECT member.n FROM property ${thenJoin} value ON value.property = property.n
          ${thenJoin} block ON block.n = value.item ${thenJoin} document AS place ON place.n = block.document
          ${thenJoin} member ON member.n = value.number
        WHERE property.type = 'person' AND ${isReached}
      ORDER BY n`
  })
  return new Set((await tx.all(find)).map(({ n }) => n))
}

const INSERT = insertInto(member, ['id', 'kind', 'participant', 'link', 'name', 'handle', 'picture'])

/** What a member is: a participant or a link, by number, or a group with a name. */
export type NewMember = { id: number; kind: MemberKind; handle?: string | null; picture?: string | null } & (
  | { participant: number }
  | { link: number }
  | { name: string }
)

export async function insertMember(tx: Transaction, added: NewMember): Promise<void> {
  await tx.run(INSERT, added)
}

const INSERT_PARTICIPANT = statement(
  () => sql`INSERT INTO member (id, kind, participant)
    SELECT ${integer('id')}, 'person', n FROM participant WHERE participant.id = ${param('participantId')}`,
)

/** Makes a participant a member. @param participantId  the UUID of the participant */
export async function insertParticipantMember(tx: Transaction, id: number, participantId: string): Promise<void> {
  await tx.run(INSERT_PARTICIPANT, { id, participantId })
}

const UPDATE = updateWhere(member, ['handle', 'picture'])

export async function updateMember(
  tx: Transaction,
  changed: Pick<MemberRow, 'n' | 'handle' | 'picture'>,
): Promise<void> {
  await tx.run(UPDATE, changed)
}

const rename = (table: string): SQL =>
  sql`UPDATE ${sql.raw(table)} SET name = ${param('name')} WHERE n = ${integer('n')}`
const RENAME = {
  participant: statement(() => rename('participant')),
  link: statement(() => rename('link')),
  group: statement(() => rename('member')),
}

// What a person writes with a link of a group is theirs.
const RENAME_GROUP_LINKS = statement(
  () => sql`UPDATE link SET name = ${param('name')} WHERE participant = ${integer('n')}
    AND n IN (SELECT link FROM group_link WHERE given_with IS NOT NULL)`,
)

/** Gives a participant, a link or a group another name. */
export async function renameMember(tx: Transaction, { n, participant, link }: MemberRow, name: string): Promise<void> {
  if (participant !== null) {
    await tx.run(RENAME.participant, { n: participant, name })
    await tx.run(RENAME_GROUP_LINKS, { n: participant, name })
  } else if (link !== null) await tx.run(RENAME.link, { n: link, name })
  else await tx.run(RENAME.group, { n, name })
}

const FREE_HANDLE = statement(() => sql`UPDATE member SET handle = NULL WHERE n = ${integer('n')}`)

/** Takes the handle from a member that was removed, so that others can have it. */
export async function freeHandle(tx: Transaction, n: number): Promise<void> {
  await tx.run(FREE_HANDLE, { n })
}
