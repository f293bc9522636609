/** Stands between the program and a PostgreSQL server, and cuts or stops what goes through. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresServer } from './postgres-server.ts'
import { TEST_ROLE } from './postgres-server.ts'

/** Where a connection ends: before the server has a COMMIT, or before the client has its answer. */
export type Cut = 'before COMMIT' | 'before its answer'

export interface PostgresProxy {
  /** Of the server's database, through this proxy. */
  address: string
  /** Connections that are open. */
  readonly open: number
  /** Ends the connection of each of the next write transactions at its COMMIT. @param count  of them */
  cut(where: Cut, count?: number): void
  /** From now on nothing passes, and no connection ends: as if a cable were cut. */
  stop(): void
  /** Everything passes again, also what came meanwhile. */
  resume(): void
  /** Nothing passes any more on the connections of now, which do not end: as if the machine behind them were gone. */
  abandon(): void
  /** Ends all connections. */
  drop(): void
  close(): Promise<void>
}

/** How a write transaction begins and ends, as the client sends it. */
const WRITE_BEGINS = 'READ COMMITTED'
const COMMIT = 'COMMIT\0'

export async function startProxy(server: Pick<PostgresServer, 'folder' | 'port'>): Promise<PostgresProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-proxy-'))
  const target = join(server.folder, `.s.PGSQL.${server.port}`)
  const sockets = new Set<Socket>()
  const abandoned = new Set<Socket>()
  const cuts: Cut[] = []
  let isStopped = false

  const listener = createServer((client) => {
    const upstream = createConnection(target)
    let isWrite = false
    let isCut = false
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      if (isStopped) from.pause()
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.end()
      })
    }
    client.on('data', (data) => {
      const sent = data.toString('latin1')
      if (sent.includes(WRITE_BEGINS)) isWrite = true
      const isCommit = sent.includes(COMMIT)
      const cut = isWrite && isCommit ? cuts.shift() : undefined
      if (isCommit) isWrite = false
      isCut = cut === 'before its answer'
      if (cut === 'before COMMIT') client.destroy()
      else upstream.write(data)
    })
    upstream.on('data', (data) => {
      // Statements sent before the COMMIT may be answered after it was sent: only its own answer says that it is done.
      if (isCut && data.toString('latin1').includes(COMMIT)) client.destroy()
      else client.write(data)
    })
  })
  const path = join(folder, '.s.PGSQL.5432')
  await new Promise<void>((resolve) => listener.listen(path, resolve))
  const drop = () => {
    for (const socket of [...sockets, ...abandoned]) socket.destroy()
  }
  return {
    address: `postgres://${TEST_ROLE}@/${TEST_ROLE}?host=${encodeURIComponent(folder)}`,
    get open() {
      return sockets.size / 2
    },
    cut: (where, count = 1) => void cuts.push(...Array<Cut>(count).fill(where)),
    stop() {
      isStopped = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isStopped = false
      for (const socket of sockets) socket.resume()
    },
    abandon() {
      for (const socket of sockets) abandoned.add(socket.pause())
      sockets.clear()
    },
    drop,
    async close() {
      drop()
      await new Promise((resolve) => listener.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
