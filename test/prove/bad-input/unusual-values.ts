/** Unexpected values for arguments. */
import type { Chance } from '../test-client/generated-calls.ts'

const nested = (depth: number, around: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = around(value)
  return value
}

const wide = (fields: number): object =>
  Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field_${index}`, index]))

/** Parsed from JSON, so that such keys are own properties, as in a request. */
const POLLUTING = [
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":[]}',
  '{"length":1000000000}',
  '{"then":"x"}',
]

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202e\u200b\ufeff',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '-0',
  '1e999',
  '0x10',
  '9'.repeat(400),
  "'; DROP TABLE block; --",
  '"',
  '\\',
  '%',
  '%00',
  '%ff%fe',
  '../../etc/passwd',
  '/etc/passwd',
  'file:///etc/passwd',
  'scriptorium://files/',
  'scriptorium://documents/%00',
  'block://',
  'javascript:alert(1)',
  'data:;base64,',
  '{',
  '[',
  '{"a":',
  '["a",',
  '[]',
  '{}',
  'true',
  '0000-00-00',
  '9999-12-31',
  '-271821-04-19',
  '+275760-09-13',
  '2026-02-30',
  '2026-11-20T25:61:61Z',
  '2026-11-20T10:00:00+99:99',
  '(a+)+$',
  '(?<!a*)b',
  '(?<=a{1,1000})b',
  '(((((((((a',
  '[z-a]',
  '\\p{Nope}',
  '(?i)(?m)^',
  'a{1000}{1000}',
  '\\1',
  '(?=(?=(?=(?=a))))',
  '.*'.repeat(200),
  '<page>'.repeat(70),
  '</content></page>',
  '<comment id="">x</comment>',
  '<collection><title>x</title></collection>',
  '<whiteboard id="x"></whiteboard>',
  '$$\n$$',
  '```\n',
  '| a |\n|---|\n'.repeat(50),
  '- '.repeat(200),
  '> '.repeat(200),
  '\n'.repeat(500),
  '#'.repeat(200),
  '[[[[[[]]]]]](((())))',
  '👩‍👩‍👧‍👦'.repeat(20),
  'İıſK',
]

const OTHERS: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => -0,
  () => 0.5,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER,
  () => -Number.MAX_SAFE_INTEGER,
  () => 2 ** 63,
  () => 2 ** 31,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ['a', 'a', 'a'],
  () => Array.from({ length: 1_001 }, (_, index) => `id-${index}`),
  () => Array.from({ length: 600 }, () => ({ id: 'same', type: 'rectangle' })),
  () => nested(70, (inner) => [inner]),
  () => nested(100, (inner) => ({ content: [inner] })),
  () => nested(70, (content) => ({ type: 'text', markdown: 'x', content: [content] })),
]

/** Long values are rare, since each takes as much time as many others. */
const LONG: readonly (() => unknown)[] = [
  () => 'x'.repeat(1_000_000),
  () => 'word '.repeat(200_000),
  () => '\n\nline'.repeat(170_000),
  () => '> '.repeat(30_000),
  () => '- '.repeat(30_000),
  () => '[a]('.repeat(10_000),
  () => '`'.repeat(50_000),
  () => '*a_'.repeat(20_000),
  () => 'a*a'.repeat(10_000),
  () => '[a](b) '.repeat(8_000),
  () => '$a$ `b` '.repeat(3_500),
  () => '<page>'.repeat(20_000),
  () => '|'.repeat(100_000),
  () => '\ud800'.repeat(100_000),
  () => '漢字'.repeat(20_000),
  () => Array.from({ length: 20_001 }, () => ({ type: 'text', markdown: 'x' })),
  () => nested(400, (inner) => [inner]),
  () => Array.from({ length: 1_000 }, () => ({})),
  () => Array.from({ length: 50_000 }, (_, index) => `word ${index}`),
  () => wide(10_000),
  () => Array.from({ length: 10 }, () => wide(10_000)),
  () => Array.from({ length: 200_000 }, () => Number.POSITIVE_INFINITY),
]

/** One of this many odd values is long. */
const LONG_OF = 400

export const unusualValues = (chance: Chance): readonly (() => unknown)[] => [
  () => {
    if (chance.below(LONG_OF) === 0) return chance.one(LONG)()
    const kind = chance.below(5)
    return kind < 3 ? chance.one(TEXTS) : kind < 4 ? chance.one(OTHERS)() : JSON.parse(chance.one(POLLUTING))
  },
]
