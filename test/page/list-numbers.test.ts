/** Numbers of consecutive list items. */
import { expect, test } from 'vitest'
import { itemLabel, ListNumbers } from '../../src/markdown/list-numbers.ts'

/** `1` is a numbered item at the first indentation level, `-` a block without a number at the top level. */
function numbersOf(blocks: string): string {
  const numbers = new ListNumbers()
  return [...blocks]
    .map((mark) => {
      const level = Number(mark) || 0
      const item = numbers.next({ level, isNumbered: mark !== '-' })
      return item === undefined ? '-' : itemLabel(level, item)
    })
    .join(' ')
}

test.each([
  ['000', '1. 2. 3.'],
  ['0110', '1. a. b. 2.'],
  ['01010', '1. a. 2. a. 3.'],
  ['00-00', '1. 2. - 1. 2.'],
  // Nested content of any kind does not end the list of an item.
  ['0120', '1. a. 1. 2.'],
  ['2', '1.'],
])('%s', (blocks, expected) => {
  expect(numbersOf(blocks)).toBe(expected)
})

test('letters end with the alphabet', () => {
  expect(numbersOf('1'.repeat(27)).split(' ').slice(-2)).toEqual(['z.', '27.'])
})

test('a number of its own is counted from, and shown in digits on every level', () => {
  const numbers = new ListNumbers()
  const items = [7, undefined, undefined, 2].map((number) => numbers.next({ level: 1, isNumbered: true, number }))
  expect(items.map((item) => item && itemLabel(1, item))).toEqual(['7.', '8.', '9.', '2.'])
})
