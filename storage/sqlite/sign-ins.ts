/**
 * Stores the data of a space's sign-in issuer: codes, tokens, sessions, registered programs, its keys, and counts of
 * wrong passwords. It is a small database next to the space's file, since none of it belongs to the space's content,
 * and people share copies of a space with others.
 */
import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { messageOf, ScriptoriumError } from '../../src/base/errors.ts'
import { KNOWN_ADDRESS_LIMITS, MAX_FAILURE_COUNTERS } from '../../src/base/limits.ts'
import type { IssuedRecord, PendingOwner, SignInPayload, SignIns } from '../sign-ins.ts'
import { openPrivateDatabase } from './private-files.ts'

/** `application_id`: "ScrS" in ASCII. */
const APPLICATION_ID = 0x53637253
const VERSION = 2
/** Milliseconds to wait for a lock of another process. */
const BUSY_TIMEOUT_MS = 5_000

/** Schema steps, one per version. A new file gets all of them. */
const SCHEMA_STEPS = [
  `
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
`,
  // Version 1 stored counts under names as clients sent them, of any length.
  `
DELETE FROM counted;
CREATE INDEX counted_end ON counted (ends_at);
ALTER TABLE issued ADD COLUMN successor TEXT;
ALTER TABLE issued ADD COLUMN pending_from TEXT;
CREATE INDEX issued_pending ON issued (model, pending_from, expires_at) WHERE pending_from IS NOT NULL;
CREATE TABLE known_address (
  account TEXT NOT NULL,
  address TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (account, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_address_seen ON known_address (seen_at);
`,
]

/** @throws VALIDATION_ERROR for a file of another program */
export function openSignIns(file: string): SignIns {
  // Private, since anyone who reads it could sign tokens.
  const sqlite = openPrivateDatabase(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('trusted_schema = 0')
    sqlite.transaction(() => assertOwnFile(sqlite, file)).immediate()
    return createSignIns(sqlite)
  } catch (error) {
    sqlite.close()
    if (error instanceof ScriptoriumError) throw error
    throw unusableSignIns(file, messageOf(error))
  }
}

function assertOwnFile(sqlite: Database, file: string): void {
  const application = sqlite.pragma('application_id', { simple: true })
  const version = Number(sqlite.pragma('user_version', { simple: true }))
  if (application === APPLICATION_ID && version === VERSION) return
  const { tables } = sqlite.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number }
  const isOurs = application === APPLICATION_ID && version > 0 && version < VERSION
  if (!isOurs && (application !== 0 || tables > 0)) {
    throw unusableSignIns(file, 'it is of another program, or of another version')
  }
  for (const step of SCHEMA_STEPS.slice(isOurs ? version : 0)) sqlite.exec(step)
  sqlite.pragma(`application_id = ${APPLICATION_ID}`)
  sqlite.pragma(`user_version = ${VERSION}`)
}

const unusableSignIns = (file: string, why: string): ScriptoriumError =>
  new ScriptoriumError(
    'VALIDATION_ERROR',
    `Expected the sign-in data in ${file}, found that it cannot be used: ${why}; move the file away, after which everybody has to sign in again.`,
  )

interface Row {
  payload: string
  consumed_at: number | null
  successor: string | null
}

const toIssuedRecord = (row: Row | undefined): IssuedRecord | undefined =>
  row && {
    payload: JSON.parse(row.payload),
    ...(row.consumed_at !== null && { consumedAt: row.consumed_at }),
    ...(row.successor !== null && { successor: row.successor }),
  }

/** A hash of fixed length, however long the text is. */
const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')

function createSignIns(sqlite: Database): SignIns {
  const NOT_EXPIRED = '(expires_at IS NULL OR expires_at > :now)'
  const find = sqlite.prepare<object, Row>(
    `SELECT payload, consumed_at, successor FROM issued WHERE model = :model AND id = :id AND ${NOT_EXPIRED}`,
  )
  const findByUid = sqlite.prepare<object, Row>(
    `SELECT payload, consumed_at, successor FROM issued WHERE model = :model AND uid = :uid AND ${NOT_EXPIRED}`,
  )
  const save = sqlite.prepare(`
    INSERT INTO issued (model, id, payload, grant_id, uid, expires_at, pending_from)
    VALUES (:model, :id, :payload, :grantId, :uid, :expiresAt, :from)
    ON CONFLICT (model, id) DO UPDATE SET
      payload = :payload, grant_id = :grantId, uid = :uid, expires_at = coalesce(:expiresAt, expires_at)`)
  const deleteExpired = sqlite.prepare('DELETE FROM issued WHERE expires_at <= ?')
  const consume = sqlite.prepare(
    'UPDATE issued SET consumed_at = :now WHERE model = :model AND id = :id AND consumed_at IS NULL',
  )
  const addSuccessor = sqlite
    .prepare<object, string>(`
      UPDATE issued SET successor = coalesce(successor, :successor) WHERE model = :model AND id = :id
      RETURNING successor`)
    .pluck()
  const remove = sqlite.prepare('DELETE FROM issued WHERE model = ? AND id = ?')
  const removeOfGrant = sqlite.prepare('DELETE FROM issued WHERE model = ? AND grant_id = ?')
  const keepIssued = sqlite.prepare(
    'UPDATE issued SET expires_at = NULL, pending_from = NULL WHERE model = ? AND id = ?',
  )
  const countPending = sqlite.prepare<object, { ofAddress: number; ofAll: number }>(`
    SELECT count(*) AS ofAll, count(*) FILTER (WHERE pending_from = :from) AS ofAddress
    FROM issued WHERE model = :model AND pending_from IS NOT NULL`)
  const dropOfAddress = sqlite.prepare(`
    DELETE FROM issued WHERE model = :model AND id = (
      SELECT id FROM issued WHERE model = :model AND pending_from = :from AND id <> :id ORDER BY expires_at, id LIMIT 1)`)
  const dropOfAll = sqlite.prepare(`
    DELETE FROM issued WHERE model = :model AND id = (
      SELECT id FROM (
        SELECT id, expires_at, count(*) OVER (PARTITION BY pending_from) AS held
        FROM issued WHERE model = :model AND pending_from IS NOT NULL)
      WHERE id <> :id ORDER BY held DESC, expires_at, id LIMIT 1)`)
  const readSecret = sqlite.prepare<[string], string>('SELECT value FROM secret WHERE name = ?').pluck()
  const addSecret = sqlite.prepare('INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const readCount = sqlite.prepare<[string, number], { count: number; endsAt: number }>(
    'SELECT count, ends_at AS endsAt FROM counted WHERE key = ? AND ends_at > ?',
  )
  // A window that ends later than any new one could was started by a clock that was ahead. It must lock no one out.
  const addCount = sqlite.prepare(`
    INSERT INTO counted (key, count, ends_at) VALUES (:key, 1, :now + :window)
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ends_at > :now AND ends_at <= :now + 2 * :window THEN count + 1 ELSE 1 END,
      ends_at = CASE WHEN ends_at > :now AND ends_at <= :now + 2 * :window THEN ends_at ELSE :now + :window END`)
  const uncount = sqlite.prepare('UPDATE counted SET count = count - 1 WHERE key = ? AND count > 0')
  const deleteEndedCounts = sqlite.prepare('DELETE FROM counted WHERE ends_at <= ?')
  const dropCounts = sqlite.prepare(`
    DELETE FROM counted WHERE key IN (
      SELECT key FROM counted ORDER BY ends_at, key
      LIMIT max(0, (SELECT count(*) FROM counted) - ${MAX_FAILURE_COUNTERS}))`)
  const isKnown = sqlite
    .prepare('SELECT 1 FROM known_address WHERE account = ? AND address = ? AND seen_at > ?')
    .pluck()
  const addKnown = sqlite.prepare(`
    INSERT INTO known_address (account, address, seen_at) VALUES (:account, :address, :now)
    ON CONFLICT (account, address) DO UPDATE SET seen_at = :now`)
  const dropKnown = sqlite.prepare(`
    DELETE FROM known_address WHERE seen_at <= :ended OR (account = :account AND address NOT IN (
      SELECT address FROM known_address WHERE account = :account
      ORDER BY seen_at DESC, address LIMIT ${KNOWN_ADDRESS_LIMITS.each}))`)
  const saveOne = sqlite.transaction(
    (
      model: string,
      id: string,
      payload: SignInPayload,
      expiresAt: number | undefined,
      now: number,
      pending?: PendingOwner,
    ) => {
      deleteExpired.run(now)
      const { grantId = null, uid = null } = payload
      const from = pending === undefined ? null : hashText(pending.from)
      save.run({ model, id, payload: JSON.stringify(payload), grantId, uid, expiresAt: expiresAt ?? null, from })
      if (pending === undefined) return
      const { most } = pending
      const { ofAddress = 0, ofAll = 0 } = countPending.get({ model, from }) ?? {}
      if (ofAddress > most.address) dropOfAddress.run({ model, id, from })
      else if (ofAll > most.all) dropOfAll.run({ model, id })
    },
  ).immediate
  const countOne = sqlite.transaction((named: string, window: number, now: number) => {
    const key = hashText(named)
    deleteEndedCounts.run(now)
    addCount.run({ key, now, window })
    dropCounts.run()
    return readCount.get(key, now) ?? { count: 0, endsAt: now }
  }).immediate
  const addOneKnown = sqlite.transaction((named: string, address: string, now: number) => {
    const account = hashText(named)
    addKnown.run({ account, address: hashText(address), now })
    dropKnown.run({ account, ended: now - KNOWN_ADDRESS_LIMITS.seconds })
  }).immediate
  return {
    find: async (model, id, now) => toIssuedRecord(find.get({ model, id, now })),
    findByUid: async (model, uid, now) => toIssuedRecord(findByUid.get({ model, uid, now })),
    save: async (...record) => saveOne(...record),
    consume: async (model, id, now) => consume.run({ model, id, now }).changes > 0,
    addSuccessor: async (model, id, successor) => addSuccessor.get({ model, id, successor }),
    delete: async (model, id) => void remove.run(model, id),
    deleteByGrant: async (model, grantId) => void removeOfGrant.run(model, grantId),
    persist: async (model, id) => void keepIssued.run(model, id),
    async secret(name, make) {
      const existing = readSecret.get(name)
      if (existing !== undefined) return existing
      addSecret.run(name, make())
      return readSecret.get(name) ?? ''
    },
    count: async (key, window, now) => countOne(key, window, now),
    uncount: async (key) => void uncount.run(hashText(key)),
    isKnownAddress: async (account, address, now) =>
      isKnown.get(hashText(account), hashText(address), now - KNOWN_ADDRESS_LIMITS.seconds) !== undefined,
    addKnownAddress: async (account, address, now) => addOneKnown(account, address, now),
    close: () => void sqlite.close(),
  }
}
