/** Texts that take long to compare, for which others would have to wait. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Attack } from '../attack.ts'
import type { AttackedServer, MadeLink } from '../server.ts'

/** Different words, or lines: with those of another version, 4 million pairs, twice what a request compares. */
const COUNT = 2_000
const words = (version: number): string =>
  Array.from({ length: COUNT }, (_, index) => String.fromCodePoint(0x4e00 + version * COUNT + index)).join('')
const lines = (version: number): string =>
  Array.from({ length: COUNT }, (_, index) => `line ${version} ${index}`).join('\n')

/** Requests of others that must be answered while an attacker's texts are compared. Before that, some always are. */
const ANSWERED = 25
/** Requests of the attacker at the same time. */
const AT_ONCE = 4

const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }

interface Document {
  id: string
  block: string
}

/** A document of one block: a long line, or code of many lines. */
async function addDocument(server: AttackedServer, kind: 'line' | 'code'): Promise<Document> {
  const id = await server.document(kind, kind === 'line' ? words(0) : `\`\`\`\n${lines(0)}\n\`\`\``)
  const { content } = await server.done(`GET /blocks?id=${id}`)
  return { id, block: content[0].id }
}

const change = ({ block }: Document, version: number, kind: 'line' | 'code') => ({
  blocks: [kind === 'line' ? { id: block, markdown: words(version) } : { id: block, rawCode: lines(version) }],
})

const lastCall = async (server: AttackedServer): Promise<string> =>
  (await server.done('GET /history?limit=1')).items[0].callId

/** Repeats a request of others until the attacker's requests have ended. @returns how many were answered */
async function answeredDuring(attacker: Promise<unknown>, request: () => Promise<unknown>): Promise<number> {
  let hasEnded = false
  const end = Promise.allSettled([attacker]).then(() => {
    hasEnded = true
  })
  let count = 0
  for (; !hasEnded; count++) await request()
  await end
  await attacker
  return count
}

const heldUp = (count: number, what: string): string[] =>
  count < ANSWERED ? [`while ${what} were compared, ${count} requests of others were answered`] : []

export const history: Attack = {
  finding: 20,
  name: 'calls that changed many lines, compared for a read-only link',
  async attempt(world) {
    const server = await world.serve()
    const code = await addDocument(server, 'code')
    const reader = await server.link({ access: 'read' })
    await server.done('PUT /blocks', change(code, 1, 'code'))
    const target = `GET /history?call=${await lastCall(server)}`
    const { json } = await server.rest(target, undefined, reader)
    const asked = Promise.all(Array.from({ length: AT_ONCE }, () => server.rest(target, undefined, reader)))
    const count = await answeredDuring(asked, () => server.ask('GET /health'))
    const faults = json.isDiffCoarse === true ? [] : ['all lines were compared']
    return [...faults, ...heldUp(count, 'lines')]
  },
}

/** Connects a host that shows views. */
async function connectHost({ mcpUrl, headers }: MadeLink): Promise<Client> {
  const client = new Client(
    { name: 'attacker', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: UI },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }))
  return client
}

export const views: Attack = {
  finding: 20,
  name: 'proposals of long lines, shown by a host to the link that proposes',
  async attempt(world) {
    const server = await world.serve()
    const line = await addDocument(server, 'line')
    const agent = await server.link({ access: 'propose' })
    await server.rest('PUT /blocks', change(line, 1, 'line'), agent)
    const host = await connectHost(agent)
    const ask = () => host.callTool({ name: 'proposals_list', arguments: {} })
    const view = String((await ask())._meta?.['scriptorium/view'])
    const asked = Promise.all(Array.from({ length: AT_ONCE }, ask))
    const count = await answeredDuring(asked, () => server.ask('GET /health'))
    await host.close()
    const faults = view.includes('some lines are shown whole') ? [] : ['all words were compared']
    return [...faults, ...heldUp(count, 'words')]
  },
}

export const locked: Attack = {
  finding: 20,
  name: 'a proposal over four documents, for which writes of others wait',
  async attempt(world) {
    const server = await world.serve()
    const other = await server.document('Other')
    const agent = await server.link({ access: 'propose' })
    const documents = []
    for (let count = 0; count < 4; count++) documents.push(await addDocument(server, 'code'))
    const steps = documents.map((one) => ({ tool: 'blocks_update', arguments: change(one, 1, 'code') }))
    const proposed = Promise.all(Array.from({ length: AT_ONCE }, () => server.rest('POST /batch', { steps }, agent)))
    const write = { markdown: 'words', position: { position: 'end', pageId: other } }
    return heldUp(await answeredDuring(proposed, () => server.done('POST /blocks', write)), 'documents of proposals')
  },
}

/** Blocks of a call, and calls, of whose changes a response tells how many there are. */
const BLOCKS = 19_000
const CALLS = 8

export const summaries: Attack = {
  finding: 20,
  name: 'a list of calls that changed many blocks',
  async attempt(world) {
    const server = await world.serve()
    const reader = await server.link({ access: 'read' })
    const markdown = Array.from({ length: BLOCKS }, (_, index) => `line ${index}`).join('\n\n')
    for (let count = 0; count < CALLS; count++) await server.document(`Long ${count}`, markdown)
    const { json } = await server.rest('GET /history?limit=200', undefined, reader)
    return json.items.length < CALLS ? [] : [`a response counted ${CALLS * BLOCKS} rows`]
  },
}
