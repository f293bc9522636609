/** Who takes part in a space. Reminders belong to participants. */
import { activeParticipants, insertParticipant, removeParticipant as remove } from '../../storage/participants.ts'
import { invalid } from '../errors.ts'
import { moment } from './dates.ts'
import type { Space } from './space.ts'

export interface Participant {
  id: string
  name: string
  since: string
}

/** Those who have not left, in the order they came. */
export async function listParticipants(space: Space): Promise<Participant[]> {
  const rows = await activeParticipants(space.tx)
  return rows.map(({ id, name, createdAt }) => ({ id, name, since: moment(createdAt) }))
}

/** @throws VALIDATION_ERROR for no name, or one that an active participant has */
export async function addParticipant(space: Space, given: string): Promise<Participant> {
  const name = given.trim()
  if (name === '') throw invalid('Expected the name of a participant, found none; say who takes part.')
  const taken = (await listParticipants(space)).find((one) => one.name === name)
  if (taken !== undefined) {
    throw invalid(`Expected a name that no participant has, found ${name}, which is that of ${taken.id}; add another.`)
  }
  const id = space.newId()
  await insertParticipant(space.tx, { id, name, createdAt: space.now })
  return { id, name, since: moment(space.now) }
}

/**
 * @param named  by ID or by name
 * @throws VALIDATION_ERROR for one that there is not, and for the last one
 */
export async function removeParticipant(space: Space, named: string): Promise<Participant> {
  const active = await activeParticipants(space.tx)
  const found = active.find(({ id, name }) => id === named.toLowerCase() || name === named)
  if (found === undefined) {
    const names = active.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw invalid(`Expected a participant by ID or name, found ${named}; there are ${names}.`)
  }
  if (active.length === 1) {
    throw invalid(`Expected a participant to stay, found ${found.name}, the only one; add another first.`)
  }
  await remove(space.tx, found.n, space.now)
  return { id: found.id, name: found.name, since: moment(found.createdAt) }
}
