/**
 * Links that are given to a group. Each person in it has a link of their own, with a secret of its own, which ends when
 * they leave. What they write with it is theirs.
 */
import { exposedDocuments, setLinkPaused } from '../../../storage/access-links.ts'
import { insertGroupLink, linksGivenTo, linksOfPeople } from '../../../storage/group-links.ts'
import { membersOfGroups } from '../../../storage/groups.ts'
import { activeMembers, type MemberRow, membersByNumbers } from '../../../storage/members.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import type { AccessLinkRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { groupNamed } from '../../space/members/groups.ts'
import type { Space } from '../../space/model/space.ts'
import { insertLink, type NewAccessLink, resolveDocuments } from './access-links.ts'
import { type AccessLinkInfo, describeAccessLink } from './link-info.ts'

export interface NewGroupLink
  extends Pick<NewAccessLink, 'kind' | 'access' | 'documents' | 'expiresAt' | 'isBearer' | 'name' | 'noEvents'> {
  /** ID, handle with `@`, or name. */
  group: string
}

/** The link of one person, with its secret, which cannot be read again. */
export interface PersonalLink {
  info: AccessLinkInfo
  secret: string
}

/**
 * Gives a link to a group.
 *
 * @returns the link, which no one can open, and that of each person in the group
 * @throws VALIDATION_ERROR for a group that does not exist, documents that do not fit the kind, an invalid name and a time
 *   in the past
 */
export async function addGroupLink(
  space: Space,
  { group: reference, ...input }: NewGroupLink,
): Promise<{ info: AccessLinkInfo; people: PersonalLink[] }> {
  const group = groupNamed(await activeMembers(space.tx, space.now), reference)
  const documents = await resolveDocuments(space, input.kind, input.documents)
  const [owner] = await activeParticipants(space.tx)
  if (owner === undefined) throw invalid('Expected a participant of the space, found none; add one first.')
  const name = input.name ?? group.name
  const { row } = await insertLink(space, { ...input, name, documents, participant: owner.n })
  await insertGroupLink(space.tx, { link: row.n, memberGroup: group.n, givenWith: null })
  const people = await giveToPeople(space, group, row)
  return { info: await describeAccessLink(space, row), people }
}

/** Gives what was given to a group to those who joined it since. @param groupId  as connections spell it */
export async function giveToNewcomers(space: Space, groupId: string): Promise<PersonalLink[]> {
  const group = groupNamed(await activeMembers(space.tx, space.now), groupId)
  const links: PersonalLink[] = []
  for (const row of await linksGivenTo(space.tx, group.n, space.now))
    links.push(...(await giveToPeople(space, group, row)))
  return links
}

async function giveToPeople(
  space: Space,
  { n: memberGroup }: MemberRow,
  given: AccessLinkRow,
): Promise<PersonalLink[]> {
  const numbers = (await membersOfGroups(space.tx, [memberGroup])).map(({ member }) => member)
  const members = await membersByNumbers(space.tx, numbers, space.now)
  const having = new Set((await linksOfPeople(space.tx, given.n)).map(({ participant }) => participant))
  const documents = (await exposedDocuments(space.tx, given.n)).map(({ document }) => document)
  const { kind, access, expiresAt } = given
  const common = { kind, access, documents, isBearer: given.isBearer === 1, noEvents: given.noEvents === 1 }
  const links: PersonalLink[] = []
  for (const { participant, name, isActive } of members) {
    if (participant === null || isActive !== 1 || having.has(participant)) continue
    const { row, secret } = await insertLink(space, { ...common, expiresAt: expiresAt ?? undefined, name, participant })
    await insertGroupLink(space.tx, { link: row.n, memberGroup, givenWith: given.n })
    const { pausedAt } = given
    if (pausedAt !== null) await setLinkPaused(space.tx, row.n, pausedAt)
    links.push({ info: await describeAccessLink(space, { ...row, pausedAt }), secret })
  }
  return links
}
