/** Subscribes to the comments of one document, is called when somebody comments, and answers in the thread. */
import { createServer } from 'node:http'
import {
  createMCPClient,
  type Experimental_MCPEventStore as EventStore,
  experimental_createMCPEventWebhook,
  type Experimental_MCPEventSubscription as Subscription,
} from '@ai-sdk/mcp'

const { MCP_URL, DOCUMENT, PORT = '3000', HOOK = `http://127.0.0.1:${PORT}/hook` } = process.env
if (MCP_URL === undefined || DOCUMENT === undefined)
  throw new Error('Expected the MCP address of a link in MCP_URL and the ID of a document in DOCUMENT, found none.')

/** Where subscriptions and their secrets are kept. Use a database, so that they outlast a restart. */
const all = new Map<string, Subscription>()
const store: EventStore = {
  get: async (key) => all.get(key),
  getById: async (id) => [...all.values()].find((one) => one.id === id),
  set: async (one) => void all.set(one.key, one),
  update: async (key, patch) => void all.set(key, { ...(all.get(key) as Subscription), ...patch }),
  delete: async (key) => void all.delete(key),
}

/** Here a model would read the thread with `generateText({ model, tools: await client.tools(), prompt })`. */
async function answer(thread: string): Promise<string> {
  return `I have read ${thread.split('\n').length} lines.`
}

const client = await createMCPClient({ transport: { type: 'http', url: MCP_URL }, experimental_events: { store } })
const tools = await client.tools()

async function call(name: string, args: object): Promise<string> {
  const tool = tools[name]
  if (tool === undefined) throw new Error(`Expected the tool ${name}, found that this link does not have it.`)
  const { content, isError } = (await tool.execute(args, { toolCallId: name, messages: [], context: {} })) as {
    content: { text?: string }[]
    isError?: boolean
  }
  const text = content.map((part) => part.text ?? '').join('\n')
  if (isError) throw new Error(text)
  return text
}

async function wake({ blockId = '', author = '' }: Record<string, string>): Promise<void> {
  const thread = await call('blocks_get', { id: blockId, fetchMetadata: true })
  await call('comments_add', { comments: [{ blockId, content: await answer(thread) }] })
  console.log(`answered ${author}`)
}

const receive = experimental_createMCPEventWebhook({
  store,
  onEvent: async ({ event }) => wake(event.data as Record<string, string>),
  onError: (error) => console.error(error),
})
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = request.headers as Record<string, string>
  // The query of the address says which subscription it is.
  const url = new URL(request.url ?? '', HOOK)
  const answered = await receive(new Request(url, { method: 'POST', headers, body: Buffer.concat(chunks) }))
  response.writeHead(answered.status).end(await answered.text())
})
await new Promise<void>((resolve) => server.listen(Number(PORT), '127.0.0.1', resolve))

const { id, refreshBefore } = await client.experimental_events.subscribe({
  name: 'comment.created',
  arguments: { documentId: DOCUMENT, mine: false },
  // Plain http is for one machine, with `serve --webhook-allow 127.0.0.0/8`.
  delivery: { mode: 'webhook', url: HOOK, allowInsecureLocalhost: HOOK.startsWith('http://127.0.0.1:') },
})
console.log('listening')
if (refreshBefore) {
  const wait = Math.min(new Date(refreshBefore).getTime() - Date.now(), 2 ** 31 - 1)
  setTimeout(() => client.experimental_events.refresh({ id }), wait * 0.8).unref()
}
