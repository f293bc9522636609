/** One session of the load: a client over one of four transports, and the calls that it repeats. */
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { ZipFile } from 'yazl'
import { endpoints } from '../../../tools/index.ts'
import { UNREAD } from '../../support/unread.ts'
import { askForAll } from '../../whole-answer.ts'
import { type Made, UNLIMITED } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked at by the step that called it
type Answer = any

interface Caller {
  /** @throws the tool's error */
  call(tool: string, args: object): Promise<Answer>
  close(): Promise<void>
}

export const WAYS = ['2025', '2026', 'rest', 'stdio'] as const
export type Way = (typeof WAYS)[number]

const root = join(import.meta.dirname, '../../..')
const ROUTES = new Map(endpoints.map(({ name, route }) => [name, route]))

const READERS = 4

/** The number of calls after which a new client replaces the old one. */
const STAY = 30

export class Session {
  readonly #way: Way
  readonly #made: Made
  readonly #base: string
  #caller: Caller | undefined
  #steps = 0
  #page = ''
  #blocks: string[] = []
  #task = ''

  constructor(way: Way, made: Made, origin: string) {
    this.#way = way
    this.#made = made
    this.#base = `${origin}/links/${made.secret}`
  }

  /**
   * Makes the first call, and then as many concurrent reads as a space has database connections. Each takes long enough
   * to need a connection and a thread of its own, since the text is long.
   */
  async warmUp(): Promise<void> {
    await this.step()
    const caller = this.#caller
    if (caller === undefined) return
    await caller.call('documents_add', { documents: [{ title: 'Long', markdown: LONG }] })
    await Promise.all(Array.from({ length: READERS }, () => this.#find(caller)))
  }

  /** Makes the next call of the round. A round deletes everything that it adds. */
  async step(): Promise<void> {
    if (this.#way !== 'stdio' && this.#steps % STAY === 0) await this.close()
    this.#caller ??= await connect(this.#way, this.#base, this.#made.file)
    const round = [
      this.#add,
      this.#read,
      this.#addTask,
      this.#search,
      this.#change,
      this.#find,
      this.#list,
      ...(this.#way === 'rest' ? [this.#upload, this.#export, this.#import] : []),
      ...(this.#way === 'stdio' ? [] : [this.#follow]),
      this.#remove,
    ]
    await round[this.#steps++ % round.length]?.call(this, this.#caller)
  }

  async close(): Promise<void> {
    const caller = this.#caller
    this.#caller = undefined
    await caller?.close()
  }

  async #add({ call }: Caller): Promise<void> {
    if (this.#page === '') {
      const { items } = await call('documents_add', { documents: [{ title: 'Soak' }] })
      this.#page = items[0].id
    }
    const markdown = `## Round ${this.#steps}\n\n${WORDS}\n\n- a [link](https://example.org/${this.#steps})\n- [ ] open`
    const position = { position: 'end', pageId: this.#page }
    const { items } = await call('blocks_add', { markdown, position, answer: 'ids' })
    this.#blocks = items.map(({ id }: { id: string }) => id)
  }

  async #read({ call }: Caller): Promise<void> {
    const answer = await call('blocks_get', { id: this.#page })
    if (answer.content.length !== this.#blocks.length) {
      throw new Error(`Expected ${this.#blocks.length} blocks, found ${answer.content.length}.`)
    }
  }

  async #addTask({ call }: Caller): Promise<void> {
    const { items } = await call('tasks_add', { tasks: [{ markdown: 'soak', taskInfo: { scheduleDate: 'today' } }] })
    this.#task = items[0].id
  }

  async #search({ call }: Caller): Promise<void> {
    await call('documents_search', { include: ['documents'] })
  }

  async #change({ call }: Caller): Promise<void> {
    await call('blocks_update', { blocks: [{ id: this.#blocks[1], markdown: `${WORDS} once more` }], answer: 'ids' })
  }

  /** The pattern matches every text of a round, and the second search looks at every document of the space. */
  async #find({ call }: Caller): Promise<void> {
    const { items } = await call('blocks_search', { blockId: this.#page, pattern: 'agents(?=\\W)|^- \\[ ]' })
    if (items.length === 0) throw new Error('Expected blocks that the pattern matches, found none.')
    await call('documents_search', { regexps: [PATTERN] })
  }

  /** Searches all documents of the space for a pattern, beside the calls of {@link step}. */
  async searchPattern(): Promise<void> {
    await askRest(this.#base, 'documents_search', { regexps: [PATTERN] })
  }

  async #list({ call }: Caller): Promise<void> {
    await call('documents_list', {})
    await call('tasks_list', { scope: 'active' })
  }

  async #upload({ call }: Caller): Promise<void> {
    const address = `${this.#base}/api/v1/upload?position=end&pageId=${this.#page}&fileName=soak.bin`
    const headers = { 'content-type': 'application/octet-stream' }
    const { blockId } = await answerOf(await fetch(address, { method: 'POST', headers, body: FILE }))
    await call('blocks_delete', { blockIds: [blockId] })
  }

  async #export(): Promise<void> {
    const response = await fetch(`${this.#base}/api/v1/export`)
    if (!response.ok) throw new Error(`GET /export: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }

  /** Imports the same documents again with another text, once the import of another session has ended. */
  async #import(): Promise<void> {
    const text = `# Imported\n\n${WORDS} ${this.#steps}\n`
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from(text), 'Imported.md')
    zip.addBuffer(Buffer.from(LONG), 'More/Unchanged.md')
    zip.end()
    const body = new Uint8Array(await buffer(zip.outputStream))
    const address = `${this.#base}/api/v1/import`
    const sent = await fetch(`${address}?name=Soak`, { method: 'POST', body })
    if (sent.status === BUSY) return void (await sent.arrayBuffer())
    const { id } = await answerOf(sent)
    while ((await answerOf(await fetch(`${address}/${id}`))).status === 'running') await delay(IMPORT_POLL_MS)
  }

  /** Opens a stream of changes, and closes it once it has started. */
  async #follow(): Promise<void> {
    const stop = new AbortController()
    const headers = { accept: 'text/event-stream' }
    const { ok, body } = await fetch(`${this.#base}/api/v1/changes?cursor=start`, { headers, signal: stop.signal })
    if (!ok) throw new Error('Expected a stream of changes, found none.')
    await body?.getReader().read()
    stop.abort()
  }

  async #remove({ call }: Caller): Promise<void> {
    await call('blocks_delete', { blockIds: this.#blocks })
    await call('tasks_delete', { idsToDelete: [this.#task] })
  }
}

const PATTERN = '(?<!no )documents|Round \\d+'

const WORDS =
  'A space keeps documents, and every document holds blocks that **agents** and people read, move and change.'

const FILE = Buffer.alloc(200_000, 'soak')
/** The status of an import while another one of the same space runs. */
const BUSY = 409
const IMPORT_POLL_MS = 50

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** More characters than are searched in one piece. */
const LONG = `\`\`\`\n${`${WORDS}\n`.repeat(400)}\`\`\``

function connect(way: Way, base: string, file: string): Promise<Caller> {
  if (way === 'rest') return Promise.resolve({ call: (tool, args) => askRest(base, tool, args), close: async () => {} })
  if (way === 'stdio') {
    const args = ['src/start.js', 'stdio', '--space', file, '--no-welcome', ...UNLIMITED]
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      cwd: root,
      env: getDefaultEnvironment(),
      stderr: UNREAD,
    })
    return connectClient(transport, 'legacy')
  }
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`))
  return connectClient(transport, way === '2025' ? 'legacy' : { pin: '2026-07-28' })
}

type Mode = 'legacy' | { pin: '2026-07-28' }

async function connectClient(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  mode: Mode,
): Promise<Caller> {
  const client = new Client({ name: 'soak', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    async call(name, args) {
      const result = await client.callTool({ name, arguments: { ...askForAll(name), ...args } })
      const [first] = result.content as { text: string }[]
      if (result.isError) throw new Error(`${name}: ${first?.text}`)
      return result.structuredContent ?? JSON.parse(first?.text ?? '{}')
    },
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
      await client.close()
    },
  }
}

async function askRest(base: string, tool: string, args: object): Promise<Answer> {
  const [method = '', path = ''] = ROUTES.get(tool)?.split(' ') ?? []
  const isQuery = method === 'GET'
  const query = isQuery
    ? `?${new URLSearchParams(Object.entries(args).map(([key, value]): [string, string] => [key, String(value)]))}`
    : ''
  const response = await fetch(`${base}/api/v1${path}${query}`, {
    method,
    ...(!isQuery && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(args) }),
  })
  return answerOf(response)
}
