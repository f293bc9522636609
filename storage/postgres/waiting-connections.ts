/**
 * Finds connections that are dead. A connection does not report that the machine behind it is gone, or that a firewall
 * has dropped it: its statements are just never answered. The database knows whether it is working on one.
 */
import type { Client } from 'pg'
import { quickQuery } from './quick-query.ts'

/** Milliseconds without an answer after which the database is asked about a connection, and between later questions. */
const ANSWER_MS = 3_000
const NEXT_ANSWER_MS = 15_000
const CHECK_MS = 1_000

/** A connection of this process. */
export interface WatchedConnection {
  /** The number of the backend behind it. */
  readonly backend: number
  /** The time of the last answer, in terms of performance.now(), while an answer is due. */
  readonly waitingSince: number | undefined
  /** Ends the connection. All of its statements fail. */
  break(): void
}

// The names of the connections of this process are the same, and differ from those of others.
const OWN = "pid = ANY($1::int[]) AND application_name = current_setting('application_name')"
const ACTIVE = `SELECT pid FROM pg_stat_activity WHERE ${OWN} AND state = 'active'`
// Frees the locks at once, instead of when the database notices the loss.
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OWN}`

export class WaitingConnections {
  readonly #suspect: (error: Error) => void
  readonly #connections = new Set<WatchedConnection>()
  /** When the database was last asked about a connection. */
  readonly #askedAt = new WeakMap<WatchedConnection, number>()
  readonly #timer: NodeJS.Timeout

  /** @param suspect  called if a connection has waited for long; it should lead to {@link breakDead} */
  constructor(suspect: (error: Error) => void) {
    this.#suspect = suspect
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
  }

  add(connection: WatchedConnection): void {
    this.#connections.add(connection)
  }

  delete(connection: WatchedConnection): void {
    this.#connections.delete(connection)
  }

  /** Ends those that wait although the database is not working on them. @param client  a new connection */
  async breakDead(client: Client): Promise<void> {
    const waiting = this.#listWaiting().map((connection) => ({ connection, since: connection.waitingSince }))
    if (waiting.length === 0) return
    const now = performance.now()
    for (const { connection } of waiting) this.#askedAt.set(connection, now)
    const backends = waiting.map(({ connection }) => connection.backend)
    const { rows } = await client.query<{ pid: number }>(quickQuery({ text: ACTIVE, values: [backends] }))
    const active = new Set(rows.map(({ pid }) => pid))
    // One that got an answer in the meantime is alive.
    const dead = waiting.filter(
      ({ connection, since }) => connection.waitingSince === since && !active.has(connection.backend),
    )
    for (const { connection } of dead) connection.break()
    const left = dead.map(({ connection }) => connection.backend)
    if (left.length > 0) await client.query(quickQuery({ text: TERMINATE, values: [left] }))
  }

  /** Ends all that wait, since the database cannot be reached. */
  breakAll(): void {
    for (const connection of this.#listWaiting()) connection.break()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #listWaiting(): WatchedConnection[] {
    const now = performance.now()
    return [...this.#connections].filter(
      ({ waitingSince }) => waitingSince !== undefined && now - waitingSince >= ANSWER_MS,
    )
  }

  #check(): void {
    const now = performance.now()
    const isDue = (one: WatchedConnection) => now - (this.#askedAt.get(one) ?? -Infinity) >= NEXT_ANSWER_MS
    if (this.#listWaiting().some(isDue)) this.#suspect(new Error('Connection terminated: it does not answer'))
  }
}
