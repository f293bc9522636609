/** Only a few imports have a thread at the same time; one that does not use its thread makes room for another. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImportTurns } from '../../src/import/import-turns.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Imports A and B have the two turns. What happens is noted. */
async function twoOfThree() {
  const turns = new ImportTurns(2)
  const noted: string[] = []
  const [a, b, c] = ['A', 'B', 'C'].map((name) => ({ name, giveUp: () => void noted.push(`${name} ended`) }))
  if (a === undefined || b === undefined || c === undefined) throw new Error('Expected three imports.')
  const use = (one: typeof a) => turns.run(one, async () => void noted.push(`${one.name} works`))
  await use(a)
  await use(b)
  return { turns, noted, a, b, c, use }
}

test('the third waits until one of the first two has ended, and works of the first two do not', async () => {
  const { turns, noted, a, b, c, use } = await twoOfThree()
  const third = Promise.all([use(c), use(c)])
  await use(a)
  turns.end(b)
  await third
  expect(noted).toEqual(['A works', 'B works', 'A works', 'C works', 'C works'])
})

test('an import that does not use its thread for five seconds loses it to one that waits, and gets its turn again', async () => {
  const { turns, noted, a, b, c, use } = await twoOfThree()
  const never = Promise.withResolvers<void>()
  const working = turns.run(a, () => never.promise)
  const third = use(c)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(noted).toEqual(['A works', 'B works'])
  await vi.advanceTimersByTimeAsync(1_000)
  await third
  expect(noted).toEqual(['A works', 'B works', 'B ended', 'C works'])
  const again = use(b)
  turns.end(c)
  await again
  expect(noted.at(-1)).toBe('B works')
  never.resolve()
  await working
})

test('while no one waits, no thread is ended', async () => {
  const { noted } = await twoOfThree()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(noted).toEqual(['A works', 'B works'])
})
