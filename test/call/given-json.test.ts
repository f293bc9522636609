/** JSON in texts, as models write it, and where such a text is no JSON. */
import { expect, test } from 'vitest'
import { readShortJson } from '../../src/base/repair-json.ts'
import { runToCompletion } from '../../src/base/work-steps.ts'
import { describeJsonFault, parseGivenJson } from '../../src/call/input/given-json.ts'

const read = (text: string) => runToCompletion(parseGivenJson(text))

test.each([
  ['{"a":1}', { a: 1 }],
  [' [1, 2] ', [1, 2]],
  ['[1, 2,]', [1, 2]],
  ['{"a": [1, ], }', { a: [1] }],
  ['{"a":"one\ntwo\t"}', { a: 'one\ntwo\t' }],
  ['{"a":"1,]","b":"\\",}"}', { a: '1,]', b: '",}' }],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['~~~\n[1]\n~~~\n', [1]],
  [JSON.stringify('{"a":1}'), { a: 1 }],
  [JSON.stringify(JSON.stringify('[1,]')), [1]],
])('%j is %j', (text, value) => {
  expect(read(text)).toEqual(value)
})

test.each([
  '',
  'words',
  '"words"',
  '1',
  'null',
  '[1',
  '[,]',
  '{,}',
  '[1,,]',
  "{'a':1}",
  '```\nwords\n```',
  '```',
  '{"a":}',
])('%j stays a text', (text) => {
  expect(read(text)).toBe(text)
  expect(readShortJson(text)).toBe(text)
})

test.each([
  ['[{"a":1}', 'a comma or ] at line 1, column 9, found the end'],
  ["[{'a':1}]", `a key in double quotes or } at line 1, column 3, found "'"`],
  ['{"a":"x\ny",\n "b": True}', 'a value at line 3, column 7, found "True"'],
  ['[1,,2]', 'a value at line 1, column 4, found ","'],
  ['```json\n{"a" 1}\n```', 'a colon at line 2, column 6, found "1"'],
])('the fault of %j', (text, fault) => {
  expect(describeJsonFault(text)).toBe(fault)
})

test('what does not begin like JSON has no fault, and neither has what is read', () => {
  for (const text of ['words', '"words"', '[1, ]', '{"a":"\n"}', '```\n[1,]\n```']) {
    expect(describeJsonFault(text)).toBeUndefined()
  }
})
