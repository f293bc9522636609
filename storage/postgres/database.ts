/**
 * A database: its connections, and everything that its spaces share. All spaces of a process that are in the same
 * database use one pool.
 */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { DATABASE_CONNECTIONS } from '../../src/base/limits.ts'
import { StorageFault } from '../storage-fault.ts'
import { parseAddress } from './address.ts'
import { ChangeNotifications } from './change-notifications.ts'
import { assertUsable, hasPooler, POOLER } from './database-checks.ts'
import { isConnectionLost, isTransient, sqlState, translateError } from './database-errors.ts'
import { migrate } from './migrations.ts'
import { Outage } from './outage.ts'
import { quickQuery } from './quick-query.ts'
import { WaitingConnections } from './waiting-connections.ts'
import { toWatchedConnection, watchedClient } from './watched-client.ts'

/** Milliseconds that a new connection may take. */
const CONNECT_TIMEOUT_MS = 5_000
/** Milliseconds that a call waits for a database that does not answer, for example while a standby takes over. */
const UNREACHABLE_WAIT_MS = 10_000
/** Milliseconds that a call waits for a free connection while all connections of this process are taken. */
const POOL_WAIT_MS = 30_000
/** Milliseconds between two attempts to reach a database that does not answer. */
const RETRY_MS = 250
/** Maximum milliseconds per statement. The wait for a lock is limited to half of that; see open-storage.ts. */
const QUERY_TIMEOUT_MS = 60_000
/** Milliseconds that connections may take to close: a broken connection never reports that it has closed. */
const CLOSE_TIMEOUT_MS = 5_000
/** Seconds after which a connection is replaced, which frees the memory of its prepared statements. */
const CONNECTION_LIFETIME_SECONDS = 1_800

/**
 * How many connections may turn out to be broken, one after another, before the caller gets the error. After a restart
 * of the database, all connections of a pool are broken. Reads are retried, and so are writes that have not acquired
 * their lock.
 */
export const CONNECTION_ATTEMPTS = 12

export interface DatabaseOptions {
  /** Maximum number of connections; {@link DATABASE_CONNECTIONS} if absent. */
  poolSize?: number
  /** Receives a sentence for each setting that can lose data. */
  report?(sentence: string): void
}

type Driver = typeof import('pg')['default']

/** @throws VALIDATION_ERROR if the package is not installed: people who use only files do not need it */
async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ScriptoriumError(
      'VALIDATION_ERROR',
      'Expected the package pg for a database of PostgreSQL, found none; install it where Scriptorium is, as with npm install --global pg.',
    )
  }
}

export class Database {
  readonly notifications = new ChangeNotifications(this)
  /**
   * True if there is a pooler, such as PgBouncer, that gives each transaction any free connection to the database. Then
   * statements are not kept prepared, and notifications do not arrive.
   */
  isPooled = false
  readonly #driver: Driver
  readonly #pool: Pool
  readonly #configs: readonly ClientConfig[]
  /** The sockets of all open connections. */
  readonly #sockets = new Set<Socket>()
  /** The index of the host to connect to: the one that was last reached. */
  #host = 0
  readonly #outage: Outage
  readonly #waiting = new WaitingConnections((error) => this.distrustConnections(error))
  /** Connections opened before this time may be broken, since one of them was. A time of performance.now(). */
  #trustedSince = 0
  readonly #connectedAt = new WeakMap<Client, number>()

  constructor(driver: Driver, hosts: readonly string[], { poolSize = DATABASE_CONNECTIONS }: DatabaseOptions) {
    this.#driver = driver
    const types = { getTypeParser: typeParsers(driver) } as NonNullable<ClientConfig['types']>
    this.#configs = hosts.map((connectionString) => ({
      connectionString,
      types,
      keepAlive: true,
      stream: () => this.#openSocket(),
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // A name of its own, so that this process finds its connections among those of others.
      application_name: `scriptorium ${randomUUID()}`,
    }))
    this.#pool = new driver.Pool({
      Client: watchedClient(driver, {
        config: () => this.#configs[this.#host] ?? {},
        isPooled: () => this.isPooled,
      }),
      max: poolSize,
      connectionTimeoutMillis: POOL_WAIT_MS,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      onConnect: assertWritable,
      allowExitOnIdle: true,
    })
    // If an idle connection ends, the pool opens another when one is needed.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#connectedAt.set(client, performance.now())
      this.#waiting.add(toWatchedConnection(client))
    })
    this.#pool.on('remove', (client) => this.#waiting.delete(toWatchedConnection(client)))
    this.#outage = new Outage(() => this.#reach(), {
      ...{ patience: UNREACHABLE_WAIT_MS, pause: RETRY_MS },
      onDeclared: () => this.#waiting.breakAll(),
    })
  }

  /**
   * Makes the pool replace its current connections instead of reusing them: one was broken, so the others may be too.
   *
   * @param error  how it was lost
   */
  distrustConnections(error: unknown): void {
    this.#trustedSince = performance.now()
    this.notifications.checkListener()
    this.#outage.notice(error)
  }

  /** Returns a connection, which the caller must release. @throws StorageFault if none is available */
  async acquire(): Promise<PoolClient> {
    for (;;) {
      const connecting = this.#pool.connect()
      try {
        const client = await this.#outage.during(connecting)
        if ((this.#connectedAt.get(client) ?? 0) >= this.#trustedSince) return client
        client.release(true)
      } catch (error) {
        // If the outage was declared in the meantime, the pool may still get a connection.
        connecting.then(
          (client) => client.release(true),
          () => {},
        )
        if (!isWorthRetrying(error)) throw translateError(error)
        this.#outage.notice(error)
        const pause = new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        await this.#outage.during(pause).catch((reason) => {
          throw unreachable(reason)
        })
      }
    }
  }

  /** Reaches a host, and ends connections that are dead. */
  async #reach(): Promise<void> {
    const client = await this.connectAlone()
    try {
      if (!this.isPooled) await this.#waiting.breakDead(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Runs statements that belong to no space, on a separate connection. */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.acquire()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      if (isConnectionLost(error)) this.distrustConnections(error)
      throw translateError(error)
    }
  }

  /** Like {@link withClient}, for work that may run twice: it is repeated if its connection turns out to be broken. */
  async repeatWithClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.withClient(work)
      } catch (error) {
        if (attempt === CONNECTION_ATTEMPTS || !(error instanceof StorageFault) || !isTransient(error.cause))
          throw error
      }
    }
  }

  /** Opens a connection outside of the pool. One of its queries may contain several statements. */
  async connectAlone(): Promise<Client> {
    let lastError: unknown
    for (let attempt = 0; attempt < this.#configs.length; attempt++) {
      const client = new this.#driver.Client(this.#configs[this.#host])
      client.on('error', () => {})
      try {
        await client.connect()
        await assertWritable(client)
        return client
      } catch (error) {
        await client.end().catch(() => {})
        if (!isWorthRetrying(error)) throw translateError(error)
        lastError = error
        this.#host = (this.#host + 1) % this.#configs.length
      }
    }
    throw translateError(lastError)
  }

  /** How many callers wait for a connection of the pool. */
  get waitingCount(): number {
    return this.#pool.waitingCount
  }

  /** Closes all connections. Broken ones are destroyed after {@link CLOSE_TIMEOUT_MS}. */
  async close(): Promise<void> {
    const ending = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, CLOSE_TIMEOUT_MS)
    this.#waiting.close()
    await this.#outage.close()
    await this.notifications.close()
    await this.#pool.end()
    clearTimeout(ending)
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }
}

/** Throws if the host is a read-only standby. A standby that is being promoted becomes writable. */
async function assertWritable(client: Pick<Client, 'query'>): Promise<void> {
  const { rows } = await client.query(quickQuery({ text: 'SHOW transaction_read_only' }))
  if (rows[0]?.transaction_read_only === 'on') throw new StandbyFound()
}

class StandbyFound extends Error {
  readonly code = '25006'
  constructor() {
    super('cannot write: the database is a standby')
  }
}

const isWorthRetrying = (error: unknown): boolean =>
  isConnectionLost(error) || error instanceof StandbyFound || sqlState(error) === '53300'

const unreachable = (error: unknown): unknown => {
  const translated = translateError(error)
  return translated instanceof ScriptoriumError
    ? translated
    : new StorageFault(
        'STORAGE_UNAVAILABLE',
        'Expected the database of the space to answer, found that it does not; nothing was written, try again soon.',
        error as Error,
      )
}

/** Parses `bigint`, and `numeric` as the type of its sums, as numbers. None of our values exceeds the safe integers. */
function typeParsers({ types }: Driver): (oid: number, format?: 'text' | 'binary') => (value: string) => unknown {
  const { INT8, NUMERIC } = types.builtins
  return (oid, format) =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : (types.getTypeParser(oid, format as 'text') as (value: string) => unknown)
}

/** A database that is open in this process, and the number of its users. */
interface OpenDatabase {
  opening: Promise<Database>
  users: number
}

const openDatabases = new Map<string, OpenDatabase>()

/**
 * Returns the database of an address. It is checked and migrated on first use. Release it with {@link releaseDatabase}.
 *
 * @throws VALIDATION_ERROR if the database or the role cannot be used; StorageFault if the database cannot be reached
 */
export async function useDatabase(address: string, options: DatabaseOptions = {}): Promise<Database> {
  const { hosts } = parseAddress(address)
  const key = hosts.join(',')
  const open = openDatabases.get(key) ?? { opening: openDatabase(hosts, options), users: 0 }
  openDatabases.set(key, open)
  open.users++
  try {
    return await open.opening
  } catch (error) {
    if (openDatabases.get(key) === open) openDatabases.delete(key)
    throw error
  }
}

async function openDatabase(hosts: readonly string[], options: DatabaseOptions): Promise<Database> {
  const database = new Database(await loadDriver(), hosts, options)
  const client = await database.connectAlone()
  try {
    await assertUsable(client, options.report)
    database.isPooled = await hasPooler(client)
    if (database.isPooled) options.report?.(POOLER)
    await migrate(client, options)
  } catch (error) {
    throw translateError(error)
  } finally {
    await client.end()
  }
  return database
}

/** Releases a database. It is closed once it was released as often as it was used. */
export async function releaseDatabase(database: Database): Promise<void> {
  for (const [key, open] of openDatabases) {
    if ((await open.opening.catch(() => undefined)) !== database) continue
    open.users--
    if (open.users > 0 || openDatabases.get(key) !== open) return
    openDatabases.delete(key)
    await database.close()
    return
  }
}
