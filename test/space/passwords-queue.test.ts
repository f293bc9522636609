/** Passwords wait in a queue of limited length to be hashed. */
import crypto from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signInWithPassword } from '../../src/auth/issuer/password-sign-in.ts'
import { PASSWORD_QUEUE_LENGTH, PASSWORD_RETRY_SECONDS } from '../../src/base/limits.ts'
import { hashPassword, verifyPassword } from '../../src/space/participants/passwords.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { buildSpace } from '../build.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'

/** Each waits to be called, which finishes the hash of a password. */
const running: (() => void)[] = []

/** As many as the queue holds. */
async function fill() {
  replaceBuiltin(crypto, 'scrypt', () => (...args: unknown[]) => {
    const done = args.at(-1) as (error: null, hash: Buffer) => void
    running.push(() => done(null, Buffer.alloc(32)))
  })
  const all = Array.from({ length: PASSWORD_QUEUE_LENGTH }, () => verifyPassword('some password', undefined))
  const finish = async () => {
    let left = all.length
    for (const one of all) void one.then(() => left--)
    while (left > 0) {
      running.shift()?.()
      await new Promise(setImmediate)
    }
  }
  onTestFinished(finish)
  return finish
}

const SENTENCE = `Expected fewer than ${PASSWORD_QUEUE_LENGTH} passwords that are checked at once, found as many; try again in ${PASSWORD_RETRY_SECONDS} seconds.`

describe('a password when the queue is full', () => {
  test('is rejected at once, and accepted when there is room again', async () => {
    const finish = await fill()
    await expect(verifyPassword('one more', undefined)).rejects.toMatchObject({
      message: SENTENCE,
      status: 503,
      retryAfter: PASSWORD_RETRY_SECONDS,
    })
    await expect(hashPassword('one more password')).rejects.toThrow(SENTENCE)
    await finish()
    const again = verifyPassword('one more', undefined)
    await new Promise(setImmediate)
    running.shift()?.()
    expect(await again).toBe(false)
  })

  test('is reported as such, and does not count as a failed attempt', async () => {
    await fill()
    const signIns = openSignIns(':memory:')
    onTestFinished(() => signIns.close())
    const { space } = await buildSpace()
    const tried = await signInWithPassword(space, signIns, { name: 'Anna', password: 'a password', from: 'x' })
    expect(tried).toEqual({
      fault: `Too many people sign in. Try again in ${PASSWORD_RETRY_SECONDS} seconds.`,
      status: 503,
      retryAfter: PASSWORD_RETRY_SECONDS,
    })
    const now = Math.floor(Date.now() / 1000)
    const counts = [await signIns.count('address x', 60, now), await signIns.count('name anna', 60, now)]
    expect(counts.map(({ count }) => count)).toEqual([1, 1])
  })
})
