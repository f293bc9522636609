/** Works off what waits for its link: proposes what comments that name it ask for. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { z } from 'zod'

const { MCP_URL } = process.env
if (MCP_URL === undefined) throw new Error('Expected the MCP address of a link in MCP_URL, found none.')
const client = new Client(
  { name: 'colleague', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
)
await client.connect(new StreamableHTTPClientTransport(new URL(MCP_URL)))

const item = z.looseObject({ kind: z.string(), id: z.string(), blockId: z.string().optional() })
const connection = z.looseObject({ forMe: z.looseObject({ items: z.array(item) }).optional() })
const comment = z.looseObject({ author: z.string(), content: z.string() })
const block = z.looseObject({
  markdown: z.string(),
  metadata: z.looseObject({ comments: z.array(comment).optional() }),
})
const page = z.looseObject({ events: z.array(z.unknown()), cursor: z.string() })

async function call(name: string, args: Record<string, unknown>, key?: string): Promise<unknown> {
  const _meta = key === undefined ? {} : { 'scriptorium/idempotencyKey': key }
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args, _meta })
  const text = content.map((part) => ('text' in part ? part.text : '')).join('\n')
  if (isError) throw new Error(text)
  return structuredContent ?? (text.startsWith('{') ? JSON.parse(text) : text)
}

/** Here a model would write. This one leaves out what is said twice. */
const shorten = (text: string): string => text.replace(/<\/?comment[^>]*>/g, '').replace(/\b(\w+), \1\b/g, '$1')

/** Proposes or writes, as the link allows, and resolves the thread with it. */
async function answer({ id, blockId }: z.infer<typeof item>): Promise<void> {
  const read = { id: blockId, fetchMetadata: true, maxDepth: 0, format: 'json' }
  const { markdown, metadata } = block.parse(await call('blocks_get', read))
  console.log(`${metadata.comments?.at(-1)?.author} asks about: ${markdown}`)
  await call('blocks_update', { blocks: [{ id: blockId, markdown: shorten(markdown) }], answers: id }, `answer ${id}`)
}

async function workOff(): Promise<void> {
  const { forMe } = connection.parse(await call('connection_get', {}))
  for (const one of forMe?.items ?? []) if (one.kind === 'mention') await answer(one)
}

// The position comes before the work, so that nothing in between is missed.
const wake = { name: 'mention', arguments: { member: 'me', mine: false } }
let { cursor } = await client.request({ method: 'events/poll', params: { ...wake, cursor: null } }, page)
await workOff()
console.log('waiting')
for (;;) {
  const _meta = { 'scriptorium/waitSeconds': 20 }
  const polled = await client.request({ method: 'events/poll', params: { ...wake, cursor, _meta } }, page)
  if (polled.events.length > 0) await workOff()
  cursor = polled.cursor
}
