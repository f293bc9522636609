/** Levels of blocks when they are indented and outdented: none gets lost below its neighbors, or past the left edge. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LEVEL, nestedLevels } from '../../src/page/assets/editing/blocks/block-levels.ts'
import { runs } from '../support/runs.ts'

test('when indented, blocks are nested below the one before them', () => {
  expect(nestedLevels({ before: 0, levels: [0, 1, 0] }, 1)).toEqual([1, 2, 1])
  expect(nestedLevels({ before: 2, levels: [1] }, 1)).toEqual([2])
})

test('when indented, they stay at the beginning of the page, at the maximum level, and directly below their parent', () => {
  expect(nestedLevels({ before: undefined, levels: [0, 0] }, 1)).toEqual([0, 0])
  expect(nestedLevels({ before: 0, levels: [1, 0] }, 1)).toEqual([1, 0])
  expect(nestedLevels({ before: MAX_LEVEL - 1, levels: [MAX_LEVEL - 1, MAX_LEVEL] }, 1)).toEqual([4, 5])
})

test('when outdented, blocks at the left edge stay there with their children', () => {
  expect(nestedLevels({ before: 1, levels: [1, 2, 0, 1] }, -1)).toEqual([0, 1, 0, 1])
  expect(nestedLevels({ before: 2, levels: [2, 1] }, -1)).toEqual([1, 0])
})

test('no level is out of range, or more than one deeper than the block before', () => {
  const step = fc.integer({ min: -MAX_LEVEL, max: 1 })
  const levels = fc.array(step, { minLength: 1, maxLength: 8 }).map((steps) => {
    let level = 0
    return steps.map((by) => {
      level = Math.min(MAX_LEVEL, Math.max(0, level + by))
      return level
    })
  })
  fc.assert(
    fc.property(levels, fc.constantFrom(-1 as const, 1 as const), (all, by) => {
      const [before, ...run] = all
      const nested = nestedLevels({ before, levels: run }, by)
      expect(nested).toHaveLength(run.length)
      for (const [index, level] of nested.entries()) {
        expect(level).toBeGreaterThanOrEqual(0)
        expect(level).toBeLessThanOrEqual(MAX_LEVEL)
        expect(level).toBeLessThanOrEqual((index === 0 ? (before ?? 0) : (nested[index - 1] ?? 0)) + 1)
      }
    }),
    { numRuns: runs(200, 10_000) },
  )
})
