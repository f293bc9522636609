/** A count and its noun come from one formatter: `1 document`, `2,000 documents`, `2 entries`. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatCount, formatNumber } from '../src/base/format-number.ts'

const root = join(import.meta.dirname, '..')

test.each([
  [0, 'document', '0 documents'],
  [1, 'document', '1 document'],
  [2000, 'document', '2,000 documents'],
  [2, 'entry', '2 entries'],
  [2, 'day', '2 days'],
  [2, 'match', '2 matches'],
  [2, 'document to search', '2 documents to search'],
  [1, 'part of the difference', '1 part of the difference'],
])('%d %s', (count, noun, text) => expect(formatCount(count, noun)).toBe(text))

test.each([
  [1234567, '1,234,567'],
  [71675.3, '71,675.3'],
  [-1234, '-1,234'],
  [999, '999'],
])('%d', (value, text) => expect(formatNumber(value)).toBe(text))

test('no other source chooses between a noun and its plural', () => {
  const written = globSync('{src,storage,tools}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/=== 1 \? '(\w+)' : '(\w+)'/g)]
      .filter(([, one = '', many]) => formatCount(2, one) === `2 ${many}`)
      .map(([text]) => `${file}: ${text}`),
  )
  expect(written).toEqual([])
})
