/** The name that a client program gives itself. It stands beside the author of what the client writes. */
import { cleanName } from '../base/control-characters.ts'
import { CLIENT_NAME_LENGTH } from '../base/limits.ts'
import type { AccessLink } from '../space/model/space.ts'

/** Adds the client's name to a link, if it is text and something is left of it once it is cleaned. */
export function withClientName(link: AccessLink, name: unknown): AccessLink {
  const client = typeof name === 'string' ? cleanName(name, CLIENT_NAME_LENGTH) : ''
  return client === '' ? link : { ...link, client }
}
