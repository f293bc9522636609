/** Runs `scriptorium serve --spaces` in a process of its own, with links to new spaces, and measures its resources. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { portOf } from '../../http/serve-process.ts'
import { NO_INPUT, UNREAD } from '../../support/unread.ts'
import type { Memory } from './probe.ts'

const root = join(import.meta.dirname, '../../..')
const MIB = 1024 * 1024
/** Columns and states of `/proc/net/tcp`: proc_pid_net(5). */
const INODE = 9
const ESTABLISHED = '01'
export const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0']

/** A space, and the secret of a link to all of it. */
export interface Made {
  file: string
  secret: string
}

export async function makeSpaces(folder: string, count: number): Promise<Made[]> {
  const made: Made[] = []
  for (let index = 0; index < count; index++) {
    const file = join(folder, `space-${index}.sqlite`)
    const space = await openSpace(file, { name: `Space ${index}`, timezone: 'Europe/Budapest' })
    const { secret } = await space.write(OPERATOR_LINK, (view) =>
      addAccessLink(view, { kind: 'full', access: 'full', documents: [], isBearer: false }),
    )
    made.push({ file, secret })
    await space.close()
  }
  return made
}

export interface Held extends Memory {
  /** The number of open files. */
  files: number
  /** The number of other descriptors, except connections with clients, whose number depends on the load. */
  others: number
  /** The size of the largest write-ahead log in bytes. */
  log: number
}

export class SoakServer {
  readonly origin: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(child: ChildProcess, folder: string, port: string) {
    this.#child = child
    this.#folder = folder
    this.origin = `http://127.0.0.1:${port}`
  }

  /** @param modules  modules that are loaded before the program */
  static async start(folder: string, modules: readonly string[]): Promise<SoakServer> {
    const imports = [...modules, './probe.ts'].flatMap((name) => ['--import', new URL(name, import.meta.url).href])
    const limits = [...UNLIMITED, '--limit-ip', '0', '--limit-file', '1200']
    const args = ['--expose-gc', ...imports, 'src/start.js', 'serve', '--spaces', folder, '--port', '0', ...limits]
    const child = spawn(process.execPath, args, { cwd: root, stdio: [NO_INPUT, UNREAD, 'pipe', 'ipc'] })
    try {
      return new SoakServer(child, folder, await portOf(child))
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Measures the resources after a garbage collection. */
  async held(): Promise<Held> {
    const response = once(this.#child, 'message') as Promise<[Memory]>
    this.#child.send('memory')
    const [memory] = await response
    const connections = this.#connections()
    const links = this.#descriptors().filter((link) => !connections.has(link))
    const files = links.filter((link) => link.startsWith('/')).length
    const logs = readdirSync(this.#folder).filter((name) => name.endsWith('-wal'))
    const log = Math.max(0, ...logs.map((name) => sizeOf(join(this.#folder, name))))
    return { ...memory, files, others: links.length - files, log: log / MIB }
  }

  #descriptors(): string[] {
    const folder = `/proc/${this.#child.pid}/fd`
    return readdirSync(folder).flatMap((name) => {
      try {
        return readlinkSync(join(folder, name))
      } catch {
        // The descriptor was closed in the meantime.
        return []
      }
    })
  }

  /** The server's sockets whose connections the clients have not closed. */
  #connections(): Set<string> {
    const port = Number(new URL(this.origin).port).toString(16).toUpperCase().padStart(4, '0')
    const rows = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
    const own = rows.filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === ESTABLISHED)
    return new Set(own.map((row) => `socket:[${row[INODE]}]`))
  }

  /** Stops the server as an operator does, and returns its exit code. */
  async close(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM')
      await once(this.#child, 'exit')
    }
    return this.#child.exitCode
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
