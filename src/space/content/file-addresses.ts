/**
 * Addresses of files. A block stores `scriptorium://files/{id}`. A connection over HTTP gets an HTTP URL for its own
 * link in place of that. The URL needs no other credential, expires with the link, and only works while the link
 * reaches a block that shows the file. A restore does not change it, so it ends only with its link. If a client writes
 * the URL back, it is converted to the stored form.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressKey, SpaceInfo } from '../model/space.ts'

const SCHEME = 'scriptorium://files/'
/** Length of the key, in characters. The IDs of all links of a space begin with the same key. */
const LINK_KEY_LENGTH = 10
/** Length of the secret in characters: 132 bits. */
const SECRET_LENGTH = 22
/**
 * `{key}{file}{link}{secret}`: the ID of the file (or its former UUID without dashes), and the ID of the link without
 * the key.
 */
const TOKEN_PATTERN = /^([0-9a-f]{10})([1-9]\d{11}|[0-9a-f]{32})([0-9a-f]{12})([A-Za-z0-9_-]{22})$/

export const storedFileAddress = (id: string | number): string => `${SCHEME}${id}`

/** Returns the file ID in a stored address, or undefined for any other address. */
export const fileIdFromStoredAddress = (url: string): string | undefined =>
  url.startsWith(SCHEME) ? url.slice(SCHEME.length).toLowerCase() : undefined

/** A file and the link that gives access to it, both by ID. */
export interface LinkedFile {
  /** The digits of the ID, or a former UUID. */
  id: string
  link: string
}

/** Creates the token: the second-to-last segment of the URL path. */
export const createFileToken = (info: SpaceInfo, { id, link }: LinkedFile): string =>
  [
    link.slice(0, LINK_KEY_LENGTH),
    id.replaceAll('-', ''),
    link.slice(LINK_KEY_LENGTH),
    tokenSecret(info.addressKey, { id, link }),
  ].join('')

/**
 * Decodes a token. Returns undefined if it is invalid or belongs to another space. Does not check that the link still
 * exists.
 */
export function parseFileToken(info: SpaceInfo, token: string): LinkedFile | undefined {
  const [, key = '', hex = '', rest = '', secret = ''] = TOKEN_PATTERN.exec(token) ?? []
  const linked = { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), link: key + rest }
  const isSigned = (key: AddressKey) => timingSafeEqual(Buffer.from(secret), Buffer.from(tokenSecret(key, linked)))
  return secret !== '' && [info.addressKey, ...info.formerAddressKeys].some(isSigned) ? linked : undefined
}

/** Returns the ID of the file that an HTTP URL leads to. The URL may belong to any link of the space. */
export function fileIdFromUrl(info: SpaceInfo, url: string): string | undefined {
  const [, token] = /\/files\/([A-Za-z0-9_-]+)(?:\/[^/?#]*)?$/.exec(url) ?? []
  return token === undefined ? undefined : parseFileToken(info, token)?.id
}

const tokenSecret = ({ fileKey }: AddressKey, { id, link }: LinkedFile): string =>
  createHmac('sha256', Buffer.from(fileKey, 'hex'))
    .update(`file ${id} ${link}`)
    .digest('base64url')
    .slice(0, SECRET_LENGTH)
