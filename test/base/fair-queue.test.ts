/** Who is next when several ask for work that runs one piece at a time. */
import { expect, test } from 'vitest'
import { FairQueue, forOwner } from '../../src/base/fair-queue.ts'

/** Starts pieces of work of the given owners at once. @returns the order in which they ran */
async function orderOf(owners: readonly string[], fails = (_: number): boolean => false): Promise<string> {
  const queue = new FairQueue()
  const order: string[] = []
  await Promise.allSettled(
    owners.map((owner, index) =>
      forOwner(owner, () =>
        queue.run(async () => {
          order.push(owner)
          await Promise.resolve()
          if (fails(index)) throw new Error('no such luck')
        }),
      ),
    ),
  )
  return order.join(' ')
}

test('owners take turns, however much one of them asks for', async () => {
  expect(await orderOf(['a', 'a', 'a', 'a', 'b'])).toBe('a a b a a')
  expect(await orderOf(['a', 'a', 'a', 'b', 'b', 'c'])).toBe('a a b c a b')
})

test('work that fails lets the next one begin', async () => {
  expect(await orderOf(['a', 'a', 'b'], (index) => index === 0)).toBe('a a b')
})

test('one piece runs at a time, also if another comes while the next is about to start', async () => {
  const queue = new FairQueue()
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
  }
  const first = queue.run(work)
  const second = queue.run(work)
  const third = first.then(() => queue.run(work))
  await Promise.all([first, second, third])
  expect(most).toBe(1)
})
