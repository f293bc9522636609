/** Endpoints for participants on the pages. As for links, they are for people alone, and not tools. */
import { z } from 'zod'
import { invalid } from '../../base/errors.ts'
import { NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { ACCESS_LEVELS, type AccessLevel } from '../../space/model/space.ts'
import {
  addParticipant,
  findParticipant,
  limitParticipant,
  listParticipants,
} from '../../space/participants/participants.ts'
import { hashPassword, newPassword } from '../../space/participants/passwords.ts'
import { assertWithin } from './access-links.ts'
import { endParticipant } from './ended-members.ts'
import { decision, ofGiven } from './link-endpoints.ts'
import { assertManages, assertOperator, grantableAccess } from './link-managers.ts'

const peopleOnly = ['full'] as const
const participantId = z.string().min(1).max(100)
const access = z.enum(ACCESS_LEVELS)

const participant = z.strictObject({
  id: z.string(),
  name: z.string(),
  since: z.string(),
  signsInAs: z.array(z.strictObject({ issuer: z.string(), subject: z.string() })).optional(),
  hasPassword: z.literal(true).optional(),
  handle: z.string().optional(),
  picture: z.string().optional(),
  access: access.optional(),
})

/** An invitation, with the password in the clear and as it is stored. */
interface Invitation {
  name: string
  access: AccessLevel
  password: string
  hash: string
}

const list = endpoint({
  name: 'participants_list',
  title: 'List participants',
  description: 'List the participants of the space, and how they sign in.',
  route: 'GET /participants',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), peopleOnly),
  output: z.strictObject({ items: z.array(participant) }),
  async handle({ space }) {
    assertManages(space, 'operator', 'all')
    return { items: await listParticipants(space) }
  },
})

const add = endpoint({
  name: 'participants_add',
  title: 'Invite a person',
  description: 'Add a participant with a password, which is answered this once.',
  route: 'POST /participants',
  effect: 'add',
  isRestOnly: true,
  isNoStep: true,
  decidesAccess: true,
  input: byKind(() => z.strictObject({ name: z.string().min(1).max(NAME_LENGTH), access }), peopleOnly),
  output: z.strictObject({ participant, password: z.string() }),
  writtenIds: ({ participant }) => [participant.id],
  administers: ({ name, access }) => ({ name, access, password: 'set' }),
  async prepare(input, { read }): Promise<Invitation> {
    await read(async (space) => assertManages(space, 'operator', 'all'))
    const password = newPassword()
    return { ...input, password, hash: await hashPassword(password) }
  },
  async handle({ space }, { name, access, password, hash }: Invitation) {
    assertManages(space, 'operator', 'all')
    assertWithin(access, grantableAccess(space))
    // Otherwise the password of somebody else would be replaced.
    if ((await findParticipant(space, name)) !== undefined) {
      throw invalid(`Expected a name that no participant has, found ${name}; add another.`)
    }
    const { id } = await addParticipant(space, name, { password: hash })
    return { participant: await limitParticipant(space, id, access), password }
  },
})

const update = endpoint({
  name: 'participants_update',
  title: 'Change a participant',
  description: 'Change the most that a participant may do, with their links and those that they made.',
  route: 'PUT /participants',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ participantId, access }), peopleOnly),
  output: participant,
  writtenIds: ({ id }) => [id],
  administers: ({ access }) => ({ access }),
  async handle({ space }, { participantId, access }) {
    assertOperator(space)
    return limitParticipant(space, participantId, access)
  },
})

const remove = endpoint({
  name: 'participants_remove',
  title: 'Remove a participant',
  description: 'Remove a participant: nothing that they sign in with is accepted any more.',
  route: 'DELETE /participants',
  effect: 'delete',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ participantId, ...decision }), peopleOnly),
  output: z.strictObject({ id: z.string(), name: z.string(), ...ofGiven }),
  writtenIds: ({ id }) => [id],
  administers: ({ participantId: _, ...decision }) => decision,
  async handle({ space }, { participantId, ...decision }) {
    assertOperator(space)
    const { ended, given } = await endParticipant(space, participantId, decision)
    return { id: ended.id, name: ended.name, ...(given && { given }) }
  },
})

export const participantEndpoints = [list, add, update, remove]
