/**
 * Notifies the processes of a database of the spaces that have changed. One connection of each process listens. After a
 * COMMIT, a process notifies the others, at most once in {@link PAUSE_MS}: NOTIFY inside of transactions would
 * serialize those of all spaces. A poll every {@link POLL_MS} finds changes whose notification was missed.
 */
import type { Client, PoolClient } from 'pg'
import { inBackground } from '../../src/base/background.ts'
import { quickQuery } from './quick-query.ts'

const CHANNEL = 'scriptorium_changes'
const PAUSE_MS = 50
const POLL_MS = 30_000
/** The interval of polls if notifications do not arrive. */
const POOLED_POLL_MS = 1_000
/** Milliseconds until a failed attempt to listen or notify is repeated. */
const RECONNECT_MS = 250
/** Milliseconds within which the listening connection must answer. After that, it counts as broken. */
const ANSWER_MS = 2_000
/** Maximum number of spaces that one notification names: its payload must be shorter than 8,000 bytes. */
const SPACES_PER_NOTIFICATION = 400

const CHANGE_NUMBERS = 'SELECT space, value FROM tenant WHERE space = ANY($1::bigint[])'

type Check = () => Promise<void>

/** The part of a database that provides connections. */
interface Connections {
  /** True if notifications do not arrive. */
  readonly isPooled: boolean
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  connectAlone(): Promise<Client>
}

export class ChangeNotifications {
  readonly #database: Connections
  readonly #checks = new Map<number, Set<Check>>()
  /** The number of the last change seen in each space. */
  readonly #seen = new Map<number, number>()
  #changed = new Set<number>()
  #pausing: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #listener: Client | undefined
  #isListening = false
  #isClosed = false

  constructor(database: Connections) {
    this.#database = database
  }

  /** Notifies all processes, including this one, that a space has changed. */
  notifyChanged(space: number): void {
    this.#changed.add(space)
    if (this.#pausing === undefined && !this.#isClosed) this.#send()
  }

  /** Calls `check` whenever a space may have changed. @returns a function that stops these calls */
  watch(space: number, check: Check): () => void {
    const checks = this.#checks.get(space) ?? new Set()
    checks.add(check)
    this.#checks.set(space, checks)
    this.#listenInBackground()
    this.#polling ??= setInterval(
      () => {
        inBackground('look for changes', () => this.#poll())
        this.checkListener()
      },
      this.#database.isPooled ? POOLED_POLL_MS : POLL_MS,
    ).unref()
    return () => {
      checks.delete(check)
      if (checks.size === 0) this.#checks.delete(space)
    }
  }

  /**
   * Replaces the listening connection if it is broken: a connection does not report that the machine behind it is gone.
   */
  checkListener(): void {
    const client = this.#listener
    inBackground('check the connection that listens for changes', () =>
      // When the connection ends, #listen opens another.
      client?.query(quickQuery({ text: 'SELECT 1' }, ANSWER_MS)).catch(() => client.end().catch(() => {})),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#pausing)
    clearTimeout(this.#reconnecting)
    clearInterval(this.#polling)
    if (this.#changed.size > 0) await this.#notify()
    await this.#listener?.end().catch(() => {})
  }

  #send(): void {
    inBackground('notify others of changes', () => this.#notify())
    this.#sendAfter(PAUSE_MS)
  }

  #sendAfter(milliseconds: number): void {
    this.#pausing ??= setTimeout(() => {
      this.#pausing = undefined
      if (this.#changed.size > 0) this.#send()
    }, milliseconds).unref()
  }

  async #notify(): Promise<void> {
    const spaces = [...this.#changed]
    this.#changed = new Set()
    try {
      await this.#database.withClient(async (client) => {
        for (let from = 0; from < spaces.length; from += SPACES_PER_NOTIFICATION) {
          const named = spaces.slice(from, from + SPACES_PER_NOTIFICATION).join(',')
          await client.query(
            quickQuery({ name: 'notify', text: `SELECT pg_notify('${CHANNEL}', $1)`, values: [named] }),
          )
        }
      })
    } catch {
      // For example, all connections are taken. The other processes would find the change by polling, but only much
      // later.
      if (this.#isClosed) return
      for (const space of spaces) this.#changed.add(space)
      this.#sendAfter(RECONNECT_MS)
    }
  }

  #listenInBackground(): void {
    inBackground('listen for changes', () => this.#listen())
  }

  async #listen(): Promise<void> {
    if (this.#isListening || this.#isClosed) return
    this.#isListening = true
    let client: Client | undefined
    try {
      client = await this.#database.connectAlone()
      this.#listener = client
      client.on('notification', ({ payload = '' }) => {
        for (const space of payload.split(',')) this.#check(Number(space))
      })
      client.once('end', () => this.#listenLater())
      await client.query(quickQuery({ text: `LISTEN ${CHANNEL}` }))
      // Finds changes from before this connection listened.
      await this.#poll()
    } catch {
      if (client === undefined) this.#listenLater()
      else await client.end().catch(() => {})
    }
  }

  #listenLater(): void {
    this.#listener = undefined
    this.#isListening = false
    if (this.#isClosed) return
    clearTimeout(this.#reconnecting)
    this.#reconnecting = setTimeout(() => this.#listenInBackground(), RECONNECT_MS).unref()
  }

  /** Checks which of the watched spaces have changed. */
  async #poll(): Promise<void> {
    const spaces = [...this.#checks.keys()]
    if (spaces.length === 0) return
    try {
      const { rows } = await this.#database.withClient((client) =>
        client.query<{ space: number; value: number }>(quickQuery({ text: CHANGE_NUMBERS, values: [spaces] })),
      )
      for (const { space, value } of rows) {
        if (this.#seen.get(space) !== value) this.#check(space)
        this.#seen.set(space, value)
      }
    } catch {
      // The next poll tries again.
    }
  }

  #check(space: number): void {
    for (const check of this.#checks.get(space) ?? []) inBackground('look for changes', check)
  }
}
