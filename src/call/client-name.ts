/** The name that a client program gives itself. It stands beside the author of what the client writes. */
import { cleanName } from '../base/control-characters.ts'
import { CLIENT_NAME_LENGTH } from '../base/limits.ts'
import { type AccessLink, IMPORT_CLIENT, PAGE_CLIENT } from '../space/model/space.ts'

/** Names that say that a person acted. A program with one would be shown as that person. */
const OF_PEOPLE: ReadonlySet<string> = new Set([PAGE_CLIENT, IMPORT_CLIENT])

/** Adds the client's name to a link, if it is text and something is left of it once it is cleaned. */
export function withClientName(link: AccessLink, name: unknown): AccessLink {
  const client = typeof name === 'string' ? cleanName(name, CLIENT_NAME_LENGTH) : ''
  if (client === '') return link
  return { ...link, client: OF_PEOPLE.has(client) ? `${client} (program)` : client }
}
