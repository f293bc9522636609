/** A database that does not answer: one task reaches for it, and callers wait for a while. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Outage } from '../../../storage/postgres/outage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const world = { isUp: false, reached: 0, declared: 0 }
  const outage = new Outage(
    async () => {
      world.reached++
      if (!world.isUp) throw new Error('down')
    },
    { patience: 10_000, pause: 250, onDeclared: () => void world.declared++ },
  )
  return { world, outage }
}

const FOREVER = new Promise<never>(() => {})

test('while the database answers, work is waited for as long as it takes', async () => {
  const { world, outage } = watched()
  expect(await outage.during(Promise.resolve(1))).toBe(1)
  world.isUp = true
  outage.notice(new Error('lost'))
  await vi.advanceTimersByTimeAsync(0)
  let isOver = false
  void outage.during(FOREVER).finally(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([isOver, world.declared, world.reached]).toEqual([false, 0, 1])
})

test('however many notice it, one task tries every quarter of a second', async () => {
  const { world, outage } = watched()
  for (let count = 0; count < 50; count++) outage.notice(new Error('lost'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(world.reached).toBe(5)
})

test('callers get the last error after ten seconds, and at once from then on, until it answers', async () => {
  const { world, outage } = watched()
  outage.notice(new Error('lost'))
  const waiting = expect(outage.during(FOREVER)).rejects.toThrow('down')
  await vi.advanceTimersByTimeAsync(9_999)
  expect(world.declared).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(world.declared).toBe(1)
  await expect(outage.during(FOREVER)).rejects.toThrow('down')
  world.isUp = true
  await vi.advanceTimersByTimeAsync(250)
  expect(await outage.during(Promise.resolve('answer'))).toBe('answer')
  outage.notice(new Error('lost again'))
  await vi.advanceTimersByTimeAsync(0)
  expect(await outage.during(Promise.resolve('answer'))).toBe('answer')
})
