import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KNOWN_ADDRESS_LIMITS, MAX_FAILURE_COUNTERS } from '../../src/base/limits.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { folder } from '../program.ts'

const NOW = 1_000_000

function open(file = ':memory:') {
  const signIns = openSignIns(file)
  onTestFinished(() => signIns.close())
  return signIns
}

describe('what was issued', () => {
  test('is found until it expires', () => {
    const signIns = open()
    signIns.save('Code', 'a', { uid: 'u', x: 1 }, NOW + 10, NOW)
    expect(signIns.find('Code', 'a', NOW + 9)).toEqual({ payload: { uid: 'u', x: 1 } })
    expect(signIns.findByUid('Code', 'u', NOW + 9)).toEqual({ payload: { uid: 'u', x: 1 } })
    expect(signIns.find('Other', 'a', NOW)).toBeUndefined()
    expect(signIns.find('Code', 'a', NOW + 10)).toBeUndefined()
    expect(signIns.findByUid('Code', 'u', NOW + 10)).toBeUndefined()
  })

  test('stays when it is kept, whatever is saved of it later', () => {
    const signIns = open()
    signIns.save('Client', 'a', { x: 1 }, NOW + 10, NOW)
    signIns.persist('Client', 'a')
    signIns.save('Client', 'a', { x: 2 }, undefined, NOW)
    expect(signIns.find('Client', 'a', NOW + 1_000)).toEqual({ payload: { x: 2 } })
  })

  test('is consumed once, and goes with its grant', () => {
    const signIns = open()
    signIns.save('Token', 'a', { grantId: 'g' }, NOW + 100, NOW)
    signIns.save('Token', 'b', { grantId: 'h' }, NOW + 100, NOW)
    expect([signIns.consume('Token', 'a', NOW + 1), signIns.consume('Token', 'a', NOW + 2)]).toEqual([true, false])
    expect(signIns.find('Token', 'a', NOW + 3)?.consumedAt).toBe(NOW + 1)
    signIns.deleteByGrant('Token', 'g')
    expect(signIns.find('Token', 'a', NOW)).toBeUndefined()
    signIns.delete('Token', 'b')
    expect(signIns.find('Token', 'b', NOW)).toBeUndefined()
  })
})

test('what was issued has one successor', () => {
  const signIns = open()
  signIns.save('Token', 'a', {}, NOW + 100, NOW)
  expect(['b', 'c'].map((next) => signIns.addSuccessor('Token', 'a', next))).toEqual(['b', 'b'])
  expect(signIns.find('Token', 'a', NOW)).toEqual({ payload: {}, successor: 'b' })
  expect(signIns.addSuccessor('Token', 'gone', 'd')).toBeUndefined()
})

test('what is counted is counted within a window, from the first', () => {
  const signIns = open()
  expect(signIns.count('a', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
  expect(signIns.count('a', 60, NOW + 59)).toEqual({ count: 2, endsAt: NOW + 60 })
  expect(signIns.count('b', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
  expect(signIns.count('a', 60, NOW + 60)).toEqual({ count: 1, endsAt: NOW + 120 })
  signIns.uncount('a')
  expect(signIns.count('a', 60, NOW + 61).count).toBe(1)
  signIns.uncount('c')
})

describe('what is kept of those who have not signed in', () => {
  const pendingOf = (signIns: ReturnType<typeof open>, ids: readonly string[]) =>
    ids.filter((id) => signIns.find('Page', id, NOW) !== undefined).join('')
  const most = { address: 2, all: 4 }

  test('is so much for one address, and what would end first goes first', () => {
    const signIns = open()
    for (const [id, lasts] of Object.entries({ b: 20, a: 10, c: 15 })) {
      signIns.save('Page', id, {}, NOW + lasts, NOW, { from: 'x', most })
    }
    expect(pendingOf(signIns, ['a', 'b', 'c'])).toBe('bc')
    // Not even where it would end first itself, and nothing of another kind or of one who signed in.
    signIns.save('Other', 'o', {}, NOW + 1, NOW, { from: 'x', most })
    signIns.save('Page', 's', {}, NOW + 1, NOW)
    signIns.save('Page', 'd', {}, NOW + 2, NOW, { from: 'x', most })
    expect(pendingOf(signIns, ['a', 'b', 'c', 'd', 's'])).toBe('bds')
    expect(signIns.find('Other', 'o', NOW)).toBeDefined()
  })

  test('is so much for all, and the address that has most loses', () => {
    const signIns = open()
    const save = (id: string, from: string) => signIns.save('Page', id, {}, NOW + 10, NOW, { from, most })
    save('a', 'quiet')
    for (const id of ['b', 'c']) save(id, 'loud')
    save('d', 'third')
    save('e', 'fourth')
    expect(pendingOf(signIns, ['a', 'b', 'c', 'd', 'e'])).toBe('acde')
  })

  test('is theirs no more once it is kept', () => {
    const signIns = open()
    for (const id of ['a', 'b', 'c', 'd']) {
      signIns.save('Page', id, {}, NOW + 10, NOW, { from: 'x', most })
      signIns.persist('Page', id)
    }
    expect(pendingOf(signIns, ['a', 'b', 'c', 'd'])).toBe('abcd')
  })
})

describe('addresses that somebody signed in from', () => {
  test('are known for a while, each for its account', () => {
    const signIns = open()
    signIns.addKnownAddress('anna', 'x', NOW)
    expect(signIns.isKnownAddress('anna', 'x', NOW + KNOWN_ADDRESS_LIMITS.seconds - 1)).toBe(true)
    expect(signIns.isKnownAddress('anna', 'x', NOW + KNOWN_ADDRESS_LIMITS.seconds)).toBe(false)
    expect([signIns.isKnownAddress('bob', 'x', NOW), signIns.isKnownAddress('anna', 'y', NOW)]).toEqual([false, false])
  })

  test('are the last ones', () => {
    const signIns = open()
    signIns.addKnownAddress('bob', 'first', NOW)
    for (let at = 0; at <= KNOWN_ADDRESS_LIMITS.each; at++) signIns.addKnownAddress('anna', `${at}`, NOW + at)
    const known = Array.from({ length: KNOWN_ADDRESS_LIMITS.each + 1 }, (_, at) =>
      signIns.isKnownAddress('anna', `${at}`, NOW),
    )
    expect(known.map(Number).join('')).toBe(`0${'1'.repeat(KNOWN_ADDRESS_LIMITS.each)}`)
    expect(signIns.isKnownAddress('bob', 'first', NOW)).toBe(true)
  })
})

describe('the file', () => {
  test('is read by its owner alone, and what is secret in it is made once', () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const [one, other] = [open(file), open(file)]
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([one.secret('key', () => 'first'), other.secret('key', () => 'second')]).toEqual(['first', 'first'])
    one.save('Code', 'a', {}, undefined, NOW)
    expect(other.find('Code', 'a', NOW)).toEqual({ payload: {} })
  })

  const place = (file: string) => {
    const sqlite = new Sqlite(file)
    onTestFinished(() => void sqlite.close())
    return sqlite
  }

  test('names nobody, and does not grow with what is sent', () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const signIns = open(file)
    signIns.count(`name ${'x'.repeat(1_000_000)}`, 60, NOW)
    signIns.addKnownAddress('anna', '192.0.2.1', NOW)
    signIns.save('Page', 'a', {}, NOW + 10, NOW, { from: '192.0.2.1', most: { address: 1, all: 1 } })
    const sqlite = place(file)
    const hash = /^[\w-]{43}$/
    expect(sqlite.prepare('SELECT key FROM counted').pluck().all()).toEqual([expect.stringMatching(hash)])
    expect(sqlite.prepare('SELECT account, address FROM known_address').get()).toEqual({
      account: expect.stringMatching(hash),
      address: expect.stringMatching(hash),
    })
    expect(sqlite.prepare('SELECT pending_from FROM issued').pluck().get()).toMatch(hash)
  })

  test('loses what has ended, and never has more counts than are kept', () => {
    const file = join(folder(), 'space.sqlite.sign-in')
    const signIns = open(file)
    const sqlite = place(file)
    const counts = () => sqlite.prepare('SELECT count(*) FROM counted').pluck().get()
    for (const key of ['a', 'b', 'c']) signIns.count(key, 60, NOW)
    signIns.count('d', 60, NOW + 60)
    expect(counts()).toBe(1)
    sqlite.exec(`
      WITH RECURSIVE many (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM many WHERE n < ${MAX_FAILURE_COUNTERS})
      INSERT INTO counted SELECT 'key ' || n, 1, ${NOW} + 200 + n FROM many`)
    expect(signIns.count('e', 900, NOW + 61)).toEqual({ count: 1, endsAt: NOW + 961 })
    expect(counts()).toBe(MAX_FAILURE_COUNTERS)
  })

  test('of the version before is taken on, without its counts', () => {
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
    expect(signIns.find('Client', 'a', NOW)).toEqual({ payload: { x: 1 } })
    expect(signIns.secret('key', () => 'new')).toBe('kept')
    expect(place(file).prepare('SELECT count(*) FROM counted').pluck().get()).toBe(0)
    signIns.addKnownAddress('anna', 'x', NOW)
    expect(open(file).isKnownAddress('anna', 'x', NOW)).toBe(true)
  })

  test('of another program is refused, and left as it is', () => {
    const files = folder()
    const file = join(files, 'other.sqlite')
    const sqlite = new Sqlite(file)
    sqlite.exec('CREATE TABLE theirs (a)')
    sqlite.close()
    expect(() => openSignIns(file)).toThrow(
      `Expected what those who sign in need in ${file}, found that it cannot be used: it is of another program, or of another version; move it away, and they sign in again.`,
    )
    const text = join(files, 'text')
    writeFileSync(text, 'x'.repeat(5_000))
    expect(() => openSignIns(text)).toThrow(/^Expected what those who sign in need in .*: file is not a database; /)
  })
})
