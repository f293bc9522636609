/**
 * Addresses of files. A block keeps `scriptorium://files/{id}`. Where a connection is served over HTTP it is shown an
 * address of HTTP instead, with a secret of that file's alone, so that whoever is given it gains nothing else; what a
 * client writes back is known again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SpaceInfo } from '../space.ts'

const SCHEME = 'scriptorium://files/'
/** Characters of a secret: 132 bits. */
const SECRET_LENGTH = 22
/** `{key}{id}{secret}`, the ID without its dashes; see `spaceKey` for the key. */
const TOKEN = /^[0-9a-f]{10}([0-9a-f]{32})([A-Za-z0-9_-]{22})$/

export const storedAddress = (id: string): string => `${SCHEME}${id}`

/** The ID in an address as blocks keep it. */
export const idInStored = (url: string): string | undefined =>
  url.startsWith(SCHEME) ? url.slice(SCHEME.length).toLowerCase() : undefined

/** The last part but one of an address over HTTP. @param key  of the space, as its links begin with */
export const fileToken = (info: SpaceInfo, key: string, id: string): string =>
  `${key}${id.replaceAll('-', '')}${secretOf(info, id)}`

/** The ID of the file whose secret a token has; none for a token that is wrong, or of another space. */
export function idInToken(info: SpaceInfo, token: string): string | undefined {
  const [, hex = '', secret = ''] = TOKEN.exec(token) ?? []
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (secret === '' || !timingSafeEqual(Buffer.from(secret), Buffer.from(secretOf(info, id)))) return undefined
  return id
}

/** The ID of the file that an address over HTTP leads to. */
export function idInShown(info: SpaceInfo, url: string): string | undefined {
  const [, token] = /\/files\/([A-Za-z0-9_-]+)(?:\/[^/?#]*)?$/.exec(url) ?? []
  return token === undefined ? undefined : idInToken(info, token)
}

const secretOf = ({ secret }: SpaceInfo, id: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(`file ${id}`).digest('base64url').slice(0, SECRET_LENGTH)
