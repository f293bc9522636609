import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_FAILURE_COUNTERS } from '../../src/base/limits.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { folder } from '../program.ts'
import { NOW, testSignIns } from './sign-in-rules.ts'

function open(file = ':memory:') {
  const signIns = openSignIns(file)
  onTestFinished(() => signIns.close())
  return signIns
}

testSignIns(open)

describe('the file', () => {
  test('is readable for its owner only, and its secrets are created once', async () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const [one, other] = [open(file), open(file)]
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([await one.secret('key', () => 'first'), await other.secret('key', () => 'second')]).toEqual([
      'first',
      'first',
    ])
    await one.save('Code', 'a', {}, undefined, NOW)
    expect(await other.find('Code', 'a', NOW)).toEqual({ payload: {} })
  })

  const place = (file: string) => {
    const sqlite = new Sqlite(file)
    onTestFinished(() => void sqlite.close())
    return sqlite
  }

  test('contains no names, and does not grow with input', async () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const signIns = open(file)
    await signIns.count(`name ${'x'.repeat(1_000_000)}`, 60, NOW)
    await signIns.addKnownAddress('anna', '192.0.2.1', NOW)
    await signIns.save('Page', 'a', {}, NOW + 10, NOW, { from: '192.0.2.1', most: { address: 1, all: 1 } })
    const sqlite = place(file)
    const hash = /^[\w-]{43}$/
    expect(sqlite.prepare('SELECT key FROM counted').pluck().all()).toEqual([expect.stringMatching(hash)])
    expect(sqlite.prepare('SELECT account, address FROM known_address').get()).toEqual({
      account: expect.stringMatching(hash),
      address: expect.stringMatching(hash),
    })
    expect(sqlite.prepare('SELECT pending_from FROM issued').pluck().get()).toMatch(hash)
  })

  test('loses expired records, and never has more counts than are kept', async () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const signIns = open(file)
    const sqlite = place(file)
    const counts = () => sqlite.prepare('SELECT count(*) FROM counted').pluck().get()
    for (const key of ['a', 'b', 'c']) await signIns.count(key, 60, NOW)
    await signIns.count('d', 60, NOW + 60)
    expect(counts()).toBe(1)
    sqlite.exec(`
      WITH RECURSIVE many (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM many WHERE n < ${MAX_FAILURE_COUNTERS})
      INSERT INTO counted SELECT 'key ' || n, 1, ${NOW} + 200 + n FROM many`)
    expect(await signIns.count('e', 900, NOW + 61)).toEqual({ count: 1, endsAt: NOW + 961 })
    expect(counts()).toBe(MAX_FAILURE_COUNTERS)
  })

  test('of the previous version is used, without its counts', async () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    place(file).exec(`
      CREATE TABLE issued (
        model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL CHECK (json_valid(payload)), grant_id TEXT, uid TEXT,
        expires_at INTEGER, consumed_at INTEGER, PRIMARY KEY (model, id)) STRICT, WITHOUT ROWID;
      CREATE INDEX issued_grant ON issued (grant_id) WHERE grant_id IS NOT NULL;
      CREATE INDEX issued_uid ON issued (uid) WHERE uid IS NOT NULL;
      CREATE INDEX issued_expiry ON issued (expires_at) WHERE expires_at IS NOT NULL;
      CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE counted (key TEXT PRIMARY KEY, count INTEGER NOT NULL, ends_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO issued (model, id, payload) VALUES ('Client', 'a', '{"x":1}');
      INSERT INTO secret VALUES ('key', 'kept');
      INSERT INTO counted VALUES ('name somebody', 3, ${NOW + 60});
      PRAGMA application_id = 0x53637253;
      PRAGMA user_version = 1`)
    const signIns = open(file)
    expect(await signIns.find('Client', 'a', NOW)).toEqual({ payload: { x: 1 } })
    expect(await signIns.secret('key', () => 'new')).toBe('kept')
    expect(place(file).prepare('SELECT count(*) FROM counted').pluck().get()).toBe(0)
    await signIns.addKnownAddress('anna', 'x', NOW)
    expect(await open(file).isKnownAddress('anna', 'x', NOW)).toBe(true)
  })

  test('of another program is rejected, and unchanged', async () => {
    const files = folder()
    const file = join(files, 'other.sqlite')
    const sqlite = new Sqlite(file)
    sqlite.exec('CREATE TABLE theirs (a)')
    sqlite.close()
    expect(() => openSignIns(file)).toThrow(
      `Expected the sign-in data in ${file}, found that it cannot be used: it is of another program, or of another version; move the file away, after which everybody has to sign in again.`,
    )
    const text = join(files, 'text')
    writeFileSync(text, 'x'.repeat(5_000))
    expect(() => openSignIns(text)).toThrow(/^Expected the sign-in data in .*: file is not a database; /)
  })
})
