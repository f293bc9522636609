/** A link must not store more than the quotas of its server, in whatever form. */
import type { Attack } from '../attack.ts'
import { type AttackedServer, askAt, type MadeLink } from '../server.ts'
import type { World } from '../world.ts'

const QUOTA = 2_000_000
/** How many times the quota the attacker tries to store, and how many times it has to succeed. */
const TRIED = 4
const TOO_MUCH = 2

/** Fills a server: sends the bytes of one part, and resolves to whether they were accepted. */
type Send = (index: number) => Promise<boolean>

interface Filling {
  what: string
  flag: '--quota' | '--link-quota'
  /** Of the attacker's link; `no-delete` if absent. */
  access?: 'no-delete' | 'propose'
  /** Bytes that each call stores. */
  bytes: number
  prepare(server: AttackedServer, link: MadeLink): Promise<Send>
}

const isAccepted = (response: { status: number }): boolean => response.status < 300
const text = (index: number, length: number): string => `${index} ${'words '.repeat(length / 6)}`

const FILLINGS: readonly Filling[] = [
  {
    what: 'blocks of one link in one document',
    flag: '--link-quota',
    bytes: 200_000,
    async prepare(server, link) {
      const pageId = await server.document('Filled')
      const position = { position: 'end', pageId }
      return async (index) =>
        isAccepted(await server.rest('POST /blocks', { markdown: text(index, 200_000), position }, link))
    },
  },
  {
    what: 'files',
    flag: '--quota',
    bytes: 300_000,
    async prepare(server, { restUrl, headers }) {
      const pageId = await server.document('Filled')
      const query = `POST /upload?position=end&pageId=${pageId}&fileName=a.txt`
      const type = { 'content-type': 'text/plain' }
      return async (index) => isAccepted(await askAt(restUrl, query, text(index, 300_000), { ...headers, ...type }))
    },
  },
  {
    what: 'the history of one block',
    flag: '--quota',
    bytes: 150_000,
    async prepare(server, link) {
      const pageId = await server.document('Filled', 'a line')
      const id = (await server.done(`GET /blocks?id=${pageId}`)).content[0].id
      return async (index) =>
        isAccepted(await server.rest('PUT /blocks', { blocks: [{ id, markdown: text(index, 150_000) }] }, link))
    },
  },
  {
    what: 'responses stored for retries',
    flag: '--quota',
    bytes: 150_000,
    async prepare(server, { restUrl, headers }) {
      const pageId = await server.document('Filled')
      const { whiteboardBlockId } = await server.done('POST /whiteboards', { position: { position: 'end', pageId } })
      const path = `/whiteboards/${whiteboardBlockId}/elements`
      const note = { id: 'note', type: 'text', text: text(0, 150_000), x: 0, y: 0, width: 10, height: 10 }
      await server.done(`POST ${path}`, { elements: [note, { ...note, id: 'small', text: 'small' }] })
      return async (index) => {
        const elements = [{ id: 'small', x: index }]
        // The response has all elements of the board.
        return isAccepted(
          await askAt(restUrl, `PUT ${path}`, { elements }, { ...headers, 'idempotency-key': `${index}` }),
        )
      }
    },
  },
  {
    what: 'proposals that wait',
    flag: '--quota',
    access: 'propose',
    bytes: 200_000,
    async prepare(server, link) {
      const pageId = await server.document('Filled')
      const position = { position: 'end', pageId }
      return async (index) =>
        isAccepted(await server.rest('POST /blocks', { markdown: text(index, 100_000), position }, link))
    },
  },
]

export const filled: readonly Attack[] = FILLINGS.map((filling) => ({
  finding: 28,
  name: `storing more than ${filling.flag} by ${filling.what}`,
  attempt: (world) => fill(world, filling),
}))

async function fill(world: World, { what, flag, access = 'no-delete', bytes, prepare }: Filling): Promise<string[]> {
  const server = await world.serve({ flags: [flag, `${QUOTA}B`] })
  const send = await prepare(server, await server.link({ access }))
  let stored = 0
  for (let index = 0; stored < TRIED * QUOTA; index++) {
    if (!(await send(index))) break
    stored += bytes
  }
  await server.close()
  return stored <= TOO_MUCH * QUOTA ? [] : [`the server stored ${stored} bytes of ${what}, with a quota of ${QUOTA}.`]
}
