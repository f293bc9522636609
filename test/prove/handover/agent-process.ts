/**
 * An agent that has nothing but MCP. Events wake it, by poll, stream or webhook; what there is to do it reads in `forMe`
 * of `connection_get`. It keeps nothing: each call that writes has an idempotency key that is made from the item, so
 * that a new life of the agent repeats what an earlier one may have done.
 */
import { writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, request } from '../events/event-requests.ts'
import type { AgentOptions, Role } from './agent-options.ts'

/** What wakes it. `mine: false` leaves out what it did itself. */
const WAKES = [
  { name: 'mention', arguments: { member: 'me', mine: false } },
  { name: 'task.assigned', arguments: { assignee: 'me', mine: false } },
  { name: 'comment.created', arguments: { mine: false } },
] as const
type Wake = (typeof WAKES)[number]

/** Seconds that a poll waits, and milliseconds until an agent without a server tries again. */
const POLL_SECONDS = 5
const AGAIN = 50

interface Comment {
  id: string
  author: string
  content: string
}
interface Block {
  id: string
  markdown: string
  metadata?: { comments?: Comment[] }
}
interface Item {
  kind: string
  id: string
  blockId: string
  documentId: string
}

const options = JSON.parse(process.argv[2] ?? '') as AgentOptions
let steps = 0

/** The harness kills the server at some of these, and the agent dies at one of them. */
function step(): void {
  steps++
  writeSync(1, `step ${steps}\n`)
  if (steps === options.diesAt) process.kill(process.pid, 'SIGKILL')
}

async function call<Answer>(name: string, args: object, key?: string): Promise<Answer> {
  step()
  const _meta = key === undefined ? {} : { 'scriptorium/idempotencyKey': key }
  const result = (await ask(options.url, 'tools/call', { name, arguments: args, _meta })) as unknown as {
    isError?: boolean
    content: { text: string }[]
    structuredContent?: Answer
  }
  step()
  const [{ text } = { text: '' }] = result.content
  if (result.isError) throw new Error(text)
  return result.structuredContent ?? (text.startsWith('{') ? (JSON.parse(text) as Answer) : (text as Answer))
}

const readBlock = (id: string): Promise<Block> =>
  call('blocks_get', { id, fetchMetadata: true, maxDepth: 0, format: 'json' })

/** The editor proposes a shorter text, and says so in the thread. */
async function edit({ id, blockId }: Item): Promise<void> {
  const { markdown } = await readBlock(blockId)
  const shorter = markdown.replace(/<\/?comment[^>]*>/g, '').replace('a very, very long', 'a long')
  const comments = [{ blockId, content: 'I propose a shorter text.' }]
  const steps = [
    { tool: 'comments_add', arguments: { comments } },
    { tool: 'blocks_update', arguments: { blocks: [{ id: blockId, markdown: shorter }] } },
  ]
  await call('batch', { steps, answers: id }, `edit ${id}`)
}

/** The researcher asks the person for the year, and writes it once it is known. */
async function research({ blockId, documentId }: Item): Promise<void> {
  const { markdown, metadata } = await readBlock(blockId)
  if (!/^- \[ \]/.test(markdown)) return
  const comments = metadata?.comments ?? []
  const question = comments.findIndex(({ content }) => content.endsWith('Which year?'))
  if (question < 0) {
    await call('comments_add', { comments: [{ blockId, content: `${options.person} Which year?` }] }, `ask ${blockId}`)
    return
  }
  const answer = comments.slice(question + 1).find(({ content }) => /^\d{4}$/.test(content))
  if (answer === undefined) return
  const steps = [
    { tool: 'blocks_update', arguments: { pageId: documentId, replace: [{ old: 'YEAR', new: answer.content }] } },
    { tool: 'tasks_update', arguments: { tasksToUpdate: [{ id: blockId, taskInfo: { state: 'done' } }] } },
  ]
  await call('batch', { steps, answers: answer.id }, `write ${blockId}`)
}

const WORK: Record<Role, { kinds: readonly string[]; work: (item: Item) => Promise<void> }> = {
  editor: { kinds: ['mention'], work: edit },
  researcher: { kinds: ['task', 'comment'], work: research },
}

let working: Promise<void> = Promise.resolve()
/** Looks for work, after what is being done already. */
const wake = (): Promise<void> => (working = working.then(workOff, workOff))

async function workOff(): Promise<void> {
  const { kinds, work } = WORK[options.role]
  for (;;) {
    try {
      const { forMe } = await call<{ forMe?: { items: Item[] } }>('connection_get', {})
      for (const item of forMe?.items ?? []) if (kinds.includes(item.kind)) await work(item)
      return
    } catch (error) {
      // The server was killed, or the document changed in the meantime: it looks again.
      console.error(`${options.role}: ${(error as Error).message}`)
      await delay(AGAIN)
    }
  }
}

/** The position comes first and the work afterwards, so that nothing between them is missed. */
async function poll(of: Wake): Promise<void> {
  let { cursor } = await ask(options.url, 'events/poll', of)
  await wake()
  for (;;) {
    const _meta = { 'scriptorium/waitSeconds': POLL_SECONDS }
    const polled = await ask(options.url, 'events/poll', { ...of, cursor, _meta })
    if (polled.events.length > 0 || polled.truncated) await wake()
    cursor = polled.cursor
  }
}

async function stream(of: Wake): Promise<void> {
  let isOpen = false
  for await (const { method, error } of request(options.url, 'events/stream', of)) {
    if (error !== undefined) throw new Error(error.message)
    if (!isOpen || method === 'notifications/events/event') await wake()
    isOpen = true
  }
}

async function forEver(listen: (of: Wake) => Promise<void>, of: Wake): Promise<void> {
  for (;;) {
    await listen(of).catch(() => {})
    await delay(AGAIN)
  }
}

/** Receives messages. A receiver that starts refreshes its subscriptions, and looks for work. */
async function receive(): Promise<void> {
  const { url, port, secret } = options
  const receiver = createServer(async (message, response) => {
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const { type, challenge } = JSON.parse(body) as { type?: string; challenge?: string }
    if (type === 'verification') return response.end(JSON.stringify({ challenge }))
    await wake()
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve))
  for (const of of WAKES) {
    const delivery = { mode: 'webhook', url: `http://127.0.0.1:${port}/${of.name}`, secret }
    const subscribe = async () => {
      await ask(url, 'events/subscribe', { ...of, delivery })
      return true
    }
    while (!(await subscribe().catch(() => false))) await delay(AGAIN)
  }
  await wake()
}

if (options.mode === 'webhook') await receive()
else await Promise.all(WAKES.map((of) => forEver(options.mode === 'poll' ? poll : stream, of)))
