/** `scriptorium links`: addresses of a space that say what their holders may reach and do. */
import { readDuration } from './durations.ts'
import { invalid } from './errors.ts'
import type { Options } from './flags.ts'
import type { Done } from './printing.ts'
import { addLink, exposeDocuments, type LinkInfo, listLinks, originOf, revokeLink } from './server/links.ts'
import { checkDate, dayBounds, readTime } from './space/dates.ts'
import type { OpenSpace } from './space/open.ts'
import { OWN_LINK, type Space } from './space/space.ts'

export type LinksAction = 'add' | 'list' | 'revoke' | 'expose'

export async function runLinks(space: OpenSpace, action: LinksAction, options: Options): Promise<Done> {
  const { operand, documents } = options
  switch (action) {
    case 'add':
      return space.write(OWN_LINK, (view) => add(view, options))
    case 'list': {
      const links = await space.read(OWN_LINK, listLinks)
      const none = [['There are no links; links add makes one.']]
      return { value: links, lines: links.length > 0 ? links.map(line) : none }
    }
    case 'revoke': {
      const link = await space.write(OWN_LINK, (view) => revokeLink(view, operand))
      return { value: link, lines: [led('Revoked', line(link))] }
    }
    case 'expose': {
      const link = await space.write(OWN_LINK, (view) => exposeDocuments(view, operand, documents))
      return { value: link, lines: [line(link)] }
    }
  }
}

async function add(view: Space, options: Options): Promise<Done> {
  const { kind, access, documents, bearer, expires, name, participant } = options
  const expiresAt = expires === undefined ? undefined : endOf(view, expires)
  const asked = { kind, access, documents, isBearer: bearer, name, participant, expiresAt }
  const { info, secret } = await addLink(view, asked)
  const base = `${baseUrl(options)}/links/${bearer ? info.id : secret}`
  const value = { id: info.id, secret, kind, access, restUrl: `${base}/api/v1`, mcpUrl: `${base}/mcp` }
  const lines = [
    led('Made', line(info)),
    ['Its secret is shown this once:'],
    [`  MCP   ${value.mcpUrl}`],
    [`  REST  ${value.restUrl}`],
    ...(bearer ? [[`  Authorization: Bearer ${secret}`]] : []),
  ]
  return { value, lines }
}

const baseUrl = ({ publicUrl, host, port, tlsCert }: Options): string =>
  publicUrl?.replace(/\/+$/, '') ?? originOf({ host, port, isSecure: tlsCert !== undefined })

/** A time with its offset, the end of a date, or a while from now: `30d`. Milliseconds since 1970. */
function endOf(view: Space, expires: string): number {
  const duration = readDuration(expires)
  if (duration !== undefined) return view.now + duration
  if (/^\d{4}-\d{2}-\d{2}$/.test(expires)) return dayBounds(checkDate(expires), view).to
  if (/^\d{4}-/.test(expires)) return readTime(expires)
  throw invalid(
    `Expected a time such as 2027-01-01T00:00:00Z, a date, or a while such as 12h or 30d as --expires, found ${expires}.`,
  )
}

function line({ id, name, kind, access, isBearer, participant, expiresAt, revokedAt, documents }: LinkInfo): string[] {
  const state = revokedAt !== undefined ? `revoked ${revokedAt}` : expiresAt !== undefined ? `until ${expiresAt}` : ''
  const words = [id, name, kind, access, isBearer ? 'bearer' : '', participant, state, documents?.join(',') ?? '']
  return words.filter((word) => word !== '')
}

/** A line that begins with a word. */
const led = (word: string, [first = '', ...rest]: readonly string[]): string[] => [`${word} ${first}`, ...rest]
