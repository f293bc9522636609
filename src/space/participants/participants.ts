/** Who takes part in a space. Reminders belong to participants. */

import { revokeConsents } from '../../../storage/access-links.ts'
import {
  deleteIdentity,
  findIdentity,
  type Identity,
  identitiesOfParticipant,
  insertIdentity,
} from '../../../storage/identities.ts'
import { activeParticipants, insertParticipant, removeParticipant as remove } from '../../../storage/participants.ts'
import { deletePassword, passwordOfParticipant, setPassword } from '../../../storage/passwords.ts'
import type { ParticipantRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import { formatTimestamp } from '../model/dates.ts'
import { validateName } from '../model/names.ts'
import type { Space } from '../model/space.ts'

export type { Identity }

export interface Participant {
  id: string
  name: string
  since: string
  /** As whom they sign in elsewhere; absent for who does not. */
  signsInAs?: Identity[]
  /** Whether they sign in here; absent for who does not. */
  hasPassword?: true
}

/** How somebody signs in. */
export interface SignInMethods {
  /** Elsewhere. */
  identity?: Identity | undefined
  /** Here: the password, as `hashPassword` made it. */
  password?: string | undefined
}

/** Those who have not left, in the order they came. */
export async function listParticipants(space: Space): Promise<Participant[]> {
  const participants: Participant[] = []
  for (const row of await activeParticipants(space.tx)) participants.push(await participantAnswer(space, row))
  return participants
}

/**
 * @param signsIn  for an existing participant, an identity is added and a password replaced
 * @throws VALIDATION_ERROR for what is no name, one that an active participant has unless it comes with a way to sign in, and an
 *   identity that is somebody's
 */
export async function addParticipant(
  space: Space,
  nameInput: string,
  { identity, password }: SignInMethods = {},
): Promise<Participant> {
  const name = validateName(nameInput, 'a participant')
  const existing = await findParticipant(space, name)
  if (existing !== undefined && identity === undefined && password === undefined) {
    throw invalid(
      `Expected a name that no participant has, found ${name}, which is that of ${existing.id}; add another.`,
    )
  }
  if (existing === undefined)
    await insertParticipant(space.tx, { id: space.chance.newUuid(), name, createdAt: space.now })
  const row = await findParticipant(space, name)
  if (row === undefined) throw new Error(`Expected the participant ${name} that was added.`)
  if (identity !== undefined) await addIdentity(space, row, identity)
  if (password !== undefined) {
    await setPassword(space.tx, { participant: row.n, hash: password, changedAt: space.now })
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
 * With an identity named, or their password, only that: they take part, but sign in with it no more. What they signed
 * in with ends.
 *
 * @param idOrName  by ID or by name
 * @throws VALIDATION_ERROR for one that there is not, an identity that is not theirs, and for the last participant
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
    throw invalid(`Expected a participant by ID or name, found ${idOrName}; there are ${names}.`)
  }
  const identities = await identitiesOfParticipant(space.tx, found.n)
  if (identity !== undefined) {
    const theirs = identities.find(({ issuer, subject }) => issuer === identity.issuer && subject === identity.subject)
    if (theirs === undefined) {
      throw invalid(
        `Expected a subject that ${found.name} signs in as, found ${identity.subject} of ${identity.issuer}; participants list tells them.`,
      )
    }
    await deleteIdentity(space.tx, theirs.n, space.now)
    return participantAnswer(space, found)
  }
  if (password) {
    if ((await passwordOfParticipant(space.tx, found.n)) === undefined) {
      throw invalid(`Expected a password of ${found.name}, found none; participants list tells who signs in how.`)
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
  return participantAnswer(space, found)
}

async function removePassword({ tx, now }: Space, { n }: ParticipantRow): Promise<void> {
  await deletePassword(tx, n)
  await revokeConsents(tx, n, now)
}

/** Of one who signs in here; when the password was changed is in milliseconds since 1970. */
export interface Account {
  n: number
  id: string
  name: string
  hash: string
  changedAt: number
}

/** @param idOrName  by ID, or by name in whatever letter case; none for who does not sign in here */
export async function findAccount({ tx }: Space, idOrName: string): Promise<Account | undefined> {
  const wanted = idOrName.trim().toLowerCase()
  for (const { n, id, name } of await activeParticipants(tx)) {
    if (id !== wanted && name.toLowerCase() !== wanted) continue
    const password = await passwordOfParticipant(tx, n)
    if (password !== undefined) return { n, id, name, hash: password.hash, changedAt: password.changedAt }
  }
  return undefined
}

async function findParticipant({ tx }: Space, idOrName: string): Promise<ParticipantRow | undefined> {
  return (await activeParticipants(tx)).find(({ id, name }) => id === idOrName.toLowerCase() || name === idOrName)
}

async function participantAnswer({ tx }: Space, { n, id, name, createdAt }: ParticipantRow): Promise<Participant> {
  const identities = (await identitiesOfParticipant(tx, n)).map(({ issuer, subject }) => ({ issuer, subject }))
  const password = await passwordOfParticipant(tx, n)
  return {
    id,
    name,
    since: formatTimestamp(createdAt),
    ...(identities.length > 0 && { signsInAs: identities }),
    ...(password !== undefined && { hasPassword: true }),
  }
}
