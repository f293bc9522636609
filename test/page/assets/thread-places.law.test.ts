/** Threads beside a text never overlap, and each is as near to its words as the others allow. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { threadTops } from '../../../src/page/assets/thread-places.ts'

const at = (top: number, height = 40) => ({ top, height })
const place = { least: 0, gap: 10 }

test('threads stand at their words where there is room', () => {
  expect(threadTops([at(20), at(200), at(300)], place)).toEqual([20, 200, 300])
})

test('threads of one line follow each other', () => {
  expect(threadTops([at(20), at(20), at(30)], place)).toEqual([20, 70, 120])
})

test('those before the one that is shown make room for it', () => {
  expect(threadTops([at(100), at(110), at(120)], { ...place, shown: 2 })).toEqual([20, 70, 120])
})

test('those that have no room above the one that is shown stand below it', () => {
  expect(threadTops([at(0), at(0), at(60)], { ...place, shown: 2 })).toEqual([110, 0, 60])
})

test('none overlaps another one or begins above the text, and the one that is shown stands at its words', () => {
  const thread = fc.record({ top: fc.nat(2_000), height: fc.integer({ min: 1, max: 400 }) })
  const threads = fc.array(thread, { minLength: 1, maxLength: 20 }).map((all) => all.toSorted((a, b) => a.top - b.top))
  fc.assert(
    fc.property(threads, fc.nat(30), fc.nat(100), (all, shown, least) => {
      const tops = threadTops(all, { least, gap: 10, shown: shown < all.length ? shown : undefined })
      const boxes = all.map(({ height }, index) => ({ top: tops[index] ?? 0, height }))
      const down = boxes.toSorted((one, other) => one.top - other.top)
      for (const [index, { top }] of down.entries()) {
        expect(top).toBeGreaterThanOrEqual(least)
        const before = down[index - 1]
        if (before !== undefined) expect(top).toBeGreaterThanOrEqual(before.top + before.height + 10)
      }
      const own = all[shown]
      if (own !== undefined) expect(tops[shown]).toBe(Math.max(own.top, least))
    }),
  )
})
