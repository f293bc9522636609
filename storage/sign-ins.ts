/**
 * What the issuer of a space keeps: codes, tokens, sessions, programs that registered, its keys, and wrong passwords.
 * A small database beside the space's file, since none of it is the space's own, and copies of a space are given away.
 */
import type { Database } from 'better-sqlite3'
import { ScriptoriumError } from '../src/errors.ts'
import { openPrivate } from './private-files.ts'

/** What was issued: an object of JSON, as the issuer made it. */
export type Payload = Record<string, unknown>

export interface Issued {
  payload: Payload
  /** When it was used, seconds since 1970. */
  consumedAt?: number
}

/** All times are seconds since 1970. */
export interface SignIns {
  find(model: string, id: string, now: number): Issued | undefined
  findByUid(model: string, uid: string, now: number): Issued | undefined
  /** @param expiresAt  none for what stays */
  save(model: string, id: string, payload: Payload, expiresAt: number | undefined, now: number): void
  consume(model: string, id: string, now: number): void
  delete(model: string, id: string): void
  deleteOfGrant(model: string, grantId: string): void
  /** From now on it stays. */
  keep(model: string, id: string): void
  /** A secret that is made once, whichever process needs it first. */
  secret(name: string, make: () => string): string
  /** Counts one more of what `key` names within a window that begins with the first, and says how many there were. */
  count(key: string, window: number, now: number): { count: number; endsAt: number }
  forget(key: string): void
  close(): void
}

/** `application_id`: "ScrS" in ASCII. */
const APPLICATION_ID = 0x53637253
const VERSION = 1
/** Milliseconds to wait for another process. */
const BUSY_WAIT = 5_000

const TABLES = `
CREATE TABLE issued (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  grant_id TEXT,
  uid TEXT,
  expires_at INTEGER,
  consumed_at INTEGER,
  PRIMARY KEY (model, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issued_grant ON issued (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX issued_uid ON issued (uid) WHERE uid IS NOT NULL;
CREATE INDEX issued_expiry ON issued (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE counted (key TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** @throws VALIDATION_ERROR for a file of another program */
export function openSignIns(file: string): SignIns {
  // Whoever reads it could sign tokens.
  const sqlite = openPrivate(file, { timeout: BUSY_WAIT })
  try {
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('trusted_schema = 0')
    sqlite.transaction(() => recognise(sqlite, file)).immediate()
    return signInsOf(sqlite)
  } catch (error) {
    sqlite.close()
    if (error instanceof ScriptoriumError) throw error
    throw unusable(file, error instanceof Error ? error.message : String(error))
  }
}

function recognise(sqlite: Database, file: string): void {
  const application = sqlite.pragma('application_id', { simple: true })
  const version = sqlite.pragma('user_version', { simple: true })
  if (application === APPLICATION_ID && version === VERSION) return
  const { tables } = sqlite.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  if (application !== 0 || tables > 0) throw unusable(file, 'it is of another program, or of another version')
  sqlite.exec(TABLES)
  sqlite.pragma(`application_id = ${APPLICATION_ID}`)
  sqlite.pragma(`user_version = ${VERSION}`)
}

const unusable = (file: string, why: string): ScriptoriumError =>
  new ScriptoriumError(
    'VALIDATION_ERROR',
    `Expected what those who sign in need in ${file}, found that it cannot be used: ${why}; move it away, and they sign in again.`,
  )

interface Row {
  payload: string
  consumed_at: number | null
}

const issuedOf = (row: Row | undefined): Issued | undefined =>
  row && {
    payload: JSON.parse(row.payload),
    ...(row.consumed_at !== null && { consumedAt: row.consumed_at }),
  }

function signInsOf(sqlite: Database): SignIns {
  const STANDS = '(expires_at IS NULL OR expires_at > :now)'
  const find = sqlite.prepare<object, Row>(
    `SELECT payload, consumed_at FROM issued WHERE model = :model AND id = :id AND ${STANDS}`,
  )
  const findByUid = sqlite.prepare<object, Row>(
    `SELECT payload, consumed_at FROM issued WHERE model = :model AND uid = :uid AND ${STANDS}`,
  )
  const save = sqlite.prepare(`
    INSERT INTO issued (model, id, payload, grant_id, uid, expires_at)
    VALUES (:model, :id, :payload, :grantId, :uid, :expiresAt)
    ON CONFLICT (model, id) DO UPDATE SET
      payload = :payload, grant_id = :grantId, uid = :uid, expires_at = coalesce(:expiresAt, expires_at)`)
  const deleteExpired = sqlite.prepare('DELETE FROM issued WHERE expires_at <= ?')
  const consume = sqlite.prepare(
    'UPDATE issued SET consumed_at = :now WHERE model = :model AND id = :id AND consumed_at IS NULL',
  )
  const remove = sqlite.prepare('DELETE FROM issued WHERE model = ? AND id = ?')
  const removeOfGrant = sqlite.prepare('DELETE FROM issued WHERE model = ? AND grant_id = ?')
  const keep = sqlite.prepare('UPDATE issued SET expires_at = NULL WHERE model = ? AND id = ?')
  const readSecret = sqlite.prepare<[string], string>('SELECT value FROM secret WHERE name = ?').pluck()
  const addSecret = sqlite.prepare('INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const readCount = sqlite.prepare<[string, number], { count: number; endsAt: number }>(
    'SELECT count, ends_at AS endsAt FROM counted WHERE key = ? AND ends_at > ?',
  )
  const addCount = sqlite.prepare(`
    INSERT INTO counted (key, count, ends_at) VALUES (:key, 1, :endsAt)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ends_at > :now THEN count + 1 ELSE 1 END,
      ends_at = CASE WHEN ends_at > :now THEN ends_at ELSE :endsAt END`)
  const removeCounts = sqlite.prepare('DELETE FROM counted WHERE key = ? OR ends_at <= ?')
  const counted = (key: string, now: number) => readCount.get(key, now) ?? { count: 0, endsAt: now }
  return {
    find: (model, id, now) => issuedOf(find.get({ model, id, now })),
    findByUid: (model, uid, now) => issuedOf(findByUid.get({ model, uid, now })),
    save: sqlite.transaction(
      (model: string, id: string, payload: Payload, expiresAt: number | undefined, now: number) => {
        deleteExpired.run(now)
        const { grantId = null, uid = null } = payload
        save.run({ model, id, payload: JSON.stringify(payload), grantId, uid, expiresAt: expiresAt ?? null })
      },
    ).immediate,
    consume: (model, id, now) => void consume.run({ model, id, now }),
    delete: (model, id) => void remove.run(model, id),
    deleteOfGrant: (model, grantId) => void removeOfGrant.run(model, grantId),
    keep: (model, id) => void keep.run(model, id),
    secret(name, make) {
      const known = readSecret.get(name)
      if (known !== undefined) return known
      addSecret.run(name, make())
      return readSecret.get(name) ?? ''
    },
    count: sqlite.transaction((key: string, window: number, now: number) => {
      addCount.run({ key, now, endsAt: now + window })
      return counted(key, now)
    }).immediate,
    forget: (key) => void removeCounts.run(key, 0),
    close: () => void sqlite.close(),
  }
}
