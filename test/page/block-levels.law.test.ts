/** Levels of blocks that are nested further in or out: none is lost below its neighbors, or above the edge. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LEVEL, nestedLevels } from '../../src/page/assets/editing/blocks/block-levels.ts'
import { runs } from '../support/runs.ts'

test('further in, blocks go together below the one before them', () => {
  expect(nestedLevels({ before: 0, levels: [0, 1, 0] }, 1)).toEqual([1, 2, 1])
  expect(nestedLevels({ before: 2, levels: [1] }, 1)).toEqual([2])
})

test('further in, they stay at the beginning of the page, as deep as it gets, and right below what holds them', () => {
  expect(nestedLevels({ before: undefined, levels: [0, 0] }, 1)).toEqual([0, 0])
  expect(nestedLevels({ before: 0, levels: [1, 0] }, 1)).toEqual([1, 0])
  expect(nestedLevels({ before: MAX_LEVEL - 1, levels: [MAX_LEVEL - 1, MAX_LEVEL] }, 1)).toEqual([4, 5])
})

test('further out, what stands at the edge stays there with what is nested below it', () => {
  expect(nestedLevels({ before: 1, levels: [1, 2, 0, 1] }, -1)).toEqual([0, 1, 0, 1])
  expect(nestedLevels({ before: 2, levels: [2, 1] }, -1)).toEqual([1, 0])
})

test('no level leaves its bounds, or is deeper than one below the block before', () => {
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
