/** Limits on password attempts: which counter counts an attempt, and what is blocked. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nowInSeconds } from '../../../src/auth/issuer/oidc-adapter.ts'
import { signInWithPassword } from '../../../src/auth/issuer/password-sign-in.ts'
import { PASSWORD_CODE_UNITS, SIGN_IN_NAME_LENGTH, WRONG_PASSWORD_LIMITS } from '../../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'
import { buildSpace } from '../../build.ts'
import { quickPasswords } from '../../support/quick-passwords.ts'
import { PASSWORDS } from './serving-issuer.ts'

const [HOME, ELSEWHERE] = ['192.0.2.1', '198.51.100.1']
const WRONG = { fault: 'That name and that password do not go together. Try again.', status: 401 }
const TOO_MANY = {
  fault: 'Too many wrong passwords. Try again in 15 minutes.',
  status: 429,
  retryAfter: expect.any(Number),
}

async function trying() {
  const { space } = await buildSpace()
  quickPasswords()
  const password = await hashPassword(PASSWORDS.Anna)
  const anna = await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { password }))
  const signIns = openSignIns(':memory:')
  onTestFinished(() => signIns.close())
  const now = nowInSeconds()
  return {
    anna,
    signIns,
    now,
    enter: (from: string, { name = 'Anna', password = PASSWORDS.Anna as string } = {}) =>
      signInWithPassword(space, signIns, { name, password, from }),
    /** Makes attempts until a counter has this value. */
    async count(key: string, times = 1) {
      for (let time = 1; time < times; time++) await signIns.count(key, WRONG_PASSWORD_LIMITS.seconds, now)
      return (await signIns.count(key, WRONG_PASSWORD_LIMITS.seconds, now)).count
    },
  }
}

describe('an address with too many failed attempts', () => {
  test('is blocked, and its attempts do not count against the name', async () => {
    const { enter, count } = await trying()
    await count(`address ${HOME}`, WRONG_PASSWORD_LIMITS.address)
    for (let time = 0; time < 30; time++) expect(await enter(HOME)).toEqual(TOO_MANY)
    expect(await count('name anna')).toBe(1)
  })

  test('is not unblocked by a correct password in between', async () => {
    const { enter, count } = await trying()
    await count(`address ${HOME}`, 5)
    expect(await enter(HOME)).toMatchObject({ account: { name: 'Anna' } })
    expect(await count(`address ${HOME}`)).toBe(6)
  })
})

describe('a name with too many failed attempts', () => {
  test('is blocked, except from addresses where its participant signed in before', async () => {
    const { enter, count } = await trying()
    expect(await enter(HOME)).toMatchObject({ account: { name: 'Anna' } })
    await count('name anna', WRONG_PASSWORD_LIMITS.name)
    expect(await enter(ELSEWHERE)).toEqual(TOO_MANY)
    expect(await enter(HOME)).toMatchObject({ account: { name: 'Anna' } })
    expect(await enter(HOME, { password: 'wrong' })).toEqual(WRONG)
  })

  test.each(['ANNA', ' anna '])('is recognized when written as %j', async (name) => {
    const { enter, count } = await trying()
    await count('name anna', WRONG_PASSWORD_LIMITS.name)
    expect(await enter(ELSEWHERE, { name })).toEqual(TOO_MANY)
  })

  test('is recognized by the ID of its participant', async () => {
    const { enter, count, anna } = await trying()
    await count('name anna', WRONG_PASSWORD_LIMITS.name)
    expect(await enter(ELSEWHERE, { name: anna.id })).toEqual(TOO_MANY)
  })

  test('may be a name that does not exist', async () => {
    const { enter, count } = await trying()
    await count('name nobody', WRONG_PASSWORD_LIMITS.name)
    expect(await enter(ELSEWHERE, { name: 'Nobody' })).toEqual(TOO_MANY)
  })
})

test('an overlong name or password is not checked, and counts against the address only', async () => {
  const { enter, count } = await trying()
  const normalize = vi.spyOn(String.prototype, 'normalize')
  onTestFinished(() => normalize.mockRestore())
  const long = '\ufdfa'.repeat(PASSWORD_CODE_UNITS + 1)
  expect(await enter(HOME, { password: long })).toEqual(WRONG)
  expect(await enter(HOME, { name: 'x'.repeat(SIGN_IN_NAME_LENGTH + 1) })).toEqual(WRONG)
  expect(normalize).not.toHaveBeenCalled()
  expect([await count(`address ${HOME}`), await count('name anna')]).toEqual([3, 1])
})
