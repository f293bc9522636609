import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runToCompletion } from '../../src/base/scheduling.ts'
import { parseBoundedJson, readJson, readJsonInChunks } from '../../src/call/read-json.ts'
import { LONGEST_PAUSE_OF_LARGE_CALLS, longestPause } from '../pattern/pauses.ts'
import { runs } from '../support/runs.ts'

const jsonFault = (text: string) => {
  const read = runToCompletion(parseBoundedJson(text))
  return 'fault' in read ? read.fault : undefined
}

describe('JSON that is none: where, what was expected, what was found', () => {
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
      `Expected ${expected} of the body, which is to be JSON, found ${found}; mend it there.`,
    )
  })

  test('ten thousand levels are no matter', () => {
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

/** JSON with some of its characters replaced, left out, or put in. */
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

test('a fault is found exactly in what the engine refuses', () => {
  fc.assert(
    fc.property(fc.oneof(broken, fc.string()), (text) => {
      expect(jsonFault(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: runs(200, 5000) },
  )
})

test('what stands before a fault is the beginning of some JSON', () => {
  // The beginning is mended by closing what is open: whatever was expected there is put in first.
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

test('of keys that come twice the last counts, and odd keys are as any', () => {
  expect(readJson('{"a":1,"a":2,"__proto__":3}', 'the body')).toEqual(JSON.parse('{"a":2,"__proto__":3}'))
})

test('what JSON may hold is bounded by exact counts, whatever its strings say', () => {
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

describe('what is long', () => {
  const MANY = 10_000_000
  const filled = (before: string, each: string, after: string) =>
    `${before}${each.repeat((MANY - before.length - after.length) / each.length)}${after}`

  const TOO_LARGE = 'Expected a call of less than 5 MiB, found more; split it into several calls.'

  test.each([
    ['objects', filled('[', '{},', '0]'), TOO_LARGE],
    ['numbers', filled('{"a":[', '0,', '0]}'), TOO_LARGE],
    [
      'brackets',
      '['.repeat(MANY),
      'Expected blocks nested at most 64 levels deep in one call, found more; add the inner ones to their page by a further call.',
    ],
    [
      'fields',
      `{${Array.from({ length: 850_000 }, (_, index) => `"k${index}":1`).join()}}`,
      'Expected at most 10,000 fields in one object, found more; leave out those that mean nothing.',
    ],
    [
      'a name',
      filled('{"', 'x', '":1}'),
      "Expected a field's name of at most 16,384 characters, found a longer one; leave it out.",
    ],
  ])('and no call can hold ten million characters of %s, which holds nobody up', async (_, text, message) => {
    const said: string[] = []
    const read = () => readJsonInChunks(text, 'the body').catch((error: Error) => said.push(error.message))
    expect(await longestPause(read, undefined, LONGEST_PAUSE_OF_LARGE_CALLS)).toBeLessThan(LONGEST_PAUSE_OF_LARGE_CALLS)
    expect(new Set(said)).toEqual(new Set([message]))
  })

  test.each([
    ['blocks', filled('[', '{"type":"text","markdown":"some words"},', '{}]')],
    ['many objects', filled('[', '{"name":"value"},', '{"b":2}]')],
    ['one text', filled('{"a":"', 'x', '"}')],
    ['a text of escapes', filled('{"a":"', '\\u00e9\\n', '"}')],
    ['white space', filled('{"a":', ' \n', '1}')],
    ['digits', filled('{"a":', '9', '}')],
  ])('ten million characters of %s hold nobody up', async (_, text) => {
    let value: unknown
    const read = async () => {
      value = await readJsonInChunks(text, 'the body')
    }
    expect(await longestPause(read, undefined, LONGEST_PAUSE_OF_LARGE_CALLS)).toBeLessThan(LONGEST_PAUSE_OF_LARGE_CALLS)
    expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true)
  })

  test.each([
    ['a text', filled('{"a":"', 'é', ''), 'the closing quote of the string at line 1, column 10000001'],
    ['lines', filled('[', '"a line of words",\n', ''), 'a value at line 526316, column 1'],
  ])('nor does a fault at the end of %s', async (_, text, expected) => {
    const said: string[] = []
    const read = () => readJsonInChunks(text, 'the body').catch((error: Error) => said.push(error.message))
    expect(await longestPause(read, undefined, LONGEST_PAUSE_OF_LARGE_CALLS)).toBeLessThan(LONGEST_PAUSE_OF_LARGE_CALLS)
    const message = `Expected ${expected} of the body, which is to be JSON, found the end; mend it there.`
    expect(new Set(said)).toEqual(new Set([message]))
  })
})
