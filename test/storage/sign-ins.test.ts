import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSignIns } from '../../storage/sign-ins.ts'
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
    signIns.keep('Client', 'a')
    signIns.save('Client', 'a', { x: 2 }, undefined, NOW)
    expect(signIns.find('Client', 'a', NOW + 1_000)).toEqual({ payload: { x: 2 } })
  })

  test('is consumed once, and goes with its grant', () => {
    const signIns = open()
    signIns.save('Token', 'a', { grantId: 'g' }, NOW + 100, NOW)
    signIns.save('Token', 'b', { grantId: 'h' }, NOW + 100, NOW)
    signIns.consume('Token', 'a', NOW + 1)
    signIns.consume('Token', 'a', NOW + 2)
    expect(signIns.find('Token', 'a', NOW + 3)?.consumedAt).toBe(NOW + 1)
    signIns.deleteOfGrant('Token', 'g')
    expect(signIns.find('Token', 'a', NOW)).toBeUndefined()
    signIns.delete('Token', 'b')
    expect(signIns.find('Token', 'b', NOW)).toBeUndefined()
  })
})

test('what is counted is counted within a window, from the first', () => {
  const signIns = open()
  expect(signIns.count('a', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
  expect(signIns.count('a', 60, NOW + 59)).toEqual({ count: 2, endsAt: NOW + 60 })
  expect(signIns.count('b', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
  expect(signIns.count('a', 60, NOW + 60)).toEqual({ count: 1, endsAt: NOW + 120 })
  signIns.forget('a')
  expect(signIns.count('a', 60, NOW + 61).count).toBe(1)
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

  test('of another program is refused, and left as it is', () => {
    const place = folder()
    const file = join(place, 'other.sqlite')
    const sqlite = new Sqlite(file)
    sqlite.exec('CREATE TABLE theirs (a)')
    sqlite.close()
    expect(() => openSignIns(file)).toThrow(
      `Expected what those who sign in need in ${file}, found that it cannot be used: it is of another program, or of another version; move it away, and they sign in again.`,
    )
    const text = join(place, 'text')
    writeFileSync(text, 'x'.repeat(5_000))
    expect(() => openSignIns(text)).toThrow(/^Expected what those who sign in need in .*: file is not a database; /)
  })
})
