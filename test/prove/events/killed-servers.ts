/** Two servers of one space that are killed and started again, and the addresses of those that run. */
import { execFile } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServeProcess, startServe } from '../../http/serve-process.ts'

const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']
const FLAGS = [...UNLIMITED, '--webhook-allow', '127.0.0.0/8']

export interface ServersOptions {
  /** A file or the address of a database. */
  space: string
  /** The program. */
  script: string
  /** The list of addresses is kept here, for readers. */
  folder: string
  random: () => number
}

export class KilledServers {
  /** The path of a file with the addresses of MCP of the servers that run. */
  readonly list: string
  readonly #options: ServersOptions
  readonly #running: (ServeProcess | undefined)[] = []
  #first: ServeProcess | undefined

  private constructor(options: ServersOptions) {
    this.#options = options
    this.list = join(options.folder, 'servers.json')
  }

  static async start(options: ServersOptions): Promise<KilledServers> {
    const servers = new KilledServers(options)
    for (const index of [0, 1]) await servers.#start(index)
    return servers
  }

  /** The addresses of the same link over any server that runs. */
  anyMcp = (): string | undefined => this.#any('mcpUrl')
  anyRest = (): string | undefined => this.#any('restUrl')

  #any(kind: 'mcpUrl' | 'restUrl'): string | undefined {
    const all = this.#addresses(kind)
    return all[Math.floor(this.#options.random() * all.length)]
  }

  #addresses(kind: 'mcpUrl' | 'restUrl'): string[] {
    const path = new URL(this.#first?.[kind] ?? '').pathname
    return this.#running.flatMap((one) => (one === undefined ? [] : [new URL(path, one.restUrl).href]))
  }

  async #start(index: number): Promise<void> {
    const { space, script, folder } = this.#options
    const server = await startServe(space, FLAGS, [], { script, cwd: folder })
    this.#first ??= server
    this.#running[index] = server
    this.#note()
  }

  /** In one step, since readers read it at any time. */
  #note(): void {
    writeFileSync(`${this.list}.new`, JSON.stringify(this.#addresses('mcpUrl')))
    renameSync(`${this.list}.new`, this.list)
  }

  /** Ends a server with SIGKILL, and starts another. */
  async kill(index: number): Promise<void> {
    const victim = this.#running[index]
    this.#running[index] = undefined
    this.#note()
    if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
    await this.#start(index)
  }

  /** Deletes the history until now, as an operator does while servers run. */
  async forgetHistory(): Promise<void> {
    const { space, script, folder } = this.#options
    const args = [script, 'history', 'forget', '--space', space, '--before', new Date().toISOString()]
    await promisify(execFile)(process.execPath, args, { cwd: folder })
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((server) => server?.close()))
  }
}
