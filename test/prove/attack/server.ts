/** Runs `scriptorium serve` of the installed package on a new space, in a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { portOf } from '../../http/serve-process.ts'
import { commandOf, endProcess, type Program, startProgram } from './process.ts'

export interface LinkOptions {
  kind?: 'full' | 'selected' | 'daily'
  access?: 'full' | 'no-delete' | 'propose' | 'comment' | 'read'
  documents?: readonly string[]
  isBearer?: boolean
  name?: string
  participant?: string
}

/** An access link with the headers that its requests need. */
export interface MadeLink {
  id: string
  restUrl: string
  mcpUrl: string
  headers: Record<string, string>
}

export interface HttpResult {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  json: any
}

export interface ServerOptions {
  /** Additional flags of `serve`. */
  flags?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** The limit of requests per minute. Unlimited when absent. */
  requests?: number
  /** True if the first participant gets a password. By default true if the server has a sign-in. */
  hasOwner?: boolean
  /** The address of a database in which the space is created, in place of a file. */
  database?: string
}

/** The first participant, who owns the space. */
export const OWNER = { name: 'Owner', password: 'correct horse battery' }

/** Characters of the log that are kept. */
const LOG_LENGTH = 10_000

export class AttackedServer {
  readonly program: Program
  /** The file of the space, or its address in a database. */
  readonly file: string
  readonly origin: string
  readonly metricsOrigin: string
  /** A full access link, which creates the content that attackers must not get. */
  full: MadeLink = { id: '', restUrl: '', mcpUrl: '', headers: {} }
  readonly #child: ChildProcess
  /** The end of what the server has written to its log. */
  #log = ''
  #onLog = () => {}

  private constructor(program: Program, file: string, child: ChildProcess, port: string, metricsPort: number) {
    this.program = program
    this.file = file
    this.origin = `http://127.0.0.1:${port}`
    this.metricsOrigin = `http://127.0.0.1:${metricsPort}`
    this.#child = child
    child.stderr?.on('data', (text) => {
      this.#log = `${this.#log}${text}`.slice(-LOG_LENGTH)
      this.#onLog()
    })
    child.once('exit', () => this.#onLog())
  }

  /** @param folder  where the space is created */
  static async start(program: Program, folder: string, options: ServerOptions = {}): Promise<AttackedServer> {
    const { flags = [], env, requests = 0, hasOwner = flags.includes('--oauth'), database } = options
    const file = database === undefined ? join(folder, 'space.sqlite') : await addSpace(program, database)
    const metricsPort = await freePort()
    const limits = ['--limit-requests', String(requests), '--limit-blocks', '0', '--limit-ip', '0']
    const own = ['serve', '--space', file, '--port', '0', '--metrics-port', String(metricsPort), '--no-welcome']
    const child = startProgram(program, [...own, ...limits, ...flags], env)
    const server = new AttackedServer(program, file, child, await portOf(child), metricsPort)
    try {
      server.full = await server.link()
      if (hasOwner) {
        await server.command(['participants', 'add', OWNER.name, '--password'], `${OWNER.password}\n`)
      }
      return server
    } catch (error) {
      await server.close()
      throw error
    }
  }

  /** Resolves once the log matches, or the server has ended. */
  async untilLogged(pattern: RegExp): Promise<void> {
    while (this.isRunning && !pattern.test(this.#log)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#onLog = resolve
      await promise
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Runs another command of the program on the space. */
  command(args: readonly string[], input = ''): Promise<string> {
    return commandOf(this.program, [...args, '--space', this.file], { input })
  }

  async link({
    kind = 'full',
    access = 'full',
    documents = [],
    isBearer,
    name,
    participant,
  }: LinkOptions = {}): Promise<MadeLink> {
    const made = await this.command([
      ...['links', 'add', '--json', '--kind', kind, '--access', access, '--port', new URL(this.origin).port],
      ...(documents.length > 0 ? ['--documents', documents.join(',')] : []),
      ...(isBearer === true ? ['--bearer'] : []),
      ...(name === undefined ? [] : ['--name', name]),
      ...(participant === undefined ? [] : ['--participant', participant]),
    ])
    const { secret, ...link } = JSON.parse(made) as MadeLink & { secret: string }
    return { ...link, headers: isBearer === true ? { authorization: `Bearer ${secret}` } : {} }
  }

  /** Sends a request to the server, such as `ask('GET /health')`. A body that is not a string is sent as JSON. */
  ask(line: string, body?: unknown, headers?: Record<string, string>): Promise<HttpResult> {
    return askAt(this.origin, line, body, headers)
  }

  /** Sends a REST request over an access link, by default the full one. */
  rest(line: string, body?: unknown, { restUrl, headers } = this.full): Promise<HttpResult> {
    return askAt(restUrl, line, body, headers)
  }

  /** Like `rest`, for requests that must succeed. @throws Error with the response if it fails */
  async done(line: string, body?: unknown): Promise<HttpResult['json']> {
    const { status, text, json } = await this.rest(line, body)
    if (status !== 200) throw new Error(`Expected an answer to ${line}, found ${status}: ${text.slice(0, 500)}`)
    return json
  }

  /** Creates a document and returns its ID. */
  async document(title: string, markdown?: string): Promise<string> {
    const documents = [{ title, ...(markdown !== undefined && { markdown }) }]
    return (await this.done('POST /documents', { documents })).items[0].id
  }

  /** Adds a file block at the end of a document and returns its ID. */
  async upload(pageId: string, text: string): Promise<string> {
    const target = `POST /upload?position=end&pageId=${pageId}&fileName=a.txt`
    const { status, json } = await askAt(this.full.restUrl, target, text, { 'content-type': 'text/plain' })
    if (status !== 200) throw new Error(`Expected a file, found ${status}: ${JSON.stringify(json)}`)
    return json.blockId
  }

  /** Fetches `/metrics` and returns a function that looks up a figure by its name. */
  async metrics(): Promise<(name: string) => number> {
    const { text } = await askAt(this.metricsOrigin, 'GET /metrics')
    return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  close(signal?: NodeJS.Signals): Promise<void> {
    return endProcess(this.#child, signal)
  }
}

/** Adds a space to a database, and returns its address. */
async function addSpace(program: Program, database: string): Promise<string> {
  const name = randomUUID()
  await commandOf(program, ['spaces', 'add', name, '--timezone', 'UTC'], { env: { SCRIPTORIUM_DATABASE: database } })
  return spaceAddress(database, name)
}

export async function askAt(
  base: string,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<HttpResult> {
  const [method = '', target = ''] = line.split(/ (.*)/s)
  const isSent = body !== undefined
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const response = await fetch(`${base}${target}`, {
    method,
    redirect: 'manual',
    headers: { ...(isSent && { 'content-type': 'application/json' }), ...headers },
    ...(isSent && { body: sent as string }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Finds a free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
