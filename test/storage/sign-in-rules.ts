/** The rules for sign-ins, which are the same on every engine. */
import { describe, expect, test } from 'vitest'
import { KNOWN_ADDRESS_LIMITS } from '../../src/base/limits.ts'
import type { SignIns } from '../../storage/sign-ins.ts'

export const NOW = 1_000_000

/** @param open  opens the sign-ins of a new space, which are closed after the test */
export function testSignIns(open: () => SignIns | Promise<SignIns>): void {
  describe('issued records', () => {
    test('are found until they expire', async () => {
      const signIns = await open()
      await signIns.save('Code', 'a', { uid: 'u', x: 1 }, NOW + 10, NOW)
      expect(await signIns.find('Code', 'a', NOW + 9)).toEqual({ payload: { uid: 'u', x: 1 } })
      expect(await signIns.findByUid('Code', 'u', NOW + 9)).toEqual({ payload: { uid: 'u', x: 1 } })
      expect(await signIns.find('Other', 'a', NOW)).toBeUndefined()
      expect(await signIns.find('Code', 'a', NOW + 10)).toBeUndefined()
      expect(await signIns.findByUid('Code', 'u', NOW + 10)).toBeUndefined()
    })

    test('stay once they are kept, whatever is saved of them later', async () => {
      const signIns = await open()
      await signIns.save('Client', 'a', { x: 1 }, NOW + 10, NOW)
      await signIns.persist('Client', 'a')
      await signIns.save('Client', 'a', { x: 2 }, undefined, NOW)
      expect(await signIns.find('Client', 'a', NOW + 1_000)).toEqual({ payload: { x: 2 } })
    })

    test('are consumed once, and deleted with their grant', async () => {
      const signIns = await open()
      await signIns.save('Token', 'a', { grantId: 'g' }, NOW + 100, NOW)
      await signIns.save('Token', 'b', { grantId: 'h' }, NOW + 100, NOW)
      expect([await signIns.consume('Token', 'a', NOW + 1), await signIns.consume('Token', 'a', NOW + 2)]).toEqual([
        true,
        false,
      ])
      expect((await signIns.find('Token', 'a', NOW + 3))?.consumedAt).toBe(NOW + 1)
      await signIns.deleteByGrant('Token', 'g')
      expect(await signIns.find('Token', 'a', NOW)).toBeUndefined()
      await signIns.delete('Token', 'b')
      expect(await signIns.find('Token', 'b', NOW)).toBeUndefined()
    })
  })

  test('an issued record has one successor', async () => {
    const signIns = await open()
    await signIns.save('Token', 'a', {}, NOW + 100, NOW)
    for (const next of ['b', 'c']) expect(await signIns.addSuccessor('Token', 'a', next)).toBe('b')
    expect(await signIns.find('Token', 'a', NOW)).toEqual({ payload: {}, successor: 'b' })
    expect(await signIns.addSuccessor('Token', 'gone', 'd')).toBeUndefined()
  })

  test('counts are per window, from the first on', async () => {
    const signIns = await open()
    expect(await signIns.count('a', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
    expect(await signIns.count('a', 60, NOW + 59)).toEqual({ count: 2, endsAt: NOW + 60 })
    expect(await signIns.count('b', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
    expect(await signIns.count('a', 60, NOW + 60)).toEqual({ count: 1, endsAt: NOW + 120 })
    await signIns.uncount('a')
    expect((await signIns.count('a', 60, NOW + 61)).count).toBe(1)
    await signIns.uncount('c')
  })

  describe('records from before sign-in', () => {
    const pendingOf = async (signIns: SignIns, ids: readonly string[]) => {
      const found = await Promise.all(ids.map((id) => signIns.find('Page', id, NOW)))
      return ids.filter((_, index) => found[index] !== undefined).join('')
    }
    const most = { address: 2, all: 4 }

    test('are limited by address, and the first to expire is deleted first', async () => {
      const signIns = await open()
      for (const [id, lasts] of Object.entries({ b: 20, a: 10, c: 15 })) {
        await signIns.save('Page', id, {}, NOW + lasts, NOW, { from: 'x', most })
      }
      expect(await pendingOf(signIns, ['a', 'b', 'c'])).toBe('bc')
      // The new entry stays even if it expires first. Entries of other kinds and of participants who signed in stay,
      // too.
      await signIns.save('Other', 'o', {}, NOW + 1, NOW, { from: 'x', most })
      await signIns.save('Page', 's', {}, NOW + 1, NOW)
      await signIns.save('Page', 'd', {}, NOW + 2, NOW, { from: 'x', most })
      expect(await pendingOf(signIns, ['a', 'b', 'c', 'd', 's'])).toBe('bds')
      expect(await signIns.find('Other', 'o', NOW)).toBeDefined()
    })

    test('are limited in total, and the address with the most loses one', async () => {
      const signIns = await open()
      const save = (id: string, from: string) => signIns.save('Page', id, {}, NOW + 10, NOW, { from, most })
      await save('a', 'quiet')
      for (const id of ['b', 'c']) await save(id, 'loud')
      await save('d', 'third')
      await save('e', 'fourth')
      expect(await pendingOf(signIns, ['a', 'b', 'c', 'd', 'e'])).toBe('acde')
    })

    test('no longer count once they are kept', async () => {
      const signIns = await open()
      for (const id of ['a', 'b', 'c', 'd']) {
        await signIns.save('Page', id, {}, NOW + 10, NOW, { from: 'x', most })
        await signIns.persist('Page', id)
      }
      expect(await pendingOf(signIns, ['a', 'b', 'c', 'd'])).toBe('abcd')
    })
  })

  describe('addresses of earlier sign-ins', () => {
    test('are known for a while, for their account', async () => {
      const signIns = await open()
      await signIns.addKnownAddress('anna', 'x', NOW)
      expect(await signIns.isKnownAddress('anna', 'x', NOW + KNOWN_ADDRESS_LIMITS.seconds - 1)).toBe(true)
      expect(await signIns.isKnownAddress('anna', 'x', NOW + KNOWN_ADDRESS_LIMITS.seconds)).toBe(false)
      expect(await signIns.isKnownAddress('bob', 'x', NOW)).toBe(false)
      expect(await signIns.isKnownAddress('anna', 'y', NOW)).toBe(false)
    })

    test('are the latest ones', async () => {
      const signIns = await open()
      await signIns.addKnownAddress('bob', 'first', NOW)
      for (let at = 0; at <= KNOWN_ADDRESS_LIMITS.each; at++) await signIns.addKnownAddress('anna', `${at}`, NOW + at)
      const known = await Promise.all(
        Array.from({ length: KNOWN_ADDRESS_LIMITS.each + 1 }, (_, at) => signIns.isKnownAddress('anna', `${at}`, NOW)),
      )
      expect(known.map(Number).join('')).toBe(`0${'1'.repeat(KNOWN_ADDRESS_LIMITS.each)}`)
      expect(await signIns.isKnownAddress('bob', 'first', NOW)).toBe(true)
    })
  })

  test('a secret is created once', async () => {
    const signIns = await open()
    expect(await signIns.secret('key', () => 'first')).toBe('first')
    expect(await signIns.secret('key', () => 'second')).toBe('first')
    expect(await signIns.secret('other', () => 'third')).toBe('third')
  })
}
