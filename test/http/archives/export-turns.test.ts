/** How many exports run and are sent at the same time. */
import { expect, test } from 'vitest'
import { ExportTurns } from '../../../src/http/archives/export-turns.ts'
import { buildSpace } from '../../build.ts'

test('a link has few exports that are being sent, however slowly they are read', async () => {
  const { space } = await buildSpace()
  const turns = new ExportTurns()
  const saved: (() => void)[] = []
  const asker = async (id: string) => {
    const link = { ...(await space.createAccessLink('full', [])), id }
    const context = { caller: { space, link }, log: () => {}, onFinish: (end: () => void) => void saved.push(end) }
    return () => turns.run(context, async () => new Response(''))
  }
  const [one, other] = [await asker('one'), await asker('other')]
  const refused = 'Expected at most 2 exports of one link that are being saved, found that many'
  for (let count = 0; count < 2; count++) await one()
  await expect(one()).rejects.toThrow(refused)
  await other()
  saved[0]?.()
  await one()
  await expect(one()).rejects.toThrow(refused)
})

test('an export that fails is not counted', async () => {
  const { space } = await buildSpace()
  const turns = new ExportTurns()
  const caller = { space, link: await space.createAccessLink('full', []) }
  const fail = () =>
    turns.run({ caller, log: () => {}, onFinish: () => {} }, () => Promise.reject(new Error('too large')))
  for (let count = 0; count < 3; count++) await expect(fail()).rejects.toThrow('too large')
})
