/** Passwords wait to be hashed, and not too many of them. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PASSWORDS_PAUSE, PASSWORDS_WAITING } from '../../src/limits.ts'
import { attempt } from '../../src/server/issuer/attempts.ts'
import { hashPassword, isPassword } from '../../src/space/passwords.ts'
import { openSignIns } from '../../storage/sign-ins.ts'
import { buildSpace } from '../build.ts'

const running: (() => void)[] = []
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  // Done when the test says so.
  scrypt: (...args: unknown[]) =>
    void running.push(() => (args.at(-1) as (error: null, hash: Buffer) => void)(null, Buffer.alloc(32))),
}))

/** As many as find a place. */
async function fill() {
  const all = Array.from({ length: PASSWORDS_WAITING }, () => isPassword('some password', undefined))
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

const SENTENCE = `Expected fewer than ${PASSWORDS_WAITING} passwords that are checked at once, found as many; try again in ${PASSWORDS_PAUSE} seconds.`

describe('a password for which there is no place', () => {
  test('is refused at once, and taken when there is one again', async () => {
    const finish = await fill()
    await expect(isPassword('one more', undefined)).rejects.toMatchObject({
      message: SENTENCE,
      status: 503,
      retryAfter: PASSWORDS_PAUSE,
    })
    await expect(hashPassword('one more password')).rejects.toThrow(SENTENCE)
    await finish()
    const again = isPassword('one more', undefined)
    await new Promise(setImmediate)
    running.shift()?.()
    expect(await again).toBe(false)
  })

  test('is told so to who signs in, and counts against nobody', async () => {
    await fill()
    const signIns = openSignIns(':memory:')
    onTestFinished(() => signIns.close())
    const { space } = await buildSpace()
    const tried = await attempt(space, signIns, { name: 'Anna', password: 'a password', from: 'x' })
    expect(tried).toEqual({
      fault: `Too many people sign in. Try again in ${PASSWORDS_PAUSE} seconds.`,
      status: 503,
      retryAfter: PASSWORDS_PAUSE,
    })
    const now = Math.floor(Date.now() / 1000)
    expect([signIns.count('address x', 60, now).count, signIns.count('name anna', 60, now).count]).toEqual([1, 1])
  })
})
