import { expect, test } from 'vitest'
import { textWithoutPrefix } from '../../src/markdown/text-without-prefix.ts'

test.each([
  ['a **b**', {}, 'a **b**'],
  ['## Head', { textStyle: 'h2' }, 'Head'],
  ['  - [x] done\n    more', { indentationLevel: 1, listStyle: 'task', taskInfo: { state: 'done' } }, 'done\nmore'],
  ['1. one\n   two', { listStyle: 'numbered' }, 'one\ntwo'],
  ['> quoted\n> twice', { decorations: { quote: true } }, 'quoted\ntwice'],
  ['> one line,\u2029> no mark in it', { decorations: { quote: true } }, 'one line,\u2029> no mark in it'],
  ['<callout>Take care</callout>', { decorations: { callout: true } }, 'Take care'],
  ['<caption>Small</caption>', { textStyle: 'caption' }, 'Small'],
  ['<card cardLayout="small">On a card</card>', { textStyle: 'card' }, 'On a card'],
  ['<br>', {}, ''],
  ['\\# no heading', {}, '\\# no heading'],
] as const)('%j', (markdown, fields, words) => {
  expect(textWithoutPrefix(markdown, { type: 'text', ...fields })).toBe(words)
})

test('a table in a callout is only the table', () => {
  const table = '| a | b |\n| --- | --- |\n| 1 | 2 |'
  const fields = { type: 'table', decorations: { callout: true } } as const
  expect(textWithoutPrefix(`<callout>\n${table}\n</callout>`, fields)).toBe(table)
})
