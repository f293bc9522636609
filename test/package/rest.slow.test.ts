/** The REST interface of the installed package responds like the sources: every route, over links of every kind. */
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONNECTION_KINDS, type ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import type { HttpResult, TestLink } from '../http/serving.ts'
import { CHECKOUT } from '../program.ts'
import type { Message, TestClient } from '../prove/test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, type Things } from '../prove/test-client/things.ts'
import { type ToolCall, validCalls } from '../prove/test-client/valid-calls.ts'
import { queryOf, restRequest } from '../rest/rest-request.ts'
import { installedProgram } from '../support/installed-package.ts'
import { type SpawnedServer, type SpawnedSpace, spawnServer } from '../support/spawned-server.ts'

let servers: SpawnedServer[] = []

beforeAll(async () => {
  const programs = [CHECKOUT, await installedProgram()]
  servers = await Promise.all(programs.map((program) => spawnServer(program, CONNECTION_KINDS.length + 1)))
}, 300_000)
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** The responses of both forms of the program; `ask` runs with a fresh space of each. */
async function both<T>(ask: (spawned: SpawnedSpace) => Promise<T>): Promise<[sources: T, installed: T]> {
  const answers = await Promise.all(servers.map(async (server) => ask(await server.freshSpace())))
  return answers as [T, T]
}

/** A response without what differs between spaces and servers. */
function comparable({ status, headers, text }: HttpResult, names: Map<string, string>) {
  const type = headers.get('content-type')
  const note = headers.get('x-scriptorium-note') ?? ''
  return { status, type, note: unnamed(note, names), text: unnamed(text, names) }
}

const unnamed = (text: string, names: Map<string, string>): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\b[1-9]\d{11}\b/g, (id) => {
      if (!names.has(id)) names.set(id, `id-${names.size}`)
      return names.get(id) ?? id
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    // A fence is at least the time in milliseconds.
    .replaceAll(/"fence":\d{13,}/g, '"fence":"TIME"')
    .replaceAll(/"(linkId|link":\{"id)":"[0-9a-f]+"/g, '"$1":"LINK"')
    .replaceAll(/"eventId":"evt_[\w-]+"/g, '"eventId":"SEALED"')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'ORIGIN')
    .replaceAll(/(\/links\/|\/files\/|\/uploads\/)[\w-]+/g, '$1SECRET')
    .replaceAll(/((?:revision|cursor|fingerprint)[\\":]* ?\\?"?)[\w.~-]{6,}/gi, '$1SEALED')

/** A future time, whatever the clock of this machine is. */
const LATER = '2099-11-20T10:00:00Z'

/** The test data is created over an MCP connection. */
const askingOf = (client: Client): TestClient =>
  ({
    mcp: async (_: string, params: { name: string; arguments: Record<string, unknown> }) =>
      ({ result: await client.callTool(params) }) as Message,
  }) as TestClient

async function populate(spawned: SpawnedSpace, kind: ConnectionKind): Promise<{ own: Things; link: TestLink }> {
  const full = askingOf(await (await spawned.link()).client())
  const document = kind === 'daily' ? await makeDay(full, 'today', 'words') : await makeDocument(full, 'words')
  const input = { kind, documents: kind === 'selected' ? [document] : [] }
  const proposer = askingOf(await (await spawned.link({ ...input, access: 'propose' })).client())
  const places = await makePlaces(full, 'words')
  const own = await makeThings(full, document, 'words', places, { later: LATER, proposer })
  return { own, link: await spawned.link(input) }
}

/** Deletions come last, the largest at the end, so that each call finds what it names. */
const LAST = [/^schema_update$/, /_delete$/, /^(blocks|documents|folders)_delete$/]

function inOrder(kind: ConnectionKind, own: Things) {
  const rank = ([name]: readonly [string, unknown]) => LAST.findLastIndex((pattern) => pattern.test(name))
  // The task that is deleted as a block is gone by then.
  const calls: ToolCall[] = [...validCalls(kind, own), ['blocks_delete', { blockIds: [own.block] }]]
  return calls.toSorted((one, other) => rank(one) - rank(other))
}

/** A file is the body of its request; the query says where it goes. */
function requestOf(endpoint: (typeof endpoints)[number], args: ToolCall[1], { document }: Things) {
  if (endpoint.name !== 'files_add') return { ...restRequest(endpoint, args), headers: {} }
  const { text, position: _, ...others } = args
  const query = queryOf({ position: 'end', pageId: document, ...others })
  return { line: `POST /upload?${query}`, body: text, headers: { 'content-type': 'text/plain' } }
}

/** The fingerprint of what a proposal would change now, as its dry run says. */
async function agreementOf(link: TestLink, { proposalId, ...body }: ToolCall[1]): Promise<{ fingerprint?: string }> {
  const { json } = await link.ask(`POST /proposals/${proposalId}/approve`, body, { prefer: 'dry-run' })
  return json.fingerprint === undefined ? {} : { fingerprint: json.fingerprint }
}

describe.each(CONNECTION_KINDS)('over a link of kind %s', (kind) => {
  test('every route responds as in the sources, including errors', { timeout: 60_000 }, async () => {
    const [sources, installed] = await both(async (spawned) => {
      const { own, link } = await populate(spawned, kind)
      const names = new Map<string, string>()
      const answers = []
      for (const [name, args] of inOrder(kind, own)) {
        const endpoint = endpoints.find((one) => one.name === name)
        if (endpoint === undefined) throw new Error(`Expected a tool, found ${name}.`)
        const agreed = name === 'proposals_approve' ? { ...args, ...(await agreementOf(link, args)) } : args
        for (const given of [agreed, { ...agreed, unknown: 1 }]) {
          const { line, body, headers } = requestOf(endpoint, given, own)
          const response = await link.ask(line, body, headers)
          answers.push({ name, line: unnamed(decodeURIComponent(line), names), ...comparable(response, names) })
        }
      }
      return answers
    })
    expect(installed).toEqual(sources)
    const answered = new Set(installed.flatMap(({ name, status }) => (status === 200 ? [name] : [])))
    expect([...answered].toSorted()).toEqual(
      endpoints.flatMap(({ name, input }) => (input[kind] === undefined ? [] : [name])).toSorted(),
    )
    expect(installed.filter(({ status }) => status >= 500)).toEqual([])
  })
})

test('requests that are not calls get the same response as in the sources', async () => {
  const [sources, installed] = await both(async ({ ask, link: linkOf }) => {
    const link = await linkOf()
    const names = new Map<string, string>()
    const answers = [
      await link.ask('GET /openapi.json'),
      await link.ask('HEAD /folders'),
      await link.ask('OPTIONS /folders'),
      await link.ask('PATCH /folders'),
      await link.ask('GET /folder'),
      await link.ask('POST /folders', '{"folders": [', { 'content-type': 'application/json' }),
      await link.ask('POST /folders', 'words', { 'content-type': 'text/plain' }),
      await ask('GET /links/none/api/v1/folders'),
      await ask('GET /health'),
      await ask('GET /nothing'),
    ]
    return answers.map((response) => comparable(response, names))
  })
  expect(installed.map(({ status }) => status)).toEqual([200, 200, 204, 405, 404, 400, 415, 401, 200, 401])
  expect(installed).toEqual(sources)
})
