import { expect, test } from 'vitest'
import { baseFields, dataviewFields } from '../../../src/import/markdown/query-fields.ts'

test.each([
  ['TABLE a, b AS "B, C" FROM #tag', 'a, b'],
  ['TABLE WITHOUT ID file.link as Note, sum(rows.x, 1) AS\t"Sum"\nWHERE a', 'file.link, sum(rows.x, 1)'],
  ['LIST author SORT date', 'author'],
  ['TASK FROM "x"', ''],
])('a query shows the fields of its columns: %s', (query, fields) => {
  expect(dataviewFields(query)).toBe(fields)
})

test('a Base shows its properties, the columns of its views and its formulas', () => {
  const base = 'properties:\n  note.a: {}\nformulas:\n  f: a + 1\nviews:\n  - order: [file.name, a]\n'
  expect(baseFields(base)).toBe('a, file.name, formula.f')
})
