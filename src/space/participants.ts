/** Who takes part in a space. Reminders belong to participants. */
import { deleteIdentity, type Identity, identitiesOf, identityOf, insertIdentity } from '../../storage/identities.ts'
import { activeParticipants, insertParticipant, removeParticipant as remove } from '../../storage/participants.ts'
import type { ParticipantRow } from '../../storage/schema.ts'
import { invalid } from '../errors.ts'
import { moment } from './dates.ts'
import type { Space } from './space.ts'

export type { Identity }

export interface Participant {
  id: string
  name: string
  since: string
  /** As whom they sign in elsewhere; absent for who does not. */
  signsInAs?: Identity[]
}

/** Those who have not left, in the order they came. */
export async function listParticipants(space: Space): Promise<Participant[]> {
  const participants: Participant[] = []
  for (const row of await activeParticipants(space.tx)) participants.push(await describe(space, row))
  return participants
}

/**
 * @param identity  as whom they sign in; named of one who takes part already, it is one more of theirs
 * @throws VALIDATION_ERROR for no name, one that an active participant has unless an identity is named, and an identity
 *   that is somebody's
 */
export async function addParticipant(space: Space, given: string, identity?: Identity): Promise<Participant> {
  const name = given.trim()
  if (name === '') throw invalid('Expected the name of a participant, found none; say who takes part.')
  const taken = await find(space, name)
  if (taken !== undefined && identity === undefined) {
    throw invalid(`Expected a name that no participant has, found ${name}, which is that of ${taken.id}; add another.`)
  }
  if (taken === undefined) await insertParticipant(space.tx, { id: space.newId(), name, createdAt: space.now })
  const row = await find(space, name)
  if (row === undefined) throw new Error(`Expected the participant ${name} that was added.`)
  if (identity !== undefined) await identify(space, row, identity)
  return describe(space, row)
}

async function identify(space: Space, { n, name }: ParticipantRow, identity: Identity): Promise<void> {
  if (identity.subject.trim() === '') throw invalid('Expected a subject of the issuer as --subject, found none.')
  const known = await identityOf(space.tx, identity)
  if (known?.participant === n) return
  if (known !== undefined) {
    const whose = (await activeParticipants(space.tx)).find((one) => one.n === known.participant)?.name
    throw invalid(
      `Expected a subject that is nobody's yet, found ${identity.subject}, which is ${whose}'s; remove it there, or name another for ${name}.`,
    )
  }
  await insertIdentity(space.tx, { ...identity, participant: n }, space.now)
}

/**
 * With an identity named, only that: they take part, but sign in with it no more. What they signed in with ends.
 *
 * @param named  by ID or by name
 * @throws VALIDATION_ERROR for one that there is not, an identity that is not theirs, and for the last participant
 */
export async function removeParticipant(space: Space, named: string, identity?: Identity): Promise<Participant> {
  const active = await activeParticipants(space.tx)
  const found = await find(space, named)
  if (found === undefined) {
    const names = active.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw invalid(`Expected a participant by ID or name, found ${named}; there are ${names}.`)
  }
  const identities = await identitiesOf(space.tx, found.n)
  if (identity !== undefined) {
    const theirs = identities.find(({ issuer, subject }) => issuer === identity.issuer && subject === identity.subject)
    if (theirs === undefined) {
      throw invalid(
        `Expected a subject that ${found.name} signs in as, found ${identity.subject} of ${identity.issuer}; participants list tells them.`,
      )
    }
    await deleteIdentity(space.tx, theirs.n, space.now)
    return describe(space, found)
  }
  if (active.length === 1) {
    throw invalid(`Expected a participant to stay, found ${found.name}, the only one; add another first.`)
  }
  for (const { n } of identities) await deleteIdentity(space.tx, n, space.now)
  await remove(space.tx, found.n, space.now)
  return describe(space, found)
}

async function find({ tx }: Space, named: string): Promise<ParticipantRow | undefined> {
  return (await activeParticipants(tx)).find(({ id, name }) => id === named.toLowerCase() || name === named)
}

async function describe({ tx }: Space, { n, id, name, createdAt }: ParticipantRow): Promise<Participant> {
  const identities = (await identitiesOf(tx, n)).map(({ issuer, subject }) => ({ issuer, subject }))
  return { id, name, since: moment(createdAt), ...(identities.length > 0 && { signsInAs: identities }) }
}
