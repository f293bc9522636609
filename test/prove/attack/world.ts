/** What attacks work with: the installed package, temporary folders, and servers that are stopped after the proof. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import {
  CONNECTION_METHODS,
  type Connection,
  type ConnectionMethod,
  type EnterOptions,
  enter,
} from './connection-methods.ts'
import type { Program } from './process.ts'
import { AttackedServer, type ServerOptions } from './server.ts'

export class World {
  readonly program: Program
  readonly #folder: string
  readonly #database: string | undefined
  readonly #servers = new Set<AttackedServer>()
  #shared: Promise<AttackedServer> | undefined
  readonly #connections = new Map<string, Promise<Connection>>()

  /** @param database  the address of a database for the spaces, which are files if it is absent */
  constructor(program: Program, folder: string, database?: string) {
    this.program = program
    this.#folder = folder
    this.#database = database
  }

  /** Creates a folder that is deleted after the proof. */
  folder(): string {
    return mkdtempSync(join(this.#folder, 'attack-'))
  }

  /** Starts a server for one attack, for attacks that may crash it or use up its limits. */
  async serve(options: ServerOptions = {}): Promise<AttackedServer> {
    const server = await AttackedServer.start(this.program, this.folder(), {
      ...options,
      ...(this.#database !== undefined && { database: this.#database }),
    })
    this.#servers.add(server)
    return server
  }

  /** Returns the server shared by all attacks that leave it unchanged: with sign-in and without limits. */
  shared(): Promise<AttackedServer> {
    this.#shared ??= this.serve({ flags: ['--oauth'] })
    return this.#shared
  }

  /** Connects to the shared server through each door in turn. Attacks with the same options share connections. */
  async connectByEachMethod(
    options: EnterOptions,
    work: (connection: Connection) => Promise<readonly string[]>,
  ): Promise<string[]> {
    const faults: string[] = []
    for (const door of CONNECTION_METHODS) {
      const connection = await this.#connection(door, options)
      for (const fault of await work(connection)) faults.push(`over ${door}, ${fault}`)
    }
    return faults
  }

  async #connection(door: ConnectionMethod, options: EnterOptions): Promise<Connection> {
    const key = JSON.stringify([door, options])
    const known = this.#connections.get(key) ?? this.shared().then((server) => enter(server, door, options))
    this.#connections.set(key, known)
    return known
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#connections.values()].map(async (connection) => (await connection).close()))
    await Promise.all([...this.#servers].map((server) => server.close('SIGKILL')))
  }
}
