/** A proxy between the program and a PostgreSQL server, which can cut or stop the traffic. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresServer } from './postgres-server.ts'
import { TEST_ROLE } from './postgres-server.ts'

/** When to cut a connection: before the server receives a COMMIT, or before the client receives its response. */
export type Cut = 'before COMMIT' | 'before its answer'

export interface PostgresProxy {
  /** The address of the server's database, through this proxy. */
  address: string
  /** Number of open connections. */
  readonly open: number
  /** Ends the connections of the next write transactions at their COMMIT. @param count  number of transactions */
  cut(where: Cut, count?: number): void
  /** Stops all traffic without ending any connection, as if a cable were cut. */
  stop(): void
  /** Resumes all traffic, including data that arrived in the meantime. */
  resume(): void
  /**
   * Stops all traffic on the current connections for good, without ending them: as if the machine behind them were
   * gone.
   */
  abandon(): void
  /** Ends all connections. */
  drop(): void
  close(): Promise<void>
}

/** Text in the protocol by which the beginning and the end of a write transaction are detected. */
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
      // Responses to earlier statements may arrive after the COMMIT was sent. Only the response to COMMIT shows that it
      // is done.
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
