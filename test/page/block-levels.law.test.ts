/** Levels of blocks when they are indented and outdented: none gets lost below its neighbors, or past the left edge. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIST_LEVELS } from '../../src/markdown/block.ts'
import { nestedLevels } from '../../src/page/assets/model/block-levels.ts'
import { runs } from '../support/runs.ts'

test('when indented, blocks are nested below the one before them', () => {
  expect(nestedLevels({ before: 0, levels: [0, 1, 0] }, 1)).toEqual([1, 2, 1])
  expect(nestedLevels({ before: 2, levels: [1] }, 1)).toEqual([2])
})

test('when indented, they stay at the beginning of the page, at the maximum level, and directly below their parent', () => {
  expect(nestedLevels({ before: undefined, levels: [0, 0] }, 1)).toEqual([0, 0])
  expect(nestedLevels({ before: 0, levels: [1, 0] }, 1)).toEqual([1, 0])
  expect(nestedLevels({ before: LIST_LEVELS - 1, levels: [LIST_LEVELS - 1, LIST_LEVELS] }, 1)).toEqual([
    LIST_LEVELS - 1,
    LIST_LEVELS,
  ])
})

test('when outdented, blocks at the left edge stay there with their children', () => {
  expect(nestedLevels({ before: 1, levels: [1, 2, 0, 1] }, -1)).toEqual([0, 1, 0, 1])
  expect(nestedLevels({ before: 2, levels: [2, 1] }, -1)).toEqual([1, 0])
})

test('no level is out of range, or more than one deeper than the block before', () => {
  const step = fc.integer({ min: -LIST_LEVELS, max: 1 })
  const levels = fc.array(step, { minLength: 1, maxLength: 8 }).map((steps) => {
    let level = 0
    return steps.map((by) => {
      level = Math.min(LIST_LEVELS, Math.max(0, level + by))
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
        expect(level).toBeLessThanOrEqual(LIST_LEVELS)
        expect(level).toBeLessThanOrEqual((index === 0 ? (before ?? 0) : (nested[index - 1] ?? 0)) + 1)
      }
    }),
    { numRuns: runs(200, 10_000) },
  )
})
