/** Connections of a pool that know whether their statements are answered. */
import type { Socket } from 'node:net'
import type { ClientConfig, Client as PgClient, PoolClient, QueryConfig } from 'pg'
import type { WatchedConnection } from './waiting-connections.ts'

type Driver = typeof import('pg')['default']
type Send = (query: string | QueryConfig, values?: unknown) => Promise<unknown>

/** Settings that may change between two connections. */
export interface ClientOptions {
  config(): ClientConfig
  /** True if statements must not be kept prepared. */
  isPooled(): boolean
}

/** The class of these connections, for a pool of the driver. */
export function watchedClient(driver: Driver, { config, isPooled }: ClientOptions): new () => PoolClient {
  class WatchedClient extends driver.Client implements WatchedConnection {
    waitingSince: number | undefined
    /** The number of statements that were sent and not answered. */
    #unanswered = 0

    constructor(settings: ClientConfig) {
      super({ ...settings, ...config(), pipeline: true })
      // Running queries fail on their own. Without a listener, this event would end the process.
      this.on('error', () => {})
      const send: Send = (given, values) => super.query(given as string, values as unknown[])
      const query: Send = (given, values) =>
        this.#watch(typeof given !== 'string' && isPooled() ? send({ ...given, name: undefined }) : send(given, values))
      this.query = query as PgClient['query']
    }

    get backend(): number {
      return (this as unknown as { processID: number }).processID
    }

    break(): void {
      ;(this as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    }

    #watch<T>(answer: Promise<T>): Promise<T> {
      if (this.#unanswered++ === 0) this.waitingSince = performance.now()
      const end = () => {
        this.waitingSince = --this.#unanswered === 0 ? undefined : performance.now()
      }
      answer.then(end, end)
      return answer
    }
  }
  return WatchedClient as unknown as new () => PoolClient
}

/** A client of a pool with {@link watchedClient}. */
export const toWatchedConnection = (client: PgClient): WatchedConnection => client as unknown as WatchedConnection
