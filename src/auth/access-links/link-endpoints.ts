/**
 * Endpoints for links on the pages. The person who runs the program and people who signed in use them, and they are not
 * tools: a link that can create links could extend its own reach.
 */
import { z } from 'zod'
import { ITEMS_PER_CALL, NAME_LENGTH } from '../../base/limits.ts'
import { byKind, endpoint } from '../../endpoint.ts'
import { ACCESS_LEVELS, CONNECTION_KINDS } from '../../space/model/space.ts'
import { activeParticipant } from '../../space/participants/participants.ts'
import {
  addAccessLink,
  assertWithin,
  changeLinkRights,
  listAccessLinkInfos,
  pauseAccessLink,
  resumeAccessLink,
} from './access-links.ts'
import { endLink } from './ended-members.ts'
import { assertManages, grantableAccess, managedLink } from './link-managers.ts'

/** People who signed in reach the whole space. */
const peopleOnly = ['full'] as const
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
  madeBy: z.string().optional(),
})

/** What becomes of the open work of somebody who is removed, and what was given to whom. */
export const decision = { giveTo: z.string().min(1).max(NAME_LENGTH).optional(), keepsWork: z.boolean().optional() }
export const ofGiven = { given: z.strictObject({ to: z.string(), work: z.string() }).optional() }

const list = endpoint({
  name: 'links_list',
  title: 'List links',
  description: 'List the links that the caller manages, without their secrets.',
  route: 'GET /links',
  effect: 'read',
  isRestOnly: true,
  isNoStep: true,
  decidesAccess: true,
  input: byKind(() => z.strictObject({}), peopleOnly),
  output: z.strictObject({ items: z.array(linkInfo) }),
  async handle({ space }) {
    const management = assertManages(space)
    return { items: await listAccessLinkInfos(space, management === 'own' ? space.link.participant : undefined) }
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
  decidesAccess: true,
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
    peopleOnly,
  ),
  output: z.strictObject({ link: linkInfo, secret: z.string() }),
  writtenIds: ({ link }) => [link.id],
  administers: (input) => input,
  async handle({ space }, { expiresInDays, ...input }) {
    const management = assertManages(space)
    const madeBy = management === 'operator' ? undefined : space.link.participant
    // Where one manages only own links, a link is for oneself.
    const participant = management === 'own' ? (await activeParticipant(space, madeBy)).id : input.participant
    const expiresAt = expiresInDays === undefined ? undefined : space.now + expiresInDays * DAY_MS
    if (!input.isCalendar) assertWithin(input.access, grantableAccess(space))
    const { info, secret } = await addAccessLink(space, { ...input, participant, isBearer: false, expiresAt, madeBy })
    return { link: info, secret }
  },
})

const DAY_MS = 86_400_000

const update = endpoint({
  name: 'links_update',
  title: 'Change a link',
  description: 'Change what a link reaches, and what it may do there: no more than its maker and the caller may.',
  route: 'PUT /links',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  decidesAccess: true,
  input: byKind(
    () => z.strictObject({ linkId, kind: z.enum(CONNECTION_KINDS), access: z.enum(ACCESS_LEVELS), documents }),
    peopleOnly,
  ),
  output: linkInfo,
  writtenIds: ({ id }) => [id],
  administers: ({ linkId: _, ...rights }) => rights,
  async handle({ space }, { linkId, ...rights }) {
    const { id } = await managedLink(space, linkId)
    assertWithin(rights.access, grantableAccess(space))
    return changeLinkRights(space, id, rights)
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
  decidesAccess: true,
  input: byKind(() => z.strictObject({ linkId, ...decision }), peopleOnly),
  output: linkInfo.extend(ofGiven),
  writtenIds: ({ id }) => [id],
  administers: ({ linkId: _, ...decision }) => decision,
  async handle({ space }, { linkId, ...decision }) {
    const { id } = await managedLink(space, linkId)
    const { ended, given } = await endLink(space, id, decision)
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
  decidesAccess: true,
  input: byKind(() => z.strictObject({ linkId, isPaused: z.boolean() }), peopleOnly),
  output: linkInfo,
  writtenIds: ({ id }) => [id],
  administers: ({ isPaused }) => ({ isPaused }),
  async prepare(input, { read, interruptLink }) {
    const { id } = await read((space) => managedLink(space, input.linkId))
    const resume = input.isPaused ? interruptLink(id) : () => {}
    return { ...input, [Symbol.asyncDispose]: async () => resume() }
  },
  async handle({ space }, { linkId, isPaused }) {
    const { id } = await managedLink(space, linkId)
    return (isPaused ? pauseAccessLink : resumeAccessLink)(space, id)
  },
})

export const linkEndpoints = [list, add, update, pause, revoke]
