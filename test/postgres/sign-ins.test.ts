/** Sign-ins in rows of a space: the rules of all engines, with several processes and spaces. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { spaceAddress } from '../../storage/postgres/address.ts'
import type { SignIns } from '../../storage/sign-ins.ts'
import { TEST_DATABASE } from '../build.ts'
import { NOW, testSignIns } from '../storage/sign-in-rules.ts'

async function open(name: string = randomUUID()): Promise<SignIns> {
  const space = await openSpace(spaceAddress(TEST_DATABASE ?? '', name), { timezone: 'UTC' })
  onTestFinished(() => space.close())
  return space.openSignIns()
}

testSignIns(open)

test('two processes share one secret, and count together', async () => {
  const name = randomUUID()
  const [one, other] = [await open(name), await open(name)]
  const secrets = await Promise.all([one.secret('key', randomUUID), other.secret('key', randomUUID)])
  expect(secrets[0]).toBe(secrets[1])
  const counts = await Promise.all([one, other, one, other].map((signIns) => signIns.count('a', 60, NOW)))
  expect(counts.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4])
})

test('spaces are isolated from each other', async () => {
  const [one, other] = [await open(), await open()]
  await one.save('Code', 'a', { uid: 'u' }, undefined, NOW)
  await one.addKnownAddress('anna', 'x', NOW)
  await other.save('Code', 'b', { grantId: 'g' }, undefined, NOW)
  await one.deleteByGrant('Code', 'g')
  expect(await other.find('Code', 'a', NOW)).toBeUndefined()
  expect(await other.findByUid('Code', 'u', NOW)).toBeUndefined()
  expect(await other.isKnownAddress('anna', 'x', NOW)).toBe(false)
  expect(await other.find('Code', 'b', NOW)).toBeDefined()
  expect(await other.count('a', 60, NOW)).toEqual({ count: 1, endsAt: NOW + 60 })
})

test('an ID with a character that database texts cannot have finds nothing', async () => {
  expect(await (await open()).find('Code', 'a\0', NOW)).toBeUndefined()
})
