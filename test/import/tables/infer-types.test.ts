/** A column only gets a type that fits every value. */
import { expect, test } from 'vitest'
import { inferColumn } from '../../../src/import/tables/infer-types.ts'

const typed = (...texts: string[]) => {
  const { type, toValue } = inferColumn(texts)
  return [type, texts.map(toValue)]
}

test.each([
  [['Yes', 'No', ''], 'boolean', [true, false, undefined]],
  [['1', '-2.5'], 'number', [1, -2.5]],
  [['March 1, 2024', '2024/03/02'], 'date', ['2024-03-01', '2024-03-02']],
  [['March 1, 2024 → March 3, 2024'], 'date', ['2024-03-01/2024-03-03']],
  [['https://a.example/x'], 'url', ['https://a.example/x']],
  [['me@a.example'], 'email', ['me@a.example']],
  [['Open', 'Open', 'Done', 'Done'], 'singleSelect', ['Open', 'Open', 'Done', 'Done']],
  [['a, b', 'b', 'a', 'a, b'], 'multiSelect', [['a', 'b'], ['b'], ['a'], ['a', 'b']]],
])('%j is %s', (texts, type, values) => {
  expect(typed(...texts)).toEqual([type, values])
})

test.each([
  ['one value that is none', ['1', '2', 'three']],
  ['a number that would lose its zeros', ['1', '007x']],
  ['a day with a time, which would be lost', ['March 1, 2024 8:45 AM']],
  ['a day that there is not', ['February 30, 2024']],
  ['an address that runs something', ['javascript:alert(1)']],
  ['words that do not come again', ['Open', 'Done', 'Waiting']],
  ['nothing at all', ['', '']],
])('%s is text', (_, texts) => {
  expect(inferColumn(texts).type).toBe('text')
})

test('the type given by a source is used if every value fits', () => {
  expect(inferColumn(['Open', 'Done'], 'singleSelect').type).toBe('singleSelect')
  expect(inferColumn(['+1 555 123456'], 'phone').type).toBe('phone')
  expect(inferColumn(['R$67.3', '12'], 'number').type).toBe('text')
  expect(inferColumn(['Yes'], 'text').type).toBe('text')
})
