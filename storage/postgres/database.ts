/**
 * A database: its connections, and what every space in it shares. All spaces of a process that are in the same database
 * use one pool.
 */
import { Socket } from 'node:net'
import type { Client, ClientConfig, Pool, PoolClient, QueryConfig } from 'pg'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { DATABASE_CONNECTIONS } from '../../src/base/limits.ts'
import { StorageFault } from '../storage-fault.ts'
import { parseAddress } from './address.ts'
import { ChangeNotifications } from './change-notifications.ts'
import { assertUsable, hasPooler, POOLER } from './database-checks.ts'
import { isConnectionLost, sqlState, translateError } from './database-errors.ts'
import { migrate } from './migrations.ts'
import { quickQuery } from './quick-query.ts'

/** Milliseconds that a new connection may take. */
const CONNECT_TIMEOUT_MS = 5_000
/** Milliseconds for which a call waits for a database that does not answer, such as while a standby takes over. */
const UNREACHABLE_WAIT_MS = 10_000
/** Milliseconds for which a call waits while all connections of this process are taken. */
const POOL_WAIT_MS = 30_000
/** Milliseconds between two attempts to reach one. */
const RETRY_MS = 250
/** Milliseconds of one statement. A lock is waited for half as long; see open-storage.ts. */
const QUERY_TIMEOUT_MS = 60_000
/** Milliseconds that connections may take to end: those that lead nowhere never say that they have. */
const CLOSE_TIMEOUT_MS = 5_000
/** Seconds after which a connection is replaced: what its prepared statements take is given back. */
const CONNECTION_LIFETIME_SECONDS = 1_800

export interface DatabaseOptions {
  /** Connections at most; {@link DATABASE_CONNECTIONS} when absent. */
  poolSize?: number
  /** Receives a sentence for each setting that can lose data. */
  report?(sentence: string): void
}

type Driver = typeof import('pg')['default']

/** @throws VALIDATION_ERROR where the package is not installed, since those who use files alone do not need it */
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
   * True where a pooler, such as PgBouncer, gives transactions whichever connection to the database is free: statements
   * then are not kept prepared, and notifications do not arrive.
   */
  isPooled = false
  readonly #driver: Driver
  readonly #pool: Pool
  readonly #configs: readonly ClientConfig[]
  /** Of the connections that are open. */
  readonly #sockets = new Set<Socket>()
  /** Which of the hosts is connected to: the one that was last reached. */
  #host = 0
  /** Since when no host was reached; undefined while one is. */
  #unreachableSince: number | undefined

  /** Connections from before this time may lead nowhere: one of them did. By the clock of performance.now. */
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
      application_name: 'scriptorium',
    }))
    const currentConfig = () => this.#configs[this.#host] ?? {}
    const isPooled = () => this.isPooled
    class HostClient extends driver.Client {
      constructor(config: ClientConfig) {
        super({ ...config, ...currentConfig(), pipeline: true })
        // The queries that are under way fail by themselves; without a listener the process would end.
        this.on('error', () => {})
        if (!isPooled()) return
        const query = this.query.bind(this) as (config: unknown, values?: unknown) => never
        this.query = (config: string | QueryConfig, values?: unknown) =>
          typeof config === 'string' ? query(config, values) : query({ ...config, name: undefined })
      }
    }
    this.#pool = new driver.Pool({
      Client: HostClient as unknown as new () => PoolClient,
      max: poolSize,
      connectionTimeoutMillis: POOL_WAIT_MS,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      onConnect: assertWritable,
      allowExitOnIdle: true,
    })
    // An idle connection that ends is replaced when one is needed.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => void this.#connectedAt.set(client, performance.now()))
  }

  /** Replaces connections instead of handing them out again: one has led nowhere, so that the others may as well. */
  distrustConnections(): void {
    this.#trustedSince = performance.now()
    void this.notifications.checkListener()
  }

  /** A connection, which the caller releases. @throws StorageFault where none can be had */
  async acquire(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await this.#pool.connect()
        if ((this.#connectedAt.get(client) ?? 0) < this.#trustedSince) {
          client.release(true)
          continue
        }
        this.#unreachableSince = undefined
        return client
      } catch (error) {
        if (!isWorthRetrying(error)) throw translateError(error)
        this.#host = (this.#host + 1) % this.#configs.length
        const now = performance.now()
        this.#unreachableSince ??= now
        if (now - this.#unreachableSince > UNREACHABLE_WAIT_MS) throw unreachable(error)
        if (attempt % this.#configs.length === 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /** Runs statements that belong to no space, on a connection by itself. */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.acquire()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw translateError(error)
    }
  }

  /** A connection outside of the pool, which takes several statements at once. */
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

  /** Ends all connections, those that lead nowhere after {@link CLOSE_TIMEOUT_MS}. */
  async close(): Promise<void> {
    const ending = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, CLOSE_TIMEOUT_MS)
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

/** A standby is not written to; while it is promoted it becomes the one that is. */
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

/** `bigint`, and the `numeric` that sums of it are, as numbers: none of ours is beyond what a number holds. */
function typeParsers({ types }: Driver): (oid: number, format?: 'text' | 'binary') => (value: string) => unknown {
  const { INT8, NUMERIC } = types.builtins
  return (oid, format) =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : (types.getTypeParser(oid, format as 'text') as (value: string) => unknown)
}

/** A database that is open in this process, and how many have it. */
interface OpenDatabase {
  opening: Promise<Database>
  users: number
}

const openDatabases = new Map<string, OpenDatabase>()

/**
 * The database of an address, checked and migrated when it is first used. Give it back with {@link releaseDatabase}.
 *
 * @throws VALIDATION_ERROR for a database, or a role, that cannot be used; StorageFault for one that cannot be reached
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
    await migrate(client)
  } catch (error) {
    throw translateError(error)
  } finally {
    await client.end()
  }
  return database
}

/** Closes a database once it was released as often as it was used. */
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
