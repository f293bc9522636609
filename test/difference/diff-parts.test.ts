import { describe, expect, test } from 'vitest'
import { DIFF_LINES, DIFF_PART_LENGTH } from '../../src/base/limits.ts'
import { beginningOfDiff, joinDiffs, partOfDiff } from '../../src/difference/diff-parts.ts'
import { PairCount } from '../../src/difference/pair-count.ts'
import { parseUnifiedDiff } from '../../src/difference/read-diff.ts'
import { writeArguments, writeUnifiedDiff } from '../../src/difference/unified-diff.ts'

const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}`)

const diffOf = (after: readonly string[], title = 'Plan', details: readonly string[] = []): string =>
  writeUnifiedDiff(
    { title, before: '', after: after.join('\n'), details: details.map((text) => ({ sign: '+', text })) },
    new PairCount(1_000_000),
  )

/** All parts, one after another. */
function partsOf(diff: string): string[] {
  const parts: string[] = []
  for (let index: number | undefined = 0; index !== undefined; ) {
    const part = partOfDiff(diff, index)
    if (part === undefined) throw new Error(`Expected part ${index}.`)
    expect(part.isDiffComplete).toBe(part.next === undefined)
    parts.push(part.diff)
    index = part.next
  }
  expect(partOfDiff(diff, parts.length)).toBeUndefined()
  return parts
}

const textsIn = (diff: string): string[] =>
  parseUnifiedDiff(diff).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)))

describe('a diff in parts', () => {
  test('is one part if it is short', () => {
    const diff = diffOf(['a'])
    expect(partOfDiff(diff, 0)).toEqual({ diff, isDiffComplete: true, count: 1 })
    expect(beginningOfDiff(diff)).toEqual({ diff, isDiffComplete: true })
  })

  test('has each of its lines once, in order, and says how many are left', () => {
    const texts = lines(DIFF_LINES + 5, 'text')
    const details = lines(DIFF_LINES, 'detail')
    const asked = lines(3, 'asked')
    const diff = joinDiffs(diffOf(texts, 'Plan', details), ...writeArguments('blocks_add', asked))
    const parts = partsOf(diff)
    expect(
      parts.map((part) => parseUnifiedDiff(part).map(({ title, notes, hunks }) => [title, notes, hunks.length])),
    ).toEqual([
      [
        ['Plan', [], 1],
        ['', [`And ${DIFF_LINES + 8} more lines.`], 0],
      ],
      [
        ['Plan', [], 2],
        ['', ['And 8 more lines.'], 0],
      ],
      [
        ['Plan', [], 1],
        ['blocks_add', [], 1],
      ],
    ])
    expect(parts.flatMap(textsIn)).toEqual([...texts, ...details, ...asked])
    expect(parts[1]).toContain(`@@ -0,0 +${DIFF_LINES + 1},5 @@\n+text ${DIFF_LINES}`)
  })

  test('is cut at its length as well, and a line that is longer is a part of its own', () => {
    const long = 'x'.repeat(DIFF_PART_LENGTH + 1)
    const texts = ['a', long, 'b', 'y'.repeat(DIFF_PART_LENGTH - 1), 'c', 'd']
    expect(partsOf(diffOf(texts)).map((part) => textsIn(part).map((text) => text.length))).toEqual([
      [1],
      [long.length],
      [1, DIFF_PART_LENGTH - 1],
      [1, 1],
    ])
  })

  test('knows what is code in a later part', () => {
    const parts = partsOf(diffOf(['```sh', ...lines(DIFF_LINES, 'code'), '<content>', '```']))
    expect(parseUnifiedDiff(parts[1] ?? '')[0]?.hunks[0]?.lines.map(({ fences: [, after] }) => after)).toEqual([
      '```',
      '```',
      '```',
    ])
  })
})
