import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runToCompletion } from '../../src/base/work-steps.ts'
import { parseBoundedJson, readJson } from '../../src/call/input/read-json.ts'
import { runs } from '../support/runs.ts'

const jsonFault = (text: string) => {
  const read = runToCompletion(parseBoundedJson(text))
  return 'fault' in read ? read.fault : undefined
}

describe('invalid JSON: where, what was expected, what was found', () => {
  test.each([
    ['', 'a value at line 1, column 1', 'the end'],
    ['{', 'a key in double quotes or } at line 1, column 2', 'the end'],
    ['{"a": 1,}', 'a key in double quotes at line 1, column 9', '"}"'],
    ['[1, 2,]', 'a value at line 1, column 7', '"]"'],
    ['[,]', 'a value or ] at line 1, column 2', '","'],
    ['{\n  "a": undefined\n}', 'a value at line 2, column 8', '"undefined"'],
    ['{\r\n  a: 1\r\n}', 'a key in double quotes or } at line 2, column 3', '"a"'],
    ["{'a': 1}", 'a key in double quotes or } at line 1, column 2', '"\'"'],
    ['{"a" 1}', 'a colon at line 1, column 6', '"1"'],
    ['{"é😀": 1 "b": 2}', 'a comma or } at line 1, column 10', '"\\""'],
    ['[1 2]', 'a comma or ] at line 1, column 4', '"2"'],
    ['[01]', 'a comma or ] at line 1, column 3', '"1"'],
    ['[1.]', 'a comma or ] at line 1, column 3', '"."'],
    ['[+1]', 'a value or ] at line 1, column 2', '"+"'],
    ['{} {}', 'the end at line 1, column 4', '"{"'],
    ['{"a": "b', 'the closing quote of the string at line 1, column 9', 'the end'],
    ['{"a": "b\n"}', 'a string without line breaks and control characters at line 1, column 9', '"\\n"'],
    ['{"a": "\\d"}', 'an escape such as \\n or \\u00e9 in the string at line 1, column 8', '"\\\\d"'],
    ['{"a": "\\u12g4"}', 'an escape such as \\n or \\u00e9 in the string at line 1, column 8', '"\\\\u12g4"'],
    ['[True]', 'a value or ] at line 1, column 2', '"True"'],
    ['nullx', 'the end at line 1, column 5', '"x"'],
    ['# Title', 'a value at line 1, column 1', '"#"'],
    [`[${'ab'.repeat(50)}]`, 'a value or ] at line 1, column 2', `"${'ab'.repeat(10)}"`],
  ])('%j', (text, expected, found) => {
    expect(() => readJson(text, 'the body')).toThrow(
      `Expected ${expected} of the body, which is to be JSON, found ${found}; correct it there.`,
    )
  })

  test('ten thousand levels are no problem', () => {
    const text = '[{"a":'.repeat(5_000)
    expect(jsonFault(text)).toMatchObject({ at: text.length, expected: 'a value' })
  })
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with some characters replaced, removed, or inserted. */
const broken = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.array(fc.tuple(fc.nat(200), fc.nat(2), fc.constantFrom(...'{}[],:"\\0-1.eEtnu \n\t\u0001')), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((before, [at, remove, put]) => {
      const place = at % (before.length + 1)
      return before.slice(0, place) + put + before.slice(place + remove)
    }, text),
  )

test('an error is found exactly if the engine rejects the text', () => {
  fc.assert(
    fc.property(fc.oneof(broken, fc.string()), (text) => {
      expect(jsonFault(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: runs(200, 5000) },
  )
})

test('the text before an error is the beginning of some JSON', () => {
  // The prefix is completed by closing what is open, after inserting whatever was expected there.
  const CLOSINGS = ['', '0', '"a":0', ':0', '"', '0"']
  const canGoOn = (text: string) => {
    const open: string[] = []
    let isInString = false
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (isInString && character === '\\') at += 1
      else if (character === '"') isInString = !isInString
      else if (!isInString && (character === '{' || character === '[')) open.unshift(character === '{' ? '}' : ']')
      else if (!isInString && (character === '}' || character === ']')) open.shift()
    }
    return [...CLOSINGS, '":0'].some((closing) => isJson(text + closing + open.join('')))
  }
  fc.assert(
    fc.property(broken, (text) => {
      const fault = jsonFault(text)
      if (fault !== undefined) expect(canGoOn(text.slice(0, fault.at)), text).toBe(true)
    }),
    { numRuns: runs(200, 2000) },
  )
})

test('of duplicate keys the last one counts, and unusual keys are ordinary', () => {
  expect(readJson('{"a":1,"a":2,"__proto__":3}', 'the body')).toEqual(JSON.parse('{"a":2,"__proto__":3}'))
})

test('the size of JSON is limited by exact counts, whatever its strings contain', () => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"[,{:\\\\${index}\\"":1`).join()}}`
  expect(() => readJson(fields(10_000), 'the body')).not.toThrow()
  expect(() => readJson(fields(10_001), 'the body')).toThrow('at most 10,000 fields')
  const name = (length: number) => `{"a":"${'x'.repeat(20_000)}","${'x'.repeat(length)}" : 1}`
  expect(() => readJson(name(16_384), 'the body')).not.toThrow()
  expect(() => readJson(name(16_385), 'the body')).toThrow('at most 16,384 characters')
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(() => readJson(nested(10_000), 'the body')).not.toThrow()
  expect(() => readJson(nested(10_001), 'the body')).toThrow('at most 64 levels')
  const values = (count: number) => `[${'0,'.repeat(count - 1)}0]`
  expect(() => readJson(values(1_500_000), 'the body')).not.toThrow()
  expect(() => readJson(values(1_500_001), 'the body')).toThrow('less than 5 MiB')
})
