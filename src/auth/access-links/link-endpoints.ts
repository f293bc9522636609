/**
 * Endpoints for links and participants on the pages. Only the person who runs the program may use them, and they are
 * not tools: a link that can create links could extend its own reach.
 */
import { z } from 'zod'
import { ScriptoriumError } from '../../base/errors.ts'
import { ITEMS_PER_CALL, NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS, type Space } from '../../space/model/space.ts'
import { listParticipants } from '../../space/participants/participants.ts'
import {
  addAccessLink,
  exposeDocuments,
  listAccessLinkInfos,
  pauseAccessLink,
  resumeAccessLink,
} from './access-links.ts'
import { endLink, endParticipant } from './ended-members.ts'

const operatorOnly = ['full'] as const
const linkId = z.string().min(1).max(100)
const documents = z.array(z.string().min(1).max(100)).max(ITEMS_PER_CALL)

/** The handle and the picture of the member that a link or a participant is. */
const ofMember = { handle: z.string().optional(), picture: z.string().optional() }

const linkInfo = z.strictObject({
  ...ofMember,
  id: z.string(),
  name: z.string(),
  kind: z.enum(CONNECTION_KINDS),
  access: z.enum(ACCESS_LEVELS),
  isBearer: z.boolean(),
  participant: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  pausedAt: z.string().optional(),
  documents: z.array(z.string()).optional(),
  isSignIn: z.literal(true).optional(),
  group: z.string().optional(),
  givenWith: z.string().optional(),
  noEvents: z.literal(true).optional(),
  isCalendar: z.literal(true).optional(),
})

/** What becomes of the open work of somebody who is removed, and what was given to whom. */
const decision = { giveTo: z.string().min(1).max(NAME_LENGTH).optional(), keepsWork: z.boolean().optional() }
const ofGiven = { given: z.strictObject({ to: z.string(), work: z.string() }).optional() }

/** @throws FORBIDDEN for every link: only the operator calls without one */
export function assertOperator({ link }: Space): void {
  if (link.id === undefined && link.kind === 'full' && link.access === 'full') return
  throw new ScriptoriumError(
    'FORBIDDEN',
    'Expected the person who runs this space, found a link; links, participants and settings are managed with scriptorium open, or on the command line.',
  )
}

const list = endpoint({
  name: 'links_list',
  title: 'List links',
  description: 'List the links of the space, without their secrets.',
  route: 'GET /links',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), operatorOnly),
  output: z.strictObject({ items: z.array(linkInfo) }),
  async handle({ space }) {
    assertOperator(space)
    return { items: await listAccessLinkInfos(space) }
  },
})

const add = endpoint({
  name: 'links_add',
  title: 'Add a link',
  description: 'Make a link. Its secret is answered this once.',
  route: 'POST /links',
  effect: 'add',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(
    () =>
      z.strictObject({
        name: z.string().min(1).max(NAME_LENGTH).optional(),
        kind: z.enum(CONNECTION_KINDS),
        access: z.enum(ACCESS_LEVELS),
        documents: documents.default([]),
        participant: z.string().min(1).max(NAME_LENGTH).optional(),
        isCalendar: z.boolean().default(false),
        expiresInDays: z.int().min(1).max(3_650).optional(),
      }),
    operatorOnly,
  ),
  output: z.strictObject({ link: linkInfo, secret: z.string() }),
  writtenIds: ({ link }) => [link.id],
  administers: (input) => input,
  async handle({ space }, { expiresInDays, ...input }) {
    assertOperator(space)
    const expiresAt = expiresInDays === undefined ? undefined : space.now + expiresInDays * DAY_MS
    const { info, secret } = await addAccessLink(space, { ...input, isBearer: false, expiresAt })
    return { link: info, secret }
  },
})

const DAY_MS = 86_400_000

const expose = endpoint({
  name: 'links_expose',
  title: 'Expose documents',
  description: 'Replace the documents that a selected link exposes.',
  route: 'PUT /links',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ linkId, documents }), operatorOnly),
  output: linkInfo,
  writtenIds: ({ id }) => [id],
  administers: ({ documents }) => ({ documents }),
  async handle({ space }, { linkId, documents }) {
    assertOperator(space)
    return exposeDocuments(space, linkId, documents)
  },
})

const revoke = endpoint({
  name: 'links_revoke',
  title: 'Revoke a link',
  description: 'Revoke a link: its next request is refused.',
  route: 'DELETE /links',
  effect: 'delete',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ linkId, ...decision }), operatorOnly),
  output: linkInfo.extend(ofGiven),
  writtenIds: ({ id }) => [id],
  administers: ({ linkId: _, ...decision }) => decision,
  async handle({ space }, { linkId, ...decision }) {
    assertOperator(space)
    const { ended, given } = await endLink(space, linkId, decision)
    return { ...ended, ...(given && { given }) }
  },
})

const pause = endpoint({
  name: 'links_pause',
  title: 'Pause a link',
  description: 'Pause a link, or let it go on. Its calls are refused meanwhile, also those that run now.',
  route: 'PUT /links/paused',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ linkId, isPaused: z.boolean() }), operatorOnly),
  output: linkInfo,
  writtenIds: ({ id }) => [id],
  administers: ({ isPaused }) => ({ isPaused }),
  async prepare(input, { read, interruptLink }) {
    await read(async (space) => assertOperator(space))
    const resume = input.isPaused ? interruptLink(input.linkId) : () => {}
    return { ...input, [Symbol.asyncDispose]: async () => resume() }
  },
  async handle({ space }, { linkId, isPaused }) {
    assertOperator(space)
    return (isPaused ? pauseAccessLink : resumeAccessLink)(space, linkId)
  },
})

const removePerson = endpoint({
  name: 'participants_remove',
  title: 'Remove a participant',
  description: 'Remove a participant: nothing that they sign in with is accepted any more.',
  route: 'DELETE /participants',
  effect: 'delete',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ participantId: z.string().min(1).max(100), ...decision }), operatorOnly),
  output: z.strictObject({ id: z.string(), name: z.string(), ...ofGiven }),
  writtenIds: ({ id }) => [id],
  administers: ({ participantId: _, ...decision }) => decision,
  async handle({ space }, { participantId, ...decision }) {
    assertOperator(space)
    const { ended, given } = await endParticipant(space, participantId, decision)
    return { id: ended.id, name: ended.name, ...(given && { given }) }
  },
})

const people = endpoint({
  name: 'participants_list',
  title: 'List participants',
  description: 'List the participants of the space, and how they sign in.',
  route: 'GET /participants',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({}), operatorOnly),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        since: z.string(),
        signsInAs: z.array(z.strictObject({ issuer: z.string(), subject: z.string() })).optional(),
        hasPassword: z.literal(true).optional(),
        ...ofMember,
      }),
    ),
  }),
  async handle({ space }) {
    assertOperator(space)
    return { items: await listParticipants(space) }
  },
})

export const linkEndpoints = [list, add, expose, pause, revoke, people, removePerson]
