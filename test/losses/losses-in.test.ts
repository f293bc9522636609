import { expect, test } from 'vitest'
import { lossesIn, wordLossesIn } from '../../src/losses/losses-in.ts'

test('at most 100 losses are reported', () => {
  const words = Array.from({ length: 200 }, (_, index) => `w${index}x`)
  expect(lossesIn(words.join(' '), '')).toHaveLength(100)
})

test('words alone are compared without markup', () => {
  const source = '3. one <b class="x">two</b> &nbsp; <!-- three -->\n\n```js\nfour\n```\n\n5 6'
  expect(wordLossesIn(source, [{ type: 'text', text: 'one', content: [{ type: 'code', text: 'four' }] }])).toEqual([
    { kind: 'word', value: 'two', line: 1 },
    { kind: 'number', value: '5', line: 7 },
    { kind: 'number', value: '6', line: 7 },
  ])
})
