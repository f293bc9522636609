import { expect, test } from 'vitest'
import { dataviewFields } from '../../../src/import/markdown/query-fields.ts'

test('a long run of spaces is read quickly', () => {
  const begun = performance.now()
  expect(dataviewFields(`TABLE a${' '.repeat(300_000)}b`)).toMatch(/^a +b$/)
  expect(performance.now() - begun).toBeLessThan(1_000)
})
