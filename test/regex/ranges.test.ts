/** Sets of characters as ranges, compared with plain sets. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codePointsIn,
  includesCodePoint,
  LAST_CODE_POINT,
  negateRanges,
  type Ranges,
  rangesSize,
  unionRanges,
} from '../../src/regex/ranges.ts'

/** Close to both ends of Unicode, so that ranges touch these ends and each other. */
const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: LAST_CODE_POINT - 12, max: LAST_CODE_POINT }),
)
const range = fc.tuple(codePoint, codePoint).map(([one, other]) => [Math.min(one, other), Math.max(one, other)])
/** Excludes ranges that span from one end to the other, since counting their characters would take seconds. */
const short = range.filter(([from = 0, to = 0]) => to - from < 100)
const anyOrder = fc.array(short, { maxLength: 6 }).map((pairs) => pairs.flat())

const plain = (ranges: Ranges): number[] => {
  const found = new Set<number>()
  for (let at = 0; at < ranges.length; at += 2) {
    for (let code = ranges[at] ?? 0; code <= (ranges[at + 1] ?? -1); code++) found.add(code)
  }
  return [...found].sort((one, other) => one - other)
}

describe('sets of characters', () => {
  test('are merged into sorted ranges that do not touch', () => {
    fc.assert(
      fc.property(anyOrder, (ranges) => {
        const set = unionRanges(ranges)
        expect([...codePointsIn(set)]).toEqual(plain(ranges))
        expect(rangesSize(set)).toBe(plain(ranges).length)
        for (let at = 2; at < set.length; at++) {
          // A range may be a single character. Between two ranges there is at least one character that is in neither.
          expect((set[at] ?? 0) - (set[at - 1] ?? 0)).toBeGreaterThanOrEqual(at % 2 === 0 ? 2 : 0)
        }
      }),
      { examples: [[[5, 9, 1, 3, 4, 4]], [[1, 9, 2, 3]], [[1, 3, 3, 5]]] },
    )
  })

  test('exclude what their complement contains', () => {
    fc.assert(
      fc.property(anyOrder, (ranges) => {
        const set = unionRanges(ranges)
        const contrary = negateRanges(set)
        expect(rangesSize(set) + rangesSize(contrary)).toBe(LAST_CODE_POINT + 1)
        expect(negateRanges(contrary)).toEqual(set)
        for (let at = 0; at < contrary.length; at += 2) {
          expect(contrary[at] ?? 0).toBeLessThanOrEqual(contrary[at + 1] ?? -1)
        }
        for (const code of [...plain(ranges), 0, 6, 12, LAST_CODE_POINT]) {
          expect(includesCodePoint(contrary, code)).toBe(!includesCodePoint(set, code))
        }
      }),
      { examples: [[[]], [[0, 3]], [[LAST_CODE_POINT, LAST_CODE_POINT]]] },
    )
  })

  test('contain exactly their members', () => {
    fc.assert(
      fc.property(anyOrder, codePoint, (ranges, code) => {
        expect(includesCodePoint(unionRanges(ranges), code)).toBe(plain(ranges).includes(code))
      }),
    )
  })
})
