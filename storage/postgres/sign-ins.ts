/**
 * Stores the sign-in data of a space's issuer in rows of the space. It is not content, so no watcher is notified of it.
 */
import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { KNOWN_ADDRESS_LIMITS, MAX_FAILURE_COUNTERS } from '../../src/base/limits.ts'
import type { IssuedRecord, PendingOwner, SignInPayload, SignIns } from '../sign-ins.ts'
import type { Database } from './database.ts'
import { SPACE_SETTING } from './migrations/define-table.ts'

interface Row {
  payload: string
  consumed_at: number | null
  successor: string | null
}

const FIND = 'SELECT payload, consumed_at, successor FROM issued WHERE model = $1'
const NOT_EXPIRED = '(expires_at IS NULL OR expires_at > $3::bigint)'
const SAVE = `INSERT INTO issued (model, id, payload, grant_id, uid, expires_at, pending_from)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (space, model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
    uid = excluded.uid, expires_at = coalesce(excluded.expires_at, issued.expires_at)`
// Deletes as many as exceed the limit, since several processes may have added one each.
const DROP_OF_ADDRESS = `DELETE FROM issued WHERE model = $1 AND id IN (
  SELECT id FROM issued WHERE model = $1 AND pending_from = $2 AND id <> $3 ORDER BY expires_at, id
  LIMIT greatest(0, (SELECT count(*) FROM issued WHERE model = $1 AND pending_from = $2) - $4::bigint))`
const DROP_OF_ALL = `DELETE FROM issued WHERE model = $1 AND id IN (
  SELECT id FROM (
    SELECT id, expires_at, count(*) OVER (PARTITION BY pending_from) AS held
    FROM issued WHERE model = $1 AND pending_from IS NOT NULL) AS pending
  WHERE id <> $2 ORDER BY held DESC, expires_at, id
  LIMIT greatest(0, (SELECT count(*) FROM issued WHERE model = $1 AND pending_from IS NOT NULL) - $3::bigint))`
// A window that ends later than any new one could was started by a clock that was ahead. It must lock no one out.
const IS_RUNNING = 'known.ends_at > $2::bigint AND known.ends_at <= $2::bigint + 2 * $3::bigint'
const COUNT = `INSERT INTO counted AS known (key, count, ends_at) VALUES ($1, 1, $2::bigint + $3::bigint)
  ON CONFLICT (space, key) DO UPDATE SET
    count = CASE WHEN ${IS_RUNNING} THEN known.count + 1 ELSE 1 END,
    ends_at = CASE WHEN ${IS_RUNNING} THEN known.ends_at ELSE excluded.ends_at END
  RETURNING count, ends_at`
const DROP_COUNTS = `DELETE FROM counted WHERE key IN (
  SELECT key FROM counted ORDER BY ends_at, key
  LIMIT greatest(0, (SELECT count(*) FROM counted) - ${MAX_FAILURE_COUNTERS}))`
const DROP_KNOWN = `DELETE FROM known_address WHERE seen_at <= $2 OR (account = $1 AND address NOT IN (
  SELECT address FROM known_address WHERE account = $1
  ORDER BY seen_at DESC, address LIMIT ${KNOWN_ADDRESS_LIMITS.each}))`

type Run = <T extends object>(text: string, ...values: unknown[]) => Promise<T[]>

export class DatabaseSignIns implements SignIns {
  readonly #database: Database
  readonly #space: number

  constructor(database: Database, space: number) {
    this.#database = database
    this.#space = space
  }

  find(model: string, id: string, now: number): Promise<IssuedRecord | undefined> {
    return this.#find(`${FIND} AND id = $2 AND ${NOT_EXPIRED}`, model, id, now)
  }

  findByUid(model: string, uid: string, now: number): Promise<IssuedRecord | undefined> {
    return this.#find(`${FIND} AND uid = $2 AND ${NOT_EXPIRED}`, model, uid, now)
  }

  async #find(text: string, model: string, id: string, now: number): Promise<IssuedRecord | undefined> {
    // PostgreSQL stores no NUL in texts, so nothing was saved under such an ID.
    if (id.includes('\0')) return undefined
    const [row] = await this.#transaction((run) => run<Row>(text, model, id, now))
    return row && toIssuedRecord(row)
  }

  save(
    model: string,
    id: string,
    payload: SignInPayload,
    expiresAt: number | undefined,
    now: number,
    pending?: PendingOwner,
  ): Promise<void> {
    const { grantId = null, uid = null } = payload
    const from = pending === undefined ? null : hashText(pending.from)
    return this.#transaction(async (run) => {
      await run('DELETE FROM issued WHERE expires_at <= $1', now)
      await run(SAVE, model, id, JSON.stringify(payload), grantId, uid, expiresAt ?? null, from)
      if (pending === undefined) return
      const { most } = pending
      await run(DROP_OF_ADDRESS, model, from, id, most.address)
      await run(DROP_OF_ALL, model, id, most.all)
    })
  }

  async consume(model: string, id: string, now: number): Promise<boolean> {
    const text =
      'UPDATE issued SET consumed_at = $3 WHERE model = $1 AND id = $2 AND consumed_at IS NULL RETURNING 1 AS one'
    return (await this.#transaction((run) => run(text, model, id, now))).length > 0
  }

  async addSuccessor(model: string, id: string, successor: string): Promise<string | undefined> {
    const text = `UPDATE issued SET successor = coalesce(successor, $3) WHERE model = $1 AND id = $2 RETURNING successor`
    const [row] = await this.#transaction((run) => run<{ successor: string }>(text, model, id, successor))
    return row?.successor
  }

  async delete(model: string, id: string): Promise<void> {
    await this.#transaction((run) => run('DELETE FROM issued WHERE model = $1 AND id = $2', model, id))
  }

  async deleteByGrant(model: string, grantId: string): Promise<void> {
    await this.#transaction((run) => run('DELETE FROM issued WHERE model = $1 AND grant_id = $2', model, grantId))
  }

  async persist(model: string, id: string): Promise<void> {
    const text = 'UPDATE issued SET expires_at = NULL, pending_from = NULL WHERE model = $1 AND id = $2'
    await this.#transaction((run) => run(text, model, id))
  }

  async secret(name: string, make: () => string): Promise<string> {
    const read = 'SELECT value FROM issuer_secret WHERE name = $1'
    const [existing] = await this.#transaction((run) => run<{ value: string }>(read, name))
    if (existing !== undefined) return existing.value
    const add = 'INSERT INTO issuer_secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    const [stored] = await this.#transaction(async (run) => {
      await run(add, name, make())
      return run<{ value: string }>(read, name)
    })
    return stored?.value ?? ''
  }

  async count(key: string, window: number, now: number): Promise<{ count: number; endsAt: number }> {
    const [row] = await this.#transaction(async (run) => {
      await run('DELETE FROM counted WHERE ends_at <= $1', now)
      const counted = await run<{ count: number; ends_at: number }>(COUNT, hashText(key), now, window)
      await run(DROP_COUNTS)
      return counted
    })
    return { count: row?.count ?? 0, endsAt: row?.ends_at ?? now }
  }

  async uncount(key: string): Promise<void> {
    const text = 'UPDATE counted SET count = count - 1 WHERE key = $1 AND count > 0'
    await this.#transaction((run) => run(text, hashText(key)))
  }

  async isKnownAddress(account: string, address: string, now: number): Promise<boolean> {
    const text = 'SELECT 1 AS one FROM known_address WHERE account = $1 AND address = $2 AND seen_at > $3'
    const since = now - KNOWN_ADDRESS_LIMITS.seconds
    return (await this.#transaction((run) => run(text, hashText(account), hashText(address), since))).length > 0
  }

  async addKnownAddress(account: string, address: string, now: number): Promise<void> {
    const add = `INSERT INTO known_address (account, address, seen_at) VALUES ($1, $2, $3)
      ON CONFLICT (space, account, address) DO UPDATE SET seen_at = excluded.seen_at`
    await this.#transaction(async (run) => {
      await run(add, hashText(account), hashText(address), now)
      await run(DROP_KNOWN, hashText(account), now - KNOWN_ADDRESS_LIMITS.seconds)
    })
  }

  close(): void {}

  /** Runs the statements of `work` in one transaction. */
  #transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#database.withClient(async (client: PoolClient) => {
      await client.query('BEGIN')
      await client.query(`SELECT set_config('${SPACE_SETTING}', $1, true)`, [this.#space])
      const result = await work(async (text, ...values) => (await client.query(text, values)).rows)
      await client.query('COMMIT')
      return result
    })
  }
}

const toIssuedRecord = ({ payload, consumed_at, successor }: Row): IssuedRecord => ({
  payload: JSON.parse(payload),
  ...(consumed_at !== null && { consumedAt: consumed_at }),
  ...(successor !== null && { successor }),
})

/** A hash of fixed length, however long the text is. */
const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')
