/**
 * The floor for a call over HTTP. On the same stack it has a route that returns its input, a tool that does the same
 * with and without sessions, a route that returns a fixed object, and a route that inserts a row.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import {
  createMcpHandler,
  isInitializeRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import Sqlite from 'better-sqlite3'
import { Hono } from 'hono'

export interface Echo {
  /** Returns `?id=…` as JSON. */
  restUrl: string
  mcpUrl: string
  /** Returns {@link EchoOptions.answer}. */
  fixedUrl: string
  /** Inserts one row, and responds once it is on the disk. */
  insertUrl: string
  close(): void
}

export interface EchoOptions {
  answer?: object
  /** The path of a new database. It is in memory when absent. */
  file?: string
}

export async function startEcho(options: EchoOptions = {}): Promise<Echo> {
  const child: ChildProcess = fork(import.meta.filename, [JSON.stringify(options)], { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  const origin = `http://127.0.0.1:${port}`
  return {
    restUrl: `${origin}/rest`,
    mcpUrl: `${origin}/mcp`,
    fixedUrl: `${origin}/fixed`,
    insertUrl: `${origin}/insert`,
    close: () => void child.disconnect(),
  }
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) listen(JSON.parse(process.argv[2] ?? '{}'))

function listen({ answer = {}, file = ':memory:' }: EchoOptions): void {
  const app = new Hono()
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const handler = createMcpHandler(makeServer)
  app.get('/rest', (context) => context.json(answerOf(context.req.query('id'))))
  app.post('/rest', async (context) => context.json(answerOf(JSON.stringify(await context.req.json()))))
  app.get('/fixed', (context) => context.json(answer))
  const insert = insertInto(file)
  app.post('/insert', async (context) => {
    insert(JSON.stringify(await context.req.json()))
    return context.json(answer)
  })
  app.post('/mcp', async (context) => {
    const parsedBody = await context.req.json()
    const session = sessions.get(context.req.header('mcp-session-id') ?? '')
    if (session !== undefined) return session.handleRequest(context.req.raw, { parsedBody })
    if (!isInitializeRequest(parsedBody)) return handler.fetch(context.req.raw, { parsedBody })
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await makeServer().connect(transport)
    return transport.handleRequest(context.req.raw, { parsedBody })
  })
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.(port))
  process.once('disconnect', () => {
    server.close()
    process.exit(0)
  })
}

/** Returns a function that inserts a row in a transaction of its own, as durable as those of a space. */
function insertInto(file: string): (text: string) => void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.exec('CREATE TABLE line (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const insert = sqlite.prepare<[string]>('INSERT INTO line (text) VALUES (?)')
  return (text) => void insert.run(text)
}

function makeServer(): Server {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } })
  const inputSchema = { type: 'object' as const }
  server.setRequestHandler('tools/list', async () => ({ tools: [{ name: 'echo', description: 'Echo.', inputSchema }] }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    const structuredContent = answerOf(JSON.stringify(params.arguments))
    return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent }
  })
  return server
}

/** A response about as long as a small block. */
const answerOf = (given = ''): { echo: string; type: string; markdown: string } => ({
  echo: given,
  type: 'text',
  markdown: 'A line that **says** something.',
})
