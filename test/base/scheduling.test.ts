/** Which calls yield, and which continue. */
import { afterEach, expect, test, vi } from 'vitest'
import { timeSliceExpired, yieldToEventLoop } from '../../src/base/scheduling.ts'

afterEach(async () => {
  // Otherwise the time slice of a test would begin in the future, for the next test and the files after this one.
  setClock(Number.MAX_SAFE_INTEGER)
  const yielding = yieldToEventLoop()
  vi.restoreAllMocks()
  await yielding
})

/** Sets the clock of the thread, in milliseconds. It must be later than before. */
function setClock(now: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(now)
}

test('after one call yields, the others continue with a time slice of their own', async () => {
  setClock(1e9)
  const ended: string[] = []
  await Promise.all(['first', 'second', 'third'].map((name) => yieldToEventLoop().then(() => ended.push(name))))
  expect(ended).toEqual(['second', 'third', 'first'])
})

test('a call that continues after another yielded also yields when its own slice is used up', async () => {
  setClock(2e9)
  const first = yieldToEventLoop()
  expect(timeSliceExpired()).toBe(false)
  setClock(2e9 + 10)
  expect(timeSliceExpired()).toBe(true)
  await first
})
