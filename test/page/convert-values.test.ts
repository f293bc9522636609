/** The conversion of values when the type of a column changes. */
import { expect, test } from 'vitest'
import { convertValue } from '../../src/page/collections/convert-values.ts'
import type { PropertyType } from '../../storage/schema.ts'

test.each<[unknown, PropertyType, unknown]>([
  ['12', 'number', 12],
  ['1,234.5', 'number', 1234.5],
  ['12 000', 'number', 12_000],
  ['-.5', 'number', -0.5],
  ['1.234,5', 'number', undefined],
  ['12 men', 'number', undefined],
  [12.5, 'text', '12.5'],
  [true, 'text', 'yes'],
  [['near', 'far'], 'text', 'near, far'],
  [{ start: '2026-11-17', end: '2026-11-19' }, 'text', '2026-11-17 – 2026-11-19'],
  ['4', 'rating', 4],
  [6, 'rating', undefined],
  [2.5, 'rating', undefined],
  ['Yes', 'boolean', true],
  [0, 'boolean', false],
  ['perhaps', 'boolean', undefined],
  ['2026-02-28', 'date', '2026-02-28'],
  ['2026-02-30', 'date', undefined],
  ['next week', 'date', undefined],
  ['near', 'singleSelect', 'near'],
  [['near'], 'singleSelect', 'near'],
  [['near', 'far'], 'singleSelect', undefined],
  ['two\nlines', 'singleSelect', undefined],
  ['near, far', 'multiSelect', ['near', 'far']],
  ['https://example.org/a', 'url', 'https://example.org/a'],
  ['javascript:alert(1)', 'url', undefined],
  ['anna@example.org', 'email', 'anna@example.org'],
  ['Anna', 'email', undefined],
  ['+49 451 12-34', 'phone', '+49 451 12-34'],
  ['call me', 'phone', undefined],
  ['Crane 1', 'relation', undefined],
  [{ relations: [{ blockId: '100000000001' }] }, 'text', undefined],
  ['', 'text', undefined],
])('%j as %s', (value, type, expected) => {
  expect(convertValue(value, { type })).toEqual(expected)
})

test('a rating has as many stars as the new column allows', () => {
  expect(convertValue(6, { type: 'rating', config: { max: 10 } })).toBe(6)
})
