/**
 * Access links: addresses of a space that define what their holder may reach and do. The secret of a link is shown
 * once, when the link is created. The space stores its SHA-256.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import {
  accessLinkByHash,
  accessLinkById,
  exposedDocuments,
  type HeldLinkRow,
  insertAccessLink,
  setAccessLinkRevoked as revoke,
  setExposedDocuments,
  setLinkNoEvents,
  setLinkPaused,
  signedInName,
  updateAccessLink,
} from '../../../storage/access-links.ts'
import { uploadByHash } from '../../../storage/files.ts'
import { groupLinkOf, linksOfPeople } from '../../../storage/group-links.ts'
import { insertMember } from '../../../storage/members.ts'
import { activeParticipants } from '../../../storage/participants.ts'
import type { AccessLinkRow, FileRow } from '../../../storage/schema.ts'
import { invalid, linkPaused, notFound, ScriptoriumError } from '../../base/errors.ts'
import { parseFileToken } from '../../space/content/file-addresses.ts'
import { findReachableFile } from '../../space/content/file-references.ts'
import { uploadUnavailable } from '../../space/editing/add-file.ts'
import { updateMember } from '../../space/members/update-member.ts'
import { formatTimestamp } from '../../space/model/dates.ts'
import { validateMemberName } from '../../space/model/names.ts'
import type { AccessLevel, AccessLink, ConnectionKind, Space } from '../../space/model/space.ts'
import { type AccessLinkInfo, describeAccessLink, heldAccess } from './link-info.ts'
import { isWithinAccess, noSuchLink } from './link-managers.ts'

export { type AccessLinkInfo, listAccessLinkInfos } from './link-info.ts'

export interface NewAccessLink {
  kind: ConnectionKind
  access: AccessLevel
  name?: string | undefined
  /** For a selected link: IDs of the documents that it exposes. */
  documents: readonly string[]
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
  /** True if the address contains the ID, and the secret is sent in a header. */
  isBearer: boolean
  /** Name or ID of the participant who owns the link. Optional if the space has only one participant. */
  participant?: string | undefined
  /** The grant of the consent that creates the link, if any. */
  consent?: string | undefined
  /** The handle and the picture of the member that the link is. */
  handle?: string | null | undefined
  picture?: string | null | undefined
  /** True for the link with which a participant uses the pages: it is no member besides the participant. */
  isOfPages?: true
  /** True if the link may not subscribe to events that are sent to an address. */
  noEvents?: boolean | undefined
  /** True for an address that gives a calendar to read, and opens nothing else. */
  isCalendar?: boolean | undefined
  /** The number of the participant who makes it on the pages, if one does. */
  madeBy?: number | undefined
}

/** Characters of an address that identify the space, among several spaces of one server. */
const SPACE_KEY_LENGTH = 10
const ID_BYTES = 6
const SECRET_BYTES = 32

/** The common prefix of all IDs and secrets of a space's links. */
export const spaceKey = (spaceId: string): string => sha256(`space ${spaceId}`).slice(0, SPACE_KEY_LENGTH)

/** Scheme, host and port, formatted as in a URL. */
export const formatOrigin = ({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }): string =>
  `${isSecure ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`

/** The key of the space that an address belongs to. */
export const spaceKeyOf = (address: string): string => address.slice(0, SPACE_KEY_LENGTH)

const sha256 = (text: string): string => hash('sha256', text, 'hex')
/** As long as a hash, but matches no secret. */
const PLACEHOLDER_HASH = '-'.repeat(64)

/**
 * Creates a link.
 *
 * @returns its secret, which cannot be read again
 * @throws VALIDATION_ERROR for documents that do not exist or do not fit the kind, an invalid name, a time in the past,
 *   and an unknown participant
 */
export async function addAccessLink(
  space: Space,
  input: NewAccessLink,
): Promise<{ info: AccessLinkInfo; secret: string }> {
  if (input.isCalendar && input.isBearer) {
    throw invalid(
      'Expected a calendar or a link whose secret is sent in a header, found both; programs with calendars know the address alone, leave --bearer out.',
    )
  }
  const documents = await resolveDocuments(space, input.kind, input.documents)
  const participant = await findParticipant(space, input.participant)
  const { row, secret } = await insertLink(space, { ...input, participant, documents })
  // A calendar makes no calls.
  if (input.isOfPages !== true && !input.isCalendar) await addMember(space, row.n, input)
  return { info: await describeAccessLink(space, row), secret }
}

/** A link as it is stored, without its secret. All references are numbers. */
export type LinkFields = Omit<NewAccessLink, 'participant' | 'documents'> & {
  participant: number
  documents: readonly number[]
}

/** Stores a link, which is no member yet. @throws VALIDATION_ERROR for an invalid name and a time in the past */
export async function insertLink(space: Space, input: LinkFields): Promise<{ row: AccessLinkRow; secret: string }> {
  if (input.expiresAt !== undefined && input.expiresAt <= space.now) {
    throw invalid(
      `Expected a time to come as --expires, found ${formatTimestamp(input.expiresAt)}, which is past (it is ${formatTimestamp(space.now)}).`,
    )
  }
  const key = spaceKey(space.info.id)
  const secret = `${key}${randomBytes(SECRET_BYTES).toString('base64url')}`
  const row = await insertAccessLink(space.tx, {
    id: `${key}${randomBytes(ID_BYTES).toString('hex')}`,
    name: validateMemberName(input.name ?? `${input.kind} link`, 'a link'),
    kind: input.kind,
    // A calendar is read.
    access: input.isCalendar ? 'read' : input.access,
    secretHash: sha256(secret),
    isBearer: input.isBearer ? 1 : 0,
    participant: input.participant,
    createdAt: space.now,
    expiresAt: input.expiresAt ?? null,
    consent: input.consent ?? null,
    noEvents: input.noEvents ? 1 : 0,
    isCalendar: input.isCalendar ? 1 : 0,
    madeBy: input.madeBy ?? null,
  })
  await setExposedDocuments(space.tx, row.n, input.documents)
  return { row, secret }
}

/** A link of a program is a member. */
async function addMember(space: Space, link: number, { handle, picture }: NewAccessLink): Promise<void> {
  const id = await space.newId()
  await insertMember(space.tx, { id, kind: 'agent', link })
  if (handle !== undefined || picture !== undefined) await updateMember(space, String(id), { handle, picture })
}

async function findParticipant({ tx }: Space, nameOrId: string | undefined): Promise<number> {
  const active = await activeParticipants(tx)
  const names = active.map(({ name, id }) => `${name} (${id})`).join(', ')
  const found =
    nameOrId === undefined
      ? active.length === 1
        ? active[0]
        : undefined
      : active.find(({ id, name }) => id === nameOrId.toLowerCase() || name === nameOrId)
  if (found !== undefined) return found.n
  throw invalid(`Expected whose link it is as --participant, found ${nameOrId ?? 'none'}; choose one of ${names}.`)
}

/**
 * @throws VALIDATION_ERROR for a selected link without documents, and for other kinds with documents; NOT_FOUND_ERROR
 */
export async function resolveDocuments(space: Space, kind: ConnectionKind, ids: readonly string[]): Promise<number[]> {
  if (kind !== 'selected' && ids.length > 0) {
    throw invalid(`Expected documents on a selected link alone, found them on a ${kind} one; leave --documents out.`)
  }
  if (kind === 'selected' && ids.length === 0) {
    throw invalid('Expected the IDs of the documents that a selected link exposes as --documents, found none.')
  }
  return (await space.getDocuments(await Promise.all(ids.map((id) => space.readId(id))))).map(({ n }) => n)
}

/** Revokes a link, which refuses its next request. @throws NOT_FOUND_ERROR */
export async function revokeAccessLink(space: Space, id: string): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (row.revokedAt === null) await revoke(space.tx, row.n, space.now)
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/** Changes the documents that a selected link exposes. @throws NOT_FOUND_ERROR; VALIDATION_ERROR */
export async function exposeDocuments(space: Space, id: string, documents: readonly string[]): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (row.kind !== 'selected') {
    throw invalid(`Expected a selected link, found ${id}, a ${row.kind} one; it reaches what its kind says.`)
  }
  const given = await groupLinkOf(space.tx, row.n)
  if (given?.givenWith != null) {
    throw invalid(
      `Expected a link with documents of its own, found ${id}, which has those of a link that is given to a group; expose them on that one.`,
    )
  }
  const numbers = await resolveDocuments(space, row.kind, documents)
  for (const n of await withLinksOfPeople(space, row.n)) await setExposedDocuments(space.tx, n, numbers)
  return describeAccessLink(space, row)
}

/** What a link reaches, and what it may do there. */
export interface LinkRights {
  kind: ConnectionKind
  access: AccessLevel
  /** IDs of the documents that a selected link exposes. */
  documents: readonly string[]
}

/**
 * Changes what a link reaches and may do, for a link that is given to a group with those of its people.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a sign-in, for the link that a person has by a group, for documents that do
 *   not fit the kind, and for more than its owner and its maker may do
 */
export async function changeLinkRights(
  space: Space,
  id: string,
  { kind, access, documents }: LinkRights,
): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (row.revokedAt !== null) throw invalid(`Expected a link that is in use, found ${row.id}, which was revoked.`)
  const person = await signedInName(space.tx, row.n)
  if (person !== undefined) {
    throw invalid(
      `Expected a link that was made, found ${row.id}, with which ${person} signed in; it allows what they may do.`,
    )
  }
  if ((await groupLinkOf(space.tx, row.n))?.givenWith != null) {
    throw invalid(
      `Expected a link of its own, found ${row.id}, which a person has by their group; change the one that is given to the group.`,
    )
  }
  if (row.isCalendar === 1 && access !== 'read') throw invalid('Expected a calendar to be read, found more.')
  for (const most of [row.ownerAccess, row.makerAccess ?? 'full']) assertWithin(access, most)
  const numbers = await resolveDocuments(space, kind, documents)
  for (const n of await withLinksOfPeople(space, row.n)) {
    await updateAccessLink(space.tx, n, { kind, access })
    await setExposedDocuments(space.tx, n, numbers)
  }
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/** @throws VALIDATION_ERROR if an access level allows more than another */
export function assertWithin(access: AccessLevel, most: AccessLevel): void {
  if (isWithinAccess(access, most)) return
  throw invalid(
    `Expected an access that allows no more than ${most}, as the person has whose link it is or who made it, found ${access}; choose less.`,
  )
}

/** Allows or forbids subscriptions. Those of a link that may not subscribe any more end. @throws NOT_FOUND_ERROR */
export async function allowEvents(space: Space, id: string, isAllowed: boolean): Promise<AccessLinkInfo> {
  const { n } = await getAccessLinkRow(space, id)
  for (const one of await withLinksOfPeople(space, n)) await setLinkNoEvents(space.tx, one, isAllowed ? 0 : 1)
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/**
 * Pauses a link: its calls, its streams, and what is sent to its webhooks are refused or wait until it is resumed.
 *
 * @throws NOT_FOUND_ERROR; VALIDATION_ERROR for a link that has ended
 */
export async function pauseAccessLink(space: Space, id: string): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (!isActive(row, space.now)) {
    throw invalid(
      `Expected a link that is in use, found ${row.id}, which was revoked or has expired; it makes no calls.`,
    )
  }
  if (row.pausedAt === null) {
    for (const n of await withLinksOfPeople(space, row.n)) await setLinkPaused(space.tx, n, space.now)
  }
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/** Lets a paused link make calls again. @throws NOT_FOUND_ERROR */
export async function resumeAccessLink(space: Space, id: string): Promise<AccessLinkInfo> {
  const { n } = await getAccessLinkRow(space, id)
  for (const one of await withLinksOfPeople(space, n)) await setLinkPaused(space.tx, one, null)
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/** A link, and if it is given to a group, those of its people. All are numbers. */
const withLinksOfPeople = async ({ tx }: Space, link: number): Promise<number[]> => [
  link,
  ...(await linksOfPeople(tx, link)).map(({ n }) => n),
]

async function getAccessLinkRow({ tx }: Space, id: string): Promise<HeldLinkRow> {
  const row = await accessLinkById(tx, id.toLowerCase())
  if (row !== undefined) return row
  throw noSuchLink(id)
}

/**
 * Determines what the holder of an address may do.
 *
 * @param address  from the URL: the secret, or the ID of a bearer link
 * @param bearer  the secret from the header; not needed if the address contains the secret
 * @param purpose  what the link is used for: a calendar opens nothing else, and no other link opens one
 * @throws INVALID_AUTH_HEADER, with the same message for a secret that is wrong, missing, revoked or expired; with
 *   another message if the address alone opens the link and the header contains another secret
 */
export async function authenticateAccessLink(
  space: Space,
  address: string,
  bearer: string | undefined,
  purpose: 'calls' | 'calendar' = 'calls',
): Promise<AccessLink> {
  const secretHash = sha256(bearer ?? address)
  const row =
    bearer === undefined ? await accessLinkByHash(space.tx, secretHash) : await accessLinkById(space.tx, address)
  // Also compares for unknown links, so that timing does not reveal whether a link exists.
  const secretMatches = timingSafeEqual(Buffer.from(row?.secretHash ?? PLACEHOLDER_HASH), Buffer.from(secretHash))
  const isOfPurpose = (row?.isCalendar === 1) === (purpose === 'calendar')
  const kindMatches = row !== undefined && (row.isBearer === 1) === (bearer !== undefined) && isOfPurpose
  if (kindMatches && secretMatches && isActive(row, space.now)) return toLink(space, row)
  if (bearer === undefined) throw invalidLink()
  // Some clients always send a key. The holder of the address may learn that the address is right.
  const link = await authenticateAccessLink(space, address, undefined)
  if (bearer === address) return link
  throw unexpectedAuthorization()
}

const unexpectedAuthorization = (): ScriptoriumError =>
  new ScriptoriumError(
    'INVALID_AUTH_HEADER',
    'Expected no Authorization header at this link, or its own secret in it, found another value; leave the header out, since the address opens the link by itself.',
  )

/** The current state of a link; undefined if it was revoked or has expired. */
export async function getActiveLink(space: Space, id: string): Promise<AccessLink | undefined> {
  const row = await accessLinkById(space.tx, id)
  return row !== undefined && isActive(row, space.now) ? toLink(space, row) : undefined
}

const isActive = ({ revokedAt, expiresAt }: AccessLinkRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

export async function toLink({ tx }: Space, row: HeldLinkRow): Promise<AccessLink> {
  const { n, id, kind, name: author, participant, reachChanges, pausedAt, expiresAt } = row
  const access = heldAccess(row)
  const link = {
    id,
    kind,
    access,
    author,
    participant,
    reachChanges,
    ...(pausedAt !== null && { pausedAt }),
    ...(expiresAt !== null && { expiresAt }),
  }
  if (kind !== 'selected') return { ...link, documents: new Set() }
  const historyFrom = new Map((await exposedDocuments(tx, n)).map(({ document, since }) => [document, since]))
  return { ...link, documents: new Set(historyFrom.keys()), historyFrom }
}

/**
 * Resolves a file address. The link that it was given to must still be active and reach a block that shows the file.
 *
 * @throws NOT_FOUND_ERROR, with the same message for all reasons but LINK_PAUSED
 */
export async function resolveFileAddress(space: Space, token: string): Promise<FileRow> {
  const fileAddress = parseFileToken(space.info, token)
  const link = fileAddress && (await getActiveLink(space, fileAddress.link))
  if (link?.pausedAt !== undefined) throw linkPaused(link.pausedAt)
  const file = link && (await findReachableFile(space.withLink(link), (await space.readId(fileAddress.id)).number))
  if (file === undefined) throw fileNotFound()
  return file
}

/**
 * Resolves a file by ID within the reach of a link.
 *
 * @throws NOT_FOUND_ERROR, with the same message for all reasons
 */
export async function resolveReachedFile(space: Space, link: AccessLink, id: string): Promise<FileRow> {
  const file = await findReachableFile(space.withLink(link), (await space.readId(id)).number)
  if (file === undefined) throw fileNotFound()
  return file
}

export const fileNotFound = (): ScriptoriumError =>
  notFound('Expected the address of a file, found one that leads to no file; read it again with blocks_get.')

/**
 * Resolves an upload address to the link that it was given to, and the original input.
 *
 * @throws NOT_FOUND_ERROR for an address that was used or has expired, and if the link has ended
 */
export async function resolveUploadAddress(space: Space, token: string): Promise<{ link: AccessLink; input: object }> {
  const found = await uploadByHash(space.tx, sha256(token))
  const row = found && (await accessLinkById(space.tx, found.link))
  if (found === undefined || row === undefined || !isActive(row, space.now) || found.expiresAt <= space.now)
    throw uploadUnavailable()
  const link = await toLink(space, row)
  // The link of a sign-in has the name that the program reports for itself.
  return {
    link: { ...link, author: (await signedInName(space.tx, row.n)) ?? link.author },
    input: JSON.parse(found.asked),
  }
}

/** 404 for metadata that does not exist. A 401 would make clients try to sign in there, which would fail. */
export const missingMetadata = (): ScriptoriumError =>
  notFound(
    'Expected an address with metadata of sign-in, found one that has none; connect with an access link, or to a space of a server with sign-in.',
  )

export const invalidLink = (): ScriptoriumError =>
  new ScriptoriumError(
    'INVALID_AUTH_HEADER',
    'Expected the address of a link, or its ID and its secret as Authorization: Bearer, found an invalid, revoked or expired one; ask the person who made the link for another.',
  )
