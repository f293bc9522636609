/**
 * Addresses of files. A block keeps `scriptorium://files/{id}`. Where a connection is served over HTTP it is shown an
 * address of HTTP instead, of that file over its link alone: it needs no other credential, ends with the link, and leads
 * to the file only while the link reaches a block that shows it. What a client writes back is known again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SpaceInfo } from '../model/space.ts'

const SCHEME = 'scriptorium://files/'
/** Characters of the key that the ID of every link of a space begins with. */
const LINK_KEY_LENGTH = 10
/** Characters of a secret: 132 bits. */
const SECRET_LENGTH = 22
/** `{key}{file}{link}{secret}`: the ID of the file, or its former UUID without dashes; that of the link without the key. */
const TOKEN_PATTERN = /^([0-9a-f]{10})([1-9]\d{11}|[0-9a-f]{32})([0-9a-f]{12})([A-Za-z0-9_-]{22})$/

export const storedFileAddress = (id: string | number): string => `${SCHEME}${id}`

/** The ID in an address as blocks keep it. */
export const fileIdFromStoredAddress = (url: string): string | undefined =>
  url.startsWith(SCHEME) ? url.slice(SCHEME.length).toLowerCase() : undefined

/** A file over a link, both by ID. */
export interface LinkedFile {
  /** The digits, or a former UUID. */
  id: string
  link: string
}

/** The last part but one of an address over HTTP. */
export const createFileToken = (info: SpaceInfo, { id, link }: LinkedFile): string =>
  [
    link.slice(0, LINK_KEY_LENGTH),
    id.replaceAll('-', ''),
    link.slice(LINK_KEY_LENGTH),
    tokenSecret(info, { id, link }),
  ].join('')

/** What a token is of; nothing for one that is wrong, or of another space. That the link still stands is not asked. */
export function parseFileToken(info: SpaceInfo, token: string): LinkedFile | undefined {
  const [, key = '', hex = '', rest = '', secret = ''] = TOKEN_PATTERN.exec(token) ?? []
  const linked = { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), link: key + rest }
  if (secret === '' || !timingSafeEqual(Buffer.from(secret), Buffer.from(tokenSecret(info, linked)))) return undefined
  return linked
}

/** The ID of the file that an address over HTTP leads to, whichever link it was given over. */
export function fileIdFromUrl(info: SpaceInfo, url: string): string | undefined {
  const [, token] = /\/files\/([A-Za-z0-9_-]+)(?:\/[^/?#]*)?$/.exec(url) ?? []
  return token === undefined ? undefined : parseFileToken(info, token)?.id
}

const tokenSecret = ({ secret }: SpaceInfo, { id, link }: LinkedFile): string =>
  createHmac('sha256', Buffer.from(secret, 'hex'))
    .update(`file ${id} ${link}`)
    .digest('base64url')
    .slice(0, SECRET_LENGTH)
