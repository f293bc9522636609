/**
 * Runs the program of a checkout, which serves a new space to one link of each kind, at a time that the caller sets.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { CONNECTION_KINDS, type ConnectionKind } from '../../../src/space/model/space.ts'
import { noWelcomeFlags } from '../../support/no-welcome.ts'
import { newAgent, overSocket } from '../test-client/over-socket.ts'
import type { RestInput } from '../test-client/test-client.ts'
import { Names, type RawAnswer } from './normalize.ts'

/** A call over one of the transports, with numbered names. */
export type Call =
  | { kind: ConnectionKind; tool: string; args: object }
  | { kind: ConnectionKind; tool: string; request: RestInput }

const TIME_AND_CHANCE = pathToFileURL(join(import.meta.dirname, 'time-and-chance.ts')).href
const run = promisify(execFile)

/** Headers of the connection, and those that depend on the length of names. */
const OMITTED_HEADERS = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive', 'etag'])

export class Product {
  readonly names = new Names()
  readonly #directory: string
  readonly #script: string
  readonly #noWelcome: readonly string[]
  readonly #space: string
  #time: number
  /** The number of processes started so far: each has other IDs and secrets. */
  #started = 0
  #server: ChildProcess | undefined
  #origin = ''
  readonly #links = new Map<ConnectionKind, Link>()
  readonly #agent: Agent = newAgent()

  /**
   * @param directory  the checkout, whose `npm start` names the program
   * @param folder  an empty folder for the space
   * @param time  milliseconds since 1970
   */
  constructor(directory: string, folder: string, time: number) {
    const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
      scripts?: { start?: string }
    }
    const script = scripts?.start?.split(' ').at(-1)
    if (script === undefined) throw new Error(`Expected scripts.start in ${directory}/package.json, found none.`)
    mkdirSync(folder)
    this.#directory = directory
    this.#script = join(directory, script)
    this.#noWelcome = noWelcomeFlags(this.#script, directory)
    this.#space = join(folder, 'space.sqlite')
    this.#time = time
  }

  async start(): Promise<void> {
    const full = await this.#addLink('full')
    const flags = ['--space', this.#space, '--port', '0', '--limit-requests', '0', '--limit-blocks', '0']
    const server = fork(this.#script, ['serve', ...flags, '--limit-ip', '0'], {
      ...this.#options(),
      execArgv: ['--import', TIME_AND_CHANCE],
      silent: true,
    })
    this.#server = server
    this.#origin = await originOf(server)
    this.names.replace(this.#origin, 'http://server')
    await this.#connect(full)
  }

  /** Creates the links of the other kinds. @param documents  the documents exposed to the selected one */
  async addNarrowLinks(documents: readonly string[]): Promise<void> {
    const exposed = this.names.toOwn(documents.join(','))
    await this.#connect(await this.#addLink('selected', ['--documents', exposed]))
    await this.#connect(await this.#addLink('daily'))
  }

  async expose(documents: readonly string[]): Promise<void> {
    const id = this.#links.get('selected')?.id ?? ''
    await this.#run(['links', 'expose', id, '--documents', this.names.toOwn(documents.join(','))])
  }

  /** @param time  milliseconds since 1970 */
  async setTime(time: number): Promise<void> {
    this.#time = time
    const received = this.#server && once(this.#server, 'message')
    this.#server?.send(time)
    await received
  }

  /** Makes a call and returns the raw response. */
  async answer(call: Call): Promise<RawAnswer> {
    const link = this.#links.get(call.kind)
    if (link === undefined) throw new Error(`Expected a link of kind ${call.kind}, found none yet.`)
    return 'request' in call ? this.#rest(link, call.request) : this.#mcp(link, call)
  }

  async close(): Promise<void> {
    for (const { client } of this.#links.values()) await client?.close()
    this.#agent.destroy()
    const server = this.#server
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
  }

  async #rest({ restPath }: Link, request: RestInput): Promise<RawAnswer> {
    const own = { ...request, target: this.names.toOwn(request.target) }
    if (typeof request.body === 'string') own.body = this.names.toOwn(request.body)
    const { status, headers, text } = await overSocket(this.#agent, `${this.#origin}${restPath}`, own)
    const kept = Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.has(name))
    return { isError: status >= 400, about: { status, ...Object.fromEntries(kept) }, body: text }
  }

  async #mcp({ client }: Link, { tool, args }: { tool: string; args: object }): Promise<RawAnswer> {
    const own = JSON.parse(this.names.toOwn(JSON.stringify(args))) as Record<string, unknown>
    try {
      const result = await client?.callTool({ name: tool, arguments: own })
      return { isError: result?.isError === true, about: {}, body: JSON.stringify(result) }
    } catch (error) {
      // A protocol error, or a response that the client rejects.
      const { name, code, message } = error as Error & { code?: number | string }
      return { isError: true, about: { thrown: name }, body: JSON.stringify({ code, message }) }
    }
  }

  async #addLink(kind: ConnectionKind, flags: readonly string[] = []): Promise<Link> {
    const made = await this.#run([
      'links',
      'add',
      '--kind',
      kind,
      ...flags,
      '--json',
      ...ABOUT_SPACE,
      ...this.#noWelcome,
    ])
    const { id, secret, restUrl, mcpUrl } = JSON.parse(made) as Record<string, string>
    if (id === undefined || secret === undefined) throw new Error(`Expected a link, found ${made}.`)
    this.names.replace(secret, `secret-${kind}`)
    this.names.replace(id, `link-${kind}`)
    const link = { kind, id, restPath: new URL(restUrl ?? '').pathname, mcpPath: new URL(mcpUrl ?? '').pathname }
    this.#links.set(kind, link)
    return link
  }

  async #connect(link: Link): Promise<void> {
    // Covers both kinds of clients: with a session and without.
    const mode = link.kind === 'selected' ? 'legacy' : { pin: '2026-07-28' }
    const client = new Client({ name: 'tester', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.#origin}${link.mcpPath}`)))
    link.client = client
  }

  async #run(args: readonly string[]): Promise<string> {
    const command = ['--import', TIME_AND_CHANCE, this.#script, ...args, '--space', this.#space]
    return (await run(process.execPath, command, this.#options())).stdout
  }

  #options() {
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('SCRIPTORIUM_'))
    const proof = { PROOF_TIME: String(this.#time), PROOF_SEED: String(++this.#started) }
    return { cwd: this.#directory, env: { ...Object.fromEntries(others), ...proof } }
  }
}

interface Link {
  kind: ConnectionKind
  id: string
  restPath: string
  mcpPath: string
  client?: Client
}

/** The first command creates the space, so it gets these flags. */
const ABOUT_SPACE = ['--timezone', 'Europe/Budapest']

export const KINDS = CONNECTION_KINDS

/** @throws Error with the program's output if it exits before it serves */
async function originOf(server: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (origin !== undefined) resolve(origin)
      })
    }
    server.once('close', () => reject(new Error(`Expected the program to serve, found it ended: ${output}`)))
  })
}
