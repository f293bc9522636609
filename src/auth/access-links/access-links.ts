/**
 * Links: addresses of a space that say what their holder may reach and do. The secret of a link is shown once, when it
 * is made; the space keeps its SHA-256.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import {
  accessLinkByHash,
  accessLinkById,
  exposedDocuments,
  insertAccessLink,
  listAccessLinkRows,
  setAccessLinkRevoked as revoke,
  setExposedDocuments,
  signedInName,
} from '../../../storage/access-links.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { uploadByHash } from '../../../storage/files.ts'
import { activeParticipants, participantName } from '../../../storage/participants.ts'
import type { AccessLinkRow, FileRow } from '../../../storage/schema.ts'
import { invalid, notFound, ScriptoriumError } from '../../base/errors.ts'
import { parseFileToken } from '../../space/content/file-addresses.ts'
import { findReachableFile } from '../../space/content/file-references.ts'
import { uploadUnavailable } from '../../space/editing/add-file.ts'
import { validateName } from '../../space/model/names.ts'
import type { AccessLevel, AccessLink, ConnectionKind, Space } from '../../space/model/space.ts'

export interface NewAccessLink {
  kind: ConnectionKind
  access: AccessLevel
  name?: string | undefined
  /** Of a selected link: IDs of the documents that it exposes. */
  documents: readonly string[]
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined
  /** Whether its address has the ID, and the secret comes in a header. */
  isBearer: boolean
  /** By name or ID: whose link it is. Only to be left out while one takes part. */
  participant?: string | undefined
  /** The grant of the consent that makes it, where one does. */
  consent?: string | undefined
}

/** A link as it is listed: everything but its secret. */
export interface AccessLinkInfo {
  id: string
  name: string
  kind: ConnectionKind
  access: AccessLevel
  isBearer: boolean
  participant: string
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  documents?: string[]
  /** Whether it stands for a sign-in, so that no one knows its secret. */
  isSignIn?: true
}

/** Letters of an address that tell of which space it is, among several that one server has. */
const SPACE_KEY_LENGTH = 10
const ID_BYTES = 6
const SECRET_BYTES = 32

/** What every ID and secret of a space's links begins with. */
export const spaceKey = (spaceId: string): string => sha256(`space ${spaceId}`).slice(0, SPACE_KEY_LENGTH)

/** Scheme, host and port as a URL has them. */
export const formatOrigin = ({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }): string =>
  `${isSecure ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`

/** The space that an address is of. */
export const spaceKeyOf = (address: string): string => address.slice(0, SPACE_KEY_LENGTH)

const sha256 = (text: string): string => hash('sha256', text, 'hex')
/** As long as a hash, of no secret. */
const PLACEHOLDER_HASH = '-'.repeat(64)

/**
 * Make a link.
 *
 * @returns its secret, which nothing tells again
 * @throws VALIDATION_ERROR for documents that do not exist or on another kind, what is no name, a time that is past, and
 *   an unknown participant
 */
export async function addAccessLink(
  space: Space,
  input: NewAccessLink,
): Promise<{ info: AccessLinkInfo; secret: string }> {
  const documents = await resolveDocuments(space, input.kind, input.documents)
  if (input.expiresAt !== undefined && input.expiresAt <= space.now) {
    throw invalid(
      `Expected a time to come as --expires, found ${formatTimestamp(input.expiresAt)}, which is past (it is ${formatTimestamp(space.now)}).`,
    )
  }
  const key = spaceKey(space.info.id)
  const secret = `${key}${randomBytes(SECRET_BYTES).toString('base64url')}`
  const row = await insertAccessLink(space.tx, {
    id: `${key}${randomBytes(ID_BYTES).toString('hex')}`,
    name: validateName(input.name ?? `${input.kind} link`, 'a link'),
    kind: input.kind,
    access: input.access,
    secretHash: sha256(secret),
    isBearer: input.isBearer ? 1 : 0,
    participant: await findParticipant(space, input.participant),
    createdAt: space.now,
    expiresAt: input.expiresAt ?? null,
    consent: input.consent ?? null,
  })
  await setExposedDocuments(space.tx, row.n, documents)
  return { info: await describeAccessLink(space, row), secret }
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
  throw invalid(`Expected whose link it is as --participant, found ${nameOrId ?? 'none'}; there are ${names}.`)
}

/** @throws VALIDATION_ERROR for documents on another kind than selected, and for none on that; NOT_FOUND_ERROR */
export async function resolveDocuments(space: Space, kind: ConnectionKind, ids: readonly string[]): Promise<number[]> {
  if (kind !== 'selected' && ids.length > 0) {
    throw invalid(`Expected documents on a selected link alone, found them on a ${kind} one; leave --documents out.`)
  }
  if (kind === 'selected' && ids.length === 0) {
    throw invalid('Expected the IDs of the documents that a selected link exposes as --documents, found none.')
  }
  return (await space.getDocuments(await Promise.all(ids.map((id) => space.readId(id))))).map(({ n }) => n)
}

/** All links, those that were revoked or have expired too, in the order in which they were made. */
export async function listAccessLinkInfos(space: Space): Promise<AccessLinkInfo[]> {
  const infos: AccessLinkInfo[] = []
  for (const row of await listAccessLinkRows(space.tx)) infos.push(await describeAccessLink(space, row))
  return infos
}

/** Revoke a link: its next request is refused. @throws NOT_FOUND_ERROR */
export async function revokeAccessLink(space: Space, id: string): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (row.revokedAt === null) await revoke(space.tx, row.n, space.now)
  return describeAccessLink(space, await getAccessLinkRow(space, id))
}

/** Expose these documents over a selected link, and no others. @throws NOT_FOUND_ERROR; VALIDATION_ERROR */
export async function exposeDocuments(space: Space, id: string, documents: readonly string[]): Promise<AccessLinkInfo> {
  const row = await getAccessLinkRow(space, id)
  if (row.kind !== 'selected') {
    throw invalid(`Expected a selected link, found ${id}, a ${row.kind} one; it reaches what its kind says.`)
  }
  await setExposedDocuments(space.tx, row.n, await resolveDocuments(space, row.kind, documents))
  return describeAccessLink(space, row)
}

async function getAccessLinkRow({ tx }: Space, id: string): Promise<AccessLinkRow> {
  const row = await accessLinkById(tx, id.toLowerCase())
  if (row !== undefined) return row
  throw new ScriptoriumError('NOT_FOUND_ERROR', `Expected the ID of a link, found ${id}; links list tells them.`)
}

async function describeAccessLink({ tx }: Space, row: AccessLinkRow): Promise<AccessLinkInfo> {
  const { id, name, kind, access, createdAt, expiresAt, revokedAt } = row
  const participant = (await participantName(tx, row.participant)) ?? ''
  const info: AccessLinkInfo = {
    id,
    name,
    kind,
    access,
    isBearer: row.isBearer === 1,
    participant,
    createdAt: formatTimestamp(createdAt),
  }
  if ((await signedInName(tx, row.n)) !== undefined) info.isSignIn = true
  if (expiresAt !== null) info.expiresAt = formatTimestamp(expiresAt)
  if (revokedAt !== null) info.revokedAt = formatTimestamp(revokedAt)
  if (kind === 'selected') {
    const numbers = (await exposedDocuments(tx, row.n)).map(({ document }) => document)
    info.documents = (await blocksByNumbers(tx, numbers)).map((block) => String(block.id))
  }
  return info
}

const formatTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/**
 * What the holder of an address may do.
 *
 * @param address  what stands in the URL: the secret, or of a bearer link its ID
 * @param bearer  the secret from the header; a link whose address has it does not need it there
 * @throws INVALID_AUTH_HEADER, in the same words for a secret that is wrong, missing, revoked or expired; in others where
 *   the address alone opens the link, and the header has another secret
 */
export async function authenticateAccessLink(
  space: Space,
  address: string,
  bearer: string | undefined,
): Promise<AccessLink> {
  const secretHash = sha256(bearer ?? address)
  const row =
    bearer === undefined ? await accessLinkByHash(space.tx, secretHash) : await accessLinkById(space.tx, address)
  // A link that there is not is compared with, too, so that its absence takes no less time.
  const secretMatches = timingSafeEqual(Buffer.from(row?.secretHash ?? PLACEHOLDER_HASH), Buffer.from(secretHash))
  const kindMatches = row !== undefined && (row.isBearer === 1) === (bearer !== undefined)
  if (kindMatches && secretMatches && isActive(row, space.now)) return toLink(space, row)
  if (bearer === undefined) throw invalidLink()
  // Clients of services that want a key always send one. The holder of the address may learn that it is right.
  const link = await authenticateAccessLink(space, address, undefined)
  if (bearer === address) return link
  throw unexpectedAuthorization()
}

const unexpectedAuthorization = (): ScriptoriumError =>
  new ScriptoriumError(
    'INVALID_AUTH_HEADER',
    'Expected no Authorization header at this link, or its own secret in it, found another value; leave the header out, since the address opens the link by itself.',
  )

/** A link as it is now; none once it was revoked or has expired. */
export async function getActiveLink(space: Space, id: string): Promise<AccessLink | undefined> {
  const row = await accessLinkById(space.tx, id)
  return row !== undefined && isActive(row, space.now) ? toLink(space, row) : undefined
}

const isActive = ({ revokedAt, expiresAt }: AccessLinkRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

export async function toLink(
  { tx }: Space,
  { n, id, kind, access, name: author, participant, reachChanges }: AccessLinkRow,
): Promise<AccessLink> {
  const link = { id, kind, access, author, participant, reachChanges }
  if (kind !== 'selected') return { ...link, documents: new Set() }
  const historyFrom = new Map((await exposedDocuments(tx, n)).map(({ document, since }) => [document, since]))
  return { ...link, documents: new Set(historyFrom.keys()), historyFrom }
}

/**
 * The file that an address leads to, while the link that it was given over stands and reaches a block that shows it.
 *
 * @throws NOT_FOUND_ERROR, in the same words whatever is wrong
 */
export async function resolveFileAddress(space: Space, token: string): Promise<FileRow> {
  const fileAddress = parseFileToken(space.info, token)
  const link = fileAddress && (await getActiveLink(space, fileAddress.link))
  const file = link && (await findReachableFile(space.withLink(link), (await space.readId(fileAddress.id)).number))
  if (file === undefined) throw fileNotFound()
  return file
}

/**
 * A file that a link reaches, by its ID.
 *
 * @throws NOT_FOUND_ERROR, in the same words whatever is wrong
 */
export async function resolveReachedFile(space: Space, link: AccessLink, id: string): Promise<FileRow> {
  const file = await findReachableFile(space.withLink(link), (await space.readId(id)).number)
  if (file === undefined) throw fileNotFound()
  return file
}

export const fileNotFound = (): ScriptoriumError =>
  notFound('Expected the address of a file, found one that leads to no file; read it again with blocks_get.')

/**
 * The link over which an address for one file was given, and what was asked there.
 *
 * @throws NOT_FOUND_ERROR for an address that has taken its file or has expired, and when the link is no more
 */
export async function resolveUploadAddress(space: Space, token: string): Promise<{ link: AccessLink; input: object }> {
  const found = await uploadByHash(space.tx, sha256(token))
  const row = found && (await accessLinkById(space.tx, found.link))
  if (found === undefined || row === undefined || !isActive(row, space.now) || found.expiresAt <= space.now)
    throw uploadUnavailable()
  const link = await toLink(space, row)
  // The link of a sign-in is named after the program, by what that says of itself.
  return {
    link: { ...link, author: (await signedInName(space.tx, row.n)) ?? link.author },
    input: JSON.parse(found.asked),
  }
}

/** Nothing is described at a well-known address. 401 would send clients there to sign in, and they would fail. */
export const missingMetadata = (): ScriptoriumError =>
  notFound(
    'Expected an address with metadata of sign-in, found one that has none; connect with an access link, or to a space of a server with sign-in.',
  )

export const invalidLink = (): ScriptoriumError =>
  new ScriptoriumError(
    'INVALID_AUTH_HEADER',
    'Expected the address of a link, or its ID and its secret as Authorization: Bearer, found an invalid, revoked or expired one; ask the person who made the link for another.',
  )
