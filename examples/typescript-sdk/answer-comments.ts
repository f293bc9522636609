/** Waits for comments in one document, and answers each in its thread. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'

const { MCP_URL, DOCUMENT, CURSOR_FILE = 'cursor.txt' } = process.env
if (MCP_URL === undefined || DOCUMENT === undefined)
  throw new Error('Expected the MCP address of a link in MCP_URL and the ID of a document in DOCUMENT, found none.')
const client = new Client(
  { name: 'answers', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
)
await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL)))

const event = z.looseObject({ data: z.looseObject({ blockId: z.string(), author: z.string() }) })
const page = z.looseObject({ events: z.array(event), cursor: z.string(), truncated: z.boolean() })

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const text = content.map((part) => ('text' in part ? part.text : '')).join('\n')
  if (isError) throw new Error(text)
  return text
}

/** Here a model would read the thread, and propose or write what it asks for. */
async function answer(thread: string, author: string): Promise<string> {
  return `Thank you, ${author}. I have read ${thread.split('\n').length} lines.`
}

// The cursor is kept, so that what happens while the program is away is answered when it is back.
let cursor = await readFile(CURSOR_FILE, 'utf8').catch(() => null)
for (;;) {
  const params = { name: 'comment.created', arguments: { documentId: DOCUMENT, mine: false }, cursor }
  const polled = await client.request({ method: 'events/poll', params }, page)
  if (cursor === null) console.log('listening')
  if (polled.truncated) console.log('some events are no longer kept: read the document again')
  for (const { data } of polled.events) {
    const thread = await call('blocks_get', { id: data.blockId, fetchMetadata: true })
    await call('comments_add', { comments: [{ blockId: data.blockId, content: await answer(thread, data.author) }] })
  }
  cursor = polled.cursor
  await writeFile(`${CURSOR_FILE}.new`, cursor)
  await rename(`${CURSOR_FILE}.new`, CURSOR_FILE)
  for (const { data } of polled.events) console.log(`answered ${data.author}`)
}
