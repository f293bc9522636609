/** How many exports run and are sent at the same time. */
import { describe, expect, test } from 'vitest'
import { EXPORTS_WAITING } from '../../../src/base/limits.ts'
import { ExportTurns } from '../../../src/http/archives/export-turns.ts'
import { buildSpace } from '../../build.ts'
import { eventually } from '../../support/eventually.ts'

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
  const refused =
    'Expected at most 2 exports of one link at the same time, found that many; send it again once one of them is saved.'
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

describe('exports of one space', () => {
  /** Exports of links of their own, which end when they are told to. */
  const exporter = async () => {
    const { space } = await buildSpace()
    const turns = new ExportTurns()
    const running: { id: string; end: () => void }[] = []
    const start = async (id: string) => {
      const link = { ...(await space.createAccessLink('full', [])), id }
      let leave = () => {}
      const onFinish = (end: () => void) => {
        leave = end
      }
      const done = turns.run({ caller: { space, link }, log: () => {}, onFinish }, async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        running.push({ id, end: resolve })
        await promise
        return new Response(id)
      })
      // A refusal is looked at below.
      done.catch(() => {})
      return { done, leave: () => leave() }
    }
    const endNext = async () => {
      await eventually(() => expect(running).toHaveLength(1))
      const [next] = running.splice(0)
      next?.end()
      return next?.id
    }
    return { start, endNext }
  }

  test('run one after another, and more than eleven are told when to come again', async () => {
    const { start, endNext } = await exporter()
    const names = Array.from({ length: EXPORTS_WAITING + 1 }, (_, index) => `link ${index}`)
    const started: Awaited<ReturnType<typeof start>>[] = []
    for (const name of names) started.push(await start(name))
    await expect((await start('one more')).done).rejects.toThrow(
      'Expected at most 10 exports of this space to wait for the one that runs, found that many; send it again in a minute.',
    )
    for (const [index, name] of names.entries()) {
      expect(await endNext()).toBe(name)
      expect(await (await started[index]?.done)?.text()).toBe(name)
    }
    const again = await start('one more')
    expect(await endNext()).toBe('one more')
    await again.done
  })

  test('are not written for a client that has left meanwhile', async () => {
    const { start, endNext } = await exporter()
    const [first, second, third] = [await start('first'), await start('second'), await start('third')]
    second.leave()
    expect(await endNext()).toBe('first')
    await first.done
    await expect(second.done).rejects.toThrow('Expected a client that waits for its export')
    expect(await endNext()).toBe('third')
    await third.done
  })
})
