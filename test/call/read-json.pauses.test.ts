import { describe, expect, test } from 'vitest'
import { readJsonInChunks } from '../../src/call/input/read-json.ts'
import { LONGEST_PAUSE_OF_LARGE_CALLS, longestPause } from '../support/pauses.ts'

describe('long texts', () => {
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
  ])('a call with ten million characters of %s does not block the event loop', async (_, text, message) => {
    const messages: string[] = []
    const read = () => readJsonInChunks(text, 'the body').catch((error: Error) => messages.push(error.message))
    expect(await longestPause(read, undefined, LONGEST_PAUSE_OF_LARGE_CALLS)).toBeLessThan(LONGEST_PAUSE_OF_LARGE_CALLS)
    expect(new Set(messages)).toEqual(new Set([message]))
  })

  test.each([
    ['blocks', filled('[', '{"type":"text","markdown":"some words"},', '{}]')],
    ['many objects', filled('[', '{"name":"value"},', '{"b":2}]')],
    ['one text', filled('{"a":"', 'x', '"}')],
    ['a text of escapes', filled('{"a":"', '\\u00e9\\n', '"}')],
    ['a text of quotes', filled('{"a":"', '\\"', '"}')],
    ['white space', filled('{"a":', ' \n', '1}')],
    ['digits', filled('{"a":', '9', '}')],
  ])('ten million characters of %s do not block the event loop', async (_, text) => {
    let value: unknown
    const read = async () => {
      value = await readJsonInChunks(text, 'the body')
    }
    // JSON.parse cannot be split. On a slow machine, it is all that may take longer.
    const bound = Math.max(LONGEST_PAUSE_OF_LARGE_CALLS, 1.5 * (await longestPause(async () => JSON.parse(text))))
    expect(await longestPause(read, undefined, bound)).toBeLessThan(bound)
    expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true)
  })

  test.each([
    ['a text', filled('{"a":"', 'é', ''), 'the closing quote of the string at line 1, column 10000001'],
    ['lines', filled('[', '"a line of words",\n', ''), 'a value at line 526316, column 1'],
  ])('nor does an error at the end of %s', async (_, text, expected) => {
    const messages: string[] = []
    const read = () => readJsonInChunks(text, 'the body').catch((error: Error) => messages.push(error.message))
    expect(await longestPause(read, undefined, LONGEST_PAUSE_OF_LARGE_CALLS)).toBeLessThan(LONGEST_PAUSE_OF_LARGE_CALLS)
    const message = `Expected ${expected} of the body, which is to be JSON, found the end; correct it there.`
    expect(new Set(messages)).toEqual(new Set([message]))
  })
})
