import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/space/participants/passwords.ts'

describe('a password', () => {
  test('matches its hash in any Unicode form, and no other does', async () => {
    const hash = await hashPassword('Ångström 10')
    expect(hash).toMatch(/^scrypt\$65536\$8\$2\$[\w-]{22}\$[\w-]{43}$/)
    expect(await verifyPassword('A\u030Angstro\u0308m 10', hash)).toBe(true)
    expect(await verifyPassword('Angstrom 10', hash)).toBe(false)
    expect(await verifyPassword('', undefined)).toBe(false)
  })

  test('has its own salt', async () => {
    const [one, other] = await Promise.all([hashPassword('the same one'), hashPassword('the same one')])
    expect(one).not.toBe(other)
  })

  test.each([
    ['too short', 'ninechars', 9],
    ['too short in characters', '😀'.repeat(9), 9],
    ['too long', 'x'.repeat(257), 257],
  ])('is rejected when it is %s', async (_, password, length) => {
    await expect(hashPassword(password)).rejects.toThrow(
      `Expected a password of 10 to 256 characters, found one of ${length}; choose another.`,
    )
  })
})
