import { expect, test } from 'vitest'
import { compareWithKnown } from './known-losses.ts'

test('what fails and is not known is a fault, and so is what is known and no longer fails', () => {
  const failed = new Map([
    ['a', 'Expected 1.'],
    ['b', 'Expected 2.'],
  ])
  expect(compareWithKnown('case', { a: 'one', c: 'three' }, failed)).toEqual([
    'case b: Expected 2.',
    'case c no longer fails: remove it from known-losses.ts (three).',
  ])
  expect(compareWithKnown('case', { a: 'one', b: 'two' }, failed)).toEqual([])
})
