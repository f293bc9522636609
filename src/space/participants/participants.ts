/** The participants of a space, who own reminders. */

import { revokeConsents, revokeLinksMadeBy } from '../../../storage/access-links.ts'
import { revokeGroupLinksOfPerson } from '../../../storage/group-links.ts'
import {
  deleteIdentity,
  findIdentity,
  type Identity,
  identitiesOfParticipant,
  insertIdentity,
} from '../../../storage/identities.ts'
import { insertParticipantMember, memberOfParticipant } from '../../../storage/members.ts'
import {
  activeParticipants,
  insertParticipant,
  removeParticipant as remove,
  setParticipantAccess,
} from '../../../storage/participants.ts'
import { deletePassword, passwordOfParticipant, setPassword } from '../../../storage/passwords.ts'
import type { ParticipantRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { memberMarks } from '../members/members.ts'
import { changeMember, type MemberChange } from '../members/update-member.ts'
import { formatTimestamp } from '../model/dates.ts'
import { validateMemberName } from '../model/names.ts'
import type { AccessLevel, Space } from '../model/space.ts'

export type { Identity }

export interface Participant {
  id: string
  name: string
  since: string
  /** The identities with which they sign in at other providers. Absent if there are none. */
  signsInAs?: Identity[]
  /** True if they sign in here with a password. Absent if not. */
  hasPassword?: true
  /** Those of the member that they are. */
  handle?: string
  picture?: string
  /** The most that they may do. Absent if that is everything. */
  access?: AccessLevel
}

/** The ways in which a person signs in. */
export interface SignInMethods {
  /** With an identity at another provider. */
  identity?: Identity | undefined
  /** With a password here, in the form that `hashPassword` returns. */
  password?: string | undefined
}

/** Returns the participants who have not left, in the order in which they were added. */
export async function listParticipants(space: Space): Promise<Participant[]> {
  const participants: Participant[] = []
  for (const row of await activeParticipants(space.tx)) participants.push(await participantAnswer(space, row))
  return participants
}

/**
 * @param change  for an existing participant, an identity is added, and a password, handle or picture replaced
 * @throws VALIDATION_ERROR for an invalid name, a name that an active participant has (unless a way to sign in is
 *   given), and an identity that belongs to someone already
 */
export async function addParticipant(
  space: Space,
  nameInput: string,
  { identity, password, handle, picture }: SignInMethods & Pick<MemberChange, 'handle' | 'picture'> = {},
): Promise<Participant> {
  const name = validateMemberName(nameInput, 'a participant')
  const existing = await findParticipant(space, name)
  const changesNothing = [identity, password, handle, picture].every((one) => one === undefined)
  if (existing !== undefined && changesNothing) {
    throw invalid(
      `Expected a name that no participant has, found ${name}, which is that of ${existing.id}; add another.`,
    )
  }
  if (existing === undefined) {
    const id = space.chance.newUuid()
    await insertParticipant(space.tx, { id, name, createdAt: space.now })
    await insertParticipantMember(space.tx, await space.newId(), id)
  }
  const row = await findParticipant(space, name)
  if (row === undefined) throw new Error(`Expected the participant ${name} that was added.`)
  if (identity !== undefined) await addIdentity(space, row, identity)
  if (password !== undefined) {
    await setPassword(space.tx, { participant: row.n, hash: password, changedAt: space.now })
  }
  if (handle !== undefined || picture !== undefined) {
    const member = await memberOfParticipant(space.tx, row.n, space.now)
    if (member !== undefined) await changeMember(space, member, { handle, picture })
  }
  return participantAnswer(space, row)
}

async function addIdentity(space: Space, { n, name }: ParticipantRow, identity: Identity): Promise<void> {
  if (identity.subject.trim() === '') throw invalid('Expected a subject of the issuer as --subject, found none.')
  const existing = await findIdentity(space.tx, identity)
  if (existing?.participant === n) return
  if (existing !== undefined) {
    const whose = (await activeParticipants(space.tx)).find((one) => one.n === existing.participant)?.name
    throw invalid(
      `Expected a subject that no participant has yet, found ${identity.subject}, which is ${whose}'s; remove it there, or name another for ${name}.`,
    )
  }
  await insertIdentity(space.tx, { ...identity, participant: n }, space.now)
}

/**
 * Removes a participant. If an identity is given, or `password` is true, removes only that: the person stays a
 * participant but can no longer sign in with it. Access that was granted by signing in with it ends. With a
 * participant, the links end that they made.
 *
 * @param idOrName  ID or name
 * @throws VALIDATION_ERROR for a participant that does not exist, an identity that is not theirs, a password that they
 *   do not have, and the last participant
 */
export async function removeParticipant(
  space: Space,
  idOrName: string,
  { identity, password = false }: { identity?: Identity | undefined; password?: boolean } = {},
): Promise<Participant> {
  const active = await activeParticipants(space.tx)
  const found = await findParticipant(space, idOrName)
  if (found === undefined) {
    const names = active.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw invalid(`Expected a participant by ID or name, found ${idOrName}; choose one of ${names}.`)
  }
  const identities = await identitiesOfParticipant(space.tx, found.n)
  if (identity !== undefined) {
    const theirs = identities.find(({ issuer, subject }) => issuer === identity.issuer && subject === identity.subject)
    if (theirs === undefined) {
      throw invalid(
        `Expected a subject that ${found.name} signs in as, found ${identity.subject} of ${identity.issuer}; run participants list to see them.`,
      )
    }
    await deleteIdentity(space.tx, theirs.n, space.now)
    return participantAnswer(space, found)
  }
  if (password) {
    if ((await passwordOfParticipant(space.tx, found.n)) === undefined) {
      throw invalid(`Expected a password of ${found.name}, found none; run participants list to see who signs in how.`)
    }
    await removePassword(space, found)
    return participantAnswer(space, found)
  }
  if (active.length === 1) {
    throw invalid(`Expected a participant to stay, found ${found.name}, the only one; add another first.`)
  }
  for (const { n } of identities) await deleteIdentity(space.tx, n, space.now)
  await removePassword(space, found)
  await remove(space.tx, found.n, space.now)
  await revokeGroupLinksOfPerson(space.tx, found.n, space.now)
  await revokeLinksMadeBy(space.tx, found.n, space.now)
  return participantAnswer(space, found)
}

/**
 * Changes the most that a participant may do, and with it all of their links and those that they made, now and later.
 *
 * @param idOrName  ID or name
 * @throws VALIDATION_ERROR for a participant that does not exist
 */
export async function limitParticipant(space: Space, idOrName: string, access: AccessLevel): Promise<Participant> {
  const found = await findParticipant(space, idOrName)
  if (found === undefined) throw invalid(`Expected a participant by ID or name, found ${idOrName}; list them first.`)
  await setParticipantAccess(space.tx, found.n, access)
  return participantAnswer(space, { ...found, access })
}

async function removePassword({ tx, now }: Space, { n }: ParticipantRow): Promise<void> {
  await deletePassword(tx, n)
  await revokeConsents(tx, n, now)
}

/**
 * The account of a participant who signs in here. `changedAt` is the time of the last change of password, in
 * milliseconds since 1970.
 */
export interface Account {
  n: number
  id: string
  name: string
  hash: string
  changedAt: number
}

/**
 * @param idOrName  ID, or name in any letter case
 * @returns undefined for participants who do not sign in here
 */
export async function findAccount({ tx }: Space, idOrName: string): Promise<Account | undefined> {
  const wanted = idOrName.trim().toLowerCase()
  for (const { n, id, name } of await activeParticipants(tx)) {
    if (id !== wanted && name.toLowerCase() !== wanted) continue
    const password = await passwordOfParticipant(tx, n)
    if (password !== undefined) return { n, id, name, hash: password.hash, changedAt: password.changedAt }
  }
  return undefined
}

export async function findParticipant({ tx }: Space, idOrName: string): Promise<ParticipantRow | undefined> {
  return (await activeParticipants(tx)).find(({ id, name }) => id === idOrName.toLowerCase() || name === idOrName)
}

/** The participant with this number. @throws VALIDATION_ERROR for one who has left */
export async function activeParticipant({ tx }: Space, n: number | undefined): Promise<ParticipantRow> {
  const found = (await activeParticipants(tx)).find((one) => one.n === n)
  if (found === undefined) throw invalid('Expected somebody who takes part in this space, found one who has left.')
  return found
}

async function participantAnswer(
  { tx, now }: Space,
  { n, id, name, createdAt, access }: ParticipantRow,
): Promise<Participant> {
  const identities = (await identitiesOfParticipant(tx, n)).map(({ issuer, subject }) => ({ issuer, subject }))
  const password = await passwordOfParticipant(tx, n)
  return {
    id,
    name,
    since: formatTimestamp(createdAt),
    ...(identities.length > 0 && { signsInAs: identities }),
    ...(password !== undefined && { hasPassword: true }),
    ...memberMarks(await memberOfParticipant(tx, n, now)),
    ...(access !== 'full' && { access }),
  }
}
