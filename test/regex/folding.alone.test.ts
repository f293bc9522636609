/** Case folding, compared with JavaScript's engine. */
import { expect, test, vi } from 'vitest'
import { codePointsIn, includesCodePoint, type Ranges, unionRanges } from '../../src/regex/ranges.ts'

/** Case folding is computed once and cached, so each test loads the module again. */
async function freshly(): Promise<(set: Ranges) => Ranges> {
  vi.resetModules()
  return (await import('../../src/regex/case-folding.ts')).foldCase
}

test('a letter matches its other cases, and nothing else', async () => {
  const folded = await freshly()
  for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
    const set = folded([codePoint, codePoint])
    const text = String.fromCodePoint(codePoint)
    if (set.length === 2 && text.toLowerCase() === text.toUpperCase()) continue
    const alike = new RegExp(`^\\u{${codePoint.toString(16)}}$`, 'iu')
    for (const other of [text, text.toLowerCase(), text.toUpperCase()]) {
      const isOne = other.length === String.fromCodePoint(other.codePointAt(0) ?? 0).length
      if (isOne)
        expect([text, other, includesCodePoint(set, other.codePointAt(0) ?? 0)]).toEqual([
          text,
          other,
          alike.test(other),
        ])
    }
    for (const one of codePointsIn(set)) expect(String.fromCodePoint(one)).toMatch(alike)
  }
})

test.each<[what: string, set: Ranges]>([
  ['one range', [0x41, 0x250]],
  ['the end of the capitals on', [0x5a, 0x2000]],
  ['several ranges', [0x30, 0x4f, 0x70, 0x7a, 0x100, 0x17e, 0x391, 0x3a9]],
  ['all of Deseret', [0x10400, 0x1044f]],
  ['no letters', [0x2200, 0x22ff]],
])('sets of letters match the cases of each: %s', async (_, set) => {
  const folded = await freshly()
  const each = [...codePointsIn(set)].flatMap((codePoint) => folded([codePoint, codePoint]))
  expect(folded(set)).toEqual(unionRanges(each))
})

test.each<[letter: string, cases: string]>([
  ['k', 'Kk\u212a'],
  ['ß', 'ßẞ'],
  ['σ', 'Σςσ'],
  ['i', 'Ii'],
  ['ı', 'ı'],
  ['ΐ', 'ΐ\u1fd3'],
  ['1', '1'],
])('of %s there are %s', async (letter, cases) => {
  const folded = await freshly()
  const codePoint = letter.codePointAt(0) ?? 0
  expect([...codePointsIn(folded([codePoint, codePoint]))].map((one) => String.fromCodePoint(one)).join('')).toBe(cases)
})
