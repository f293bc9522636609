import { expect, test } from 'vitest'
import { dataviewFields } from '../../../src/import/markdown/query-fields.ts'

test('a long run of spaces is read, which takes hours where each is tried with each', () => {
  expect(dataviewFields(`TABLE a${' '.repeat(300_000)}b`)).toMatch(/^a +b$/)
})
