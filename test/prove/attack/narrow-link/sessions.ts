/** The memory that sessions use, and the limits on their requests. */
import type { Attack } from '../attack.ts'
import { type Connection, enter } from '../connection-methods.ts'
import { type AttackedServer, askAt, type MadeLink } from '../server.ts'
import type { World } from '../world.ts'

const MIB = 1024 * 1024
/**
 * MiB of the server's heap, and MiB that each call tries to make the server retain. Together the calls would fill it.
 */
const HEAP = 72
const CALL = 5
const CALLS = 14

/** Sends a message over HTTP the way a client of 2025 does. */
async function send({ mcpUrl, headers }: MadeLink, method: string, params: object, session?: string) {
  const response = await askAt(
    mcpUrl,
    'POST ',
    { jsonrpc: '2.0', id: 1, method, params },
    {
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
  )
  return { ...response, session: response.headers.get('mcp-session-id') ?? undefined }
}

const introduction = (name: string) => ({
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name, version: '1.0.0' },
})

const small = (world: World) => world.serve({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` } })

/** Makes calls until the server has crashed or all calls are made. */
async function filled(server: AttackedServer, what: string, call: (index: number) => Promise<unknown>) {
  for (let index = 0; index < CALLS && server.isRunning; index++) await call(index).catch(() => {})
  const isThere = await server.ask('GET /health').then(
    ({ status }) => status === 200,
    () => false,
  )
  await server.close('SIGKILL')
  return isThere ? [] : [`${CALLS} calls with ${what} of ${CALL} MiB filled a heap of ${HEAP} MiB`]
}

export const subscriptions: Attack = {
  finding: 8,
  name: 'subscriptions to long addresses of what is not there',
  async attempt(world) {
    const server = await small(world)
    const link = await server.link({ kind: 'daily', access: 'read' })
    const { session } = await send(link, 'initialize', introduction('attacker'))
    const uri = (index: number) => `scriptorium://documents/${index}${'x'.repeat(CALL * MIB)}`
    return filled(server, 'addresses', (index) => send(link, 'resources/subscribe', { uri: uri(index) }, session))
  },
}

export const names: Attack = {
  finding: 8,
  name: 'clients with long names',
  async attempt(world) {
    const server = await small(world)
    const link = await server.link({ kind: 'daily', access: 'read' })
    return filled(server, 'names', (index) =>
      send(link, 'initialize', introduction(`${index}${'x'.repeat(CALL * MIB)}`)),
    )
  },
}

/** The methods available in a session, with their parameters. */
const METHODS: readonly (readonly [method: string, params: object])[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/subscribe', { uri: 'scriptorium://documents/100000000000' }],
  ['resources/unsubscribe', { uri: 'scriptorium://documents/100000000000' }],
]
const REQUESTS = 20

export const uncounted: Attack = {
  finding: 8,
  name: 'requests that no limit counts',
  async attempt(world) {
    const server = await world.serve({ requests: REQUESTS })
    const link = await server.link({ kind: 'daily', access: 'read' })
    const faults: string[] = []
    const { session } = await send(link, 'initialize', introduction('attacker'))
    // The server may still open sessions when the limit is reached, but they must count.
    for (let count = 1; count < REQUESTS; count++) await send(link, 'initialize', introduction('attacker'))
    if ((await server.rest('GET /connection')).status === 200) faults.push(`${REQUESTS} sessions counted for nothing`)
    for (let count = 0; count < REQUESTS; count++) await server.rest('GET /connection')
    for (const [method, params] of METHODS) {
      const { status, text } = await send(link, method, params, session)
      if (status === 200 && !/"error"|"isError":true/.test(text)) {
        faults.push(`${method} was answered after all ${REQUESTS} requests of the minute`)
      }
    }
    await server.close()
    return faults
  },
}

/** The same over stdio, where the protocol is the first to see a message. */
export const uncountedOverStdio: Attack = {
  finding: 8,
  name: 'requests over stdio that no limit counts',
  async attempt(world) {
    const server = await world.serve()
    const connection = await enter(server, 'stdio', { kind: 'daily', access: 'read', requests: REQUESTS })
    try {
      for (let count = 0; count <= REQUESTS; count++) await connection.call('connection_get')
      return await answered(connection)
    } finally {
      await connection.close()
      await server.close()
    }
  },
}

async function answered({ client }: Connection): Promise<string[]> {
  const uri = 'scriptorium://documents/100000000000'
  const requests: readonly (readonly [method: string, request: () => Promise<unknown>])[] = [
    ['tools/list', () => client.listTools()],
    ['resources/templates/list', () => client.listResourceTemplates()],
    ['resources/subscribe', () => client.subscribeResource({ uri })],
  ]
  const faults: string[] = []
  for (const [method, request] of requests) {
    const isAnswered = await request().then(
      () => true,
      () => false,
    )
    if (isAnswered) faults.push(`over stdio, ${method} was answered after all ${REQUESTS} requests of the minute`)
  }
  return faults
}

/** Methods that every object has, and requests that the protocol's library refuses before a handler sees them. */
const UNHANDLED: readonly (readonly [method: string, params: object])[] = [
  ['__proto__', {}],
  ['constructor', {}],
  ['tools/call', { name: 'connection_get', _meta: { progressToken: {} } }],
  ['tools/call', { name: 'connection_get', requestState: 7 }],
  ['resources/list', { _meta: { 'io.modelcontextprotocol/related-task': 7 } }],
]

export const unhandled: Attack = {
  finding: 27,
  name: 'requests that no handler counts, since none sees them',
  async attempt(world) {
    const server = await world.serve({ requests: REQUESTS })
    const link = await server.link({ kind: 'daily', access: 'read' })
    const { session } = await send(link, 'initialize', introduction('attacker'))
    const faults: string[] = []
    for (let count = 0; count < REQUESTS; count++) await server.rest('GET /connection')
    for (const [method, params] of UNHANDLED) {
      const { status, text } = await send(link, method, params, session)
      if (status !== 429 && !text.includes('RATE_LIMITED')) {
        faults.push(
          `${method} with ${JSON.stringify(params)} was answered after all ${REQUESTS} requests of the minute`,
        )
      }
    }
    await server.close()
    return faults
  },
}
