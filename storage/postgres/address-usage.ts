/**
 * Counts the requests of each client address, in rows that all processes share. The time is the database's, so that
 * processes whose clocks differ have the same windows.
 */
import type { AddressCount, AddressUsage } from '../usage.ts'
import type { Database } from './database.ts'

const NOW = '(floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)'
// Does not wait for the disk: if the database's machine stops, only a few seconds of counts are lost.
const NOT_WAITED_FOR = `set_config('synchronous_commit', 'off', true)`

// A window may have begun after this statement started, while the statement waited for the row.
const IS_ACTIVE = 'abs(address_usage.start - excluded.start) < $4::bigint'
const COUNT = `WITH moment AS MATERIALIZED (SELECT ${NOW} AS now, ${NOT_WAITED_FOR} AS setting), counted AS (
    INSERT INTO address_usage (address, start, used)
    SELECT $1::text, now, $2::bigint FROM moment WHERE $2::bigint <= $3::bigint
    ON CONFLICT (address) DO UPDATE SET
      start = CASE WHEN ${IS_ACTIVE} THEN address_usage.start ELSE excluded.start END,
      used = CASE WHEN ${IS_ACTIVE} THEN address_usage.used ELSE 0 END + excluded.used
    WHERE NOT (${IS_ACTIVE}) OR address_usage.used + excluded.used <= $3::bigint
    RETURNING start, used
  )
  SELECT start, used, now, true AS is_counted FROM counted, moment
  UNION ALL
  SELECT coalesce(start, now), coalesce(used, 0), now, false
  FROM moment LEFT JOIN address_usage ON address = $1::text WHERE NOT EXISTS (SELECT 1 FROM counted)`
const TAKE_BACK = `UPDATE address_usage SET used = used - $2
  WHERE address = $1 AND start = $3 AND ${NOT_WAITED_FOR} = 'off'`
// Skips rows that other processes have locked: waiting for them in a different order could be a deadlock.
const FORGET = `WITH setting AS MATERIALIZED (SELECT ${NOT_WAITED_FOR} AS setting)
  DELETE FROM address_usage WHERE address IN (
    SELECT address FROM address_usage, setting WHERE start <= ${NOW} - $1::bigint
    FOR UPDATE OF address_usage SKIP LOCKED
  )`

/** What a client requests. The pages for people have separate limits. */
export type AddressScope = 'agents' | 'pages'

export class DatabaseAddressUsage implements AddressUsage {
  readonly #database: Database
  readonly #scope: AddressScope
  /** When expired windows were last deleted, as a time of performance.now(). */
  #forgottenAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, scope: AddressScope = 'agents') {
    this.#database = database
    this.#scope = scope
  }

  async count(address: string, requests: number, limit: number, windowMs: number): Promise<AddressCount> {
    await this.#forgetOver(windowMs)
    const values = [this.#keyOf(address), requests, limit, windowMs]
    // If the connection is lost after it counted, the request may count twice.
    const { rows } = await this.#database.repeatWithClient((client) =>
      client.query<{ start: number; used: number; now: number; is_counted: boolean }>({
        name: 'count_address',
        text: COUNT,
        values,
      }),
    )
    const [row] = rows
    if (row === undefined) throw new Error('Expected the count of an address, found none.')
    const { start, used, now, is_counted: isCounted } = row
    return { isCounted, window: { start, used }, remainingMs: start + windowMs - now }
  }

  async refund(address: string, requests: number, start: number): Promise<void> {
    const values = [this.#keyOf(address), requests, start]
    await this.#try({ name: 'take_back_address', text: TAKE_BACK, values })
  }

  /** The key of an address in this scope. Keys of two scopes never collide, since no address contains a space. */
  #keyOf(address: string): string {
    return this.#scope === 'agents' ? address : `${this.#scope} ${address}`
  }

  async #forgetOver(windowMs: number): Promise<void> {
    const now = performance.now()
    if (now - this.#forgottenAt < windowMs) return
    this.#forgottenAt = now
    await this.#try({ name: 'forget_addresses', text: FORGET, values: [windowMs] })
  }

  /** Runs a statement and ignores errors, since its failure is no reason to refuse a request. */
  async #try(query: { name: string; text: string; values: unknown[] }): Promise<void> {
    await this.#database.withClient((client) => client.query(query)).catch(() => {})
  }
}
