/** Unicode categories and scripts, compared with JavaScript's engine. */
import { expect, test, vi } from 'vitest'
import { ALL_CHARACTERS, includesCodePoint, type Ranges } from '../../src/regex/ranges.ts'

/** Classes are computed once and cached, so each test loads the module again. */
async function freshly(): Promise<(name: string) => Ranges | undefined> {
  vi.resetModules()
  return (await import('../../src/regex/unicode-properties.ts')).unicodeClass
}

test.each(['L', 'Lu', 'Nd', 'P', 'Zs', 'Cn', 'Co', 'Cs', 'So', 'Letter', 'Uppercase_Letter'])(
  'category %s',
  async (name) => {
    expect(differences(await freshly(), name, new RegExp(`^\\p{${name}}$`, 'u'))).toEqual([])
  },
)

test.each(['Greek', 'Han', 'Hiragana', 'Hangul', 'Arabic', 'Common'])('script %s', async (name) => {
  expect(differences(await freshly(), name, new RegExp(`^\\p{Script=${name}}$`, 'u'))).toEqual([])
})

test('any character', async () => {
  const unicodeClass = await freshly()
  expect([unicodeClass('Any'), unicodeClass('Any')]).toEqual([ALL_CHARACTERS, ALL_CHARACTERS])
})

// Invalid names must never become part of a JavaScript expression.
test.each(['', 'l', 'greek', 'Alphabetic', 'L1', '1L', 'L}', 'L}|\\p{N', '\\p{L}', 'ASCII', 'Script=Greek'])(
  '%j is invalid',
  async (name) => {
    const unicodeClass = await freshly()
    expect([unicodeClass(name), unicodeClass(name)]).toEqual([undefined, undefined])
  },
)

function differences(unicodeClass: (name: string) => Ranges | undefined, name: string, expression: RegExp): number[] {
  const set = unicodeClass(name)
  // The second call returns the cached set.
  expect(unicodeClass(name)).toBe(set)
  const result: number[] = []
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (expression.test(String.fromCodePoint(codePoint)) !== includesCodePoint(set ?? [], codePoint))
      result.push(codePoint)
  }
  return result
}
