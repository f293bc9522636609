/** Numbers of consecutive list items. */
import { expect, test } from 'vitest'
import { ListNumbers } from '../../src/page/blocks/list-numbers.ts'

/** `1` is a numbered item at the first indentation level, `-` a block without a number at the top level. */
function numbersOf(blocks: string): string {
  const numbers = new ListNumbers()
  return [...blocks]
    .map((mark) => numbers.next({ level: Number(mark) || 0, isNumbered: mark !== '-' }) || '-')
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
