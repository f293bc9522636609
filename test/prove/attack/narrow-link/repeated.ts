/** What left the reach of a connection: replayed responses and addresses of files must not show it. */
import type { Attack } from '../attack.ts'
import { enter } from '../connection-methods.ts'
import type { AttackedServer, MadeLink } from '../server.ts'

const SECRET = 'the secret words'
const OVER_HTTP = ['link', 'bearer', 'sign-in'] as const

export const repeated: Attack = {
  finding: 12,
  name: 'an answer repeated under its idempotency key, after its document was taken away',
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const door of OVER_HTTP) {
      const [taken, left] = [await server.document('Taken'), await server.document('Left')]
      const connection = await enter(server, door, { kind: 'selected', documents: [taken, left] })
      const ask = () =>
        connection.call('blocks_add', { markdown: SECRET, position: { position: 'end', pageId: taken } }, `key ${door}`)
      const { isRefused, text: response } = await ask()
      if (isRefused) throw new Error(`Expected blocks, found ${response}`)
      await server.command(['links', 'expose', connection.link?.id ?? '', '--documents', left])
      const { text } = await ask()
      if (text.includes(SECRET)) faults.push(`over ${door}, the text of the document was answered again`)
      await connection.close()
    }
    return faults
  },
}

/** Returns the address of a file, as responses over this link show it. */
async function addressOf(server: AttackedServer, link: MadeLink, pageId: string): Promise<string> {
  const { text } = await server.rest(`GET /blocks?id=${pageId}`, undefined, link)
  const [url] = /http:[^"]*\/files\/[^"]*/.exec(text) ?? []
  if (url === undefined) throw new Error(`Expected the address of a file, found ${text}`)
  return url
}

const isRead = async (server: AttackedServer, url: string): Promise<boolean> =>
  (await server.ask(`GET ${new URL(url).pathname}`)).text.includes(SECRET)

/** Ways in which the document of a file leaves the reach of a link. */
const ENDS = {
  'was exposed no more': (server: AttackedServer, link: MadeLink, _: string, left: string) =>
    server.command(['links', 'expose', link.id, '--documents', left]),
  'was of a link that was revoked': (server: AttackedServer, link: MadeLink) =>
    server.command(['links', 'revoke', link.id]),
  'was thrown away': (server: AttackedServer, _: MadeLink, document: string) =>
    server.done('DELETE /documents', { documentIds: [document] }),
}

export const files: readonly Attack[] = Object.entries(ENDS).map(([what, end]) => ({
  finding: 12,
  name: `the address of a file whose document ${what}`,
  async attempt(world) {
    const server = await world.shared()
    const faults: string[] = []
    for (const door of OVER_HTTP) {
      const [document, left] = [await server.document('File'), await server.document('Left')]
      await server.upload(document, SECRET)
      const connection = await enter(server, door, { kind: 'selected', documents: [document, left] })
      await connection.close()
      const { link } = connection
      if (link === undefined) throw new Error('Expected a link, found none.')
      const url = await addressOf(server, link, document)
      if (!(await isRead(server, url))) throw new Error(`Expected a file at ${url}, found none.`)
      await end(server, link, document, left)
      if (await isRead(server, url)) faults.push(`over ${door}, the address of a file that ${what} still leads to it`)
    }
    return faults
  },
}))
