import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from '../../src/base/fold-text.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { runs } from '../support/runs.ts'

/** Two spellings of one word, by script. */
const SPELLINGS: readonly (readonly [script: string, one: string, other: string])[] = [
  ['Latin with strokes', 'Łódź', 'lodz'],
  ['Latin with strokes', 'Ørsted', 'orsted'],
  ['Vietnamese', 'Đường', 'duong'],
  ['Turkish', 'ISPARTA ısı', 'isparta isi'],
  ['Azerbaijani', 'Azərbaycan', 'azerbaycan'],
  ['ligatures', 'Œuvre', 'oeuvre'],
  ['ligatures', 'Æsop', 'aesop'],
  ['German', 'Straße', 'STRASSE'],
  ['Icelandic', 'Þórður', 'thordur'],
  ['Maltese', 'Ħamrun', 'hamrun'],
  ['Sami', 'Ŧeaŋŋa', 'teanna'],
  ['wide letters', 'ＦＵＬＬ１２', 'full12'],
  ['half-width letters', 'ｶﾞﾗｽ', 'ガラス'],
  ['Greek', 'Ὅμηρος', 'ΟΜΗΡΟΣ'],
  ['Cyrillic', 'Ёлка', 'елка'],
  ['Hebrew points', 'שָׁלוֹם', 'שלום'],
  ['Hebrew forms at the end of a word', 'מלך', 'מלכ'],
  ['Arabic marks', 'مُحَمَّد', 'محمد'],
  ['Arabic tatweel', 'محـــمد', 'محمد'],
  ['Arabic forms of alef', 'أحمد', 'احمد'],
  ['Arabic teh marbuta', 'مدرسة', 'مدرسه'],
  ['Persian letters', 'کتاب فارسی', 'كتاب فارسي'],
  ['Devanagari nukta', 'क़लम', 'कलम'],
  ['Devanagari nukta as one character', '\u0958लम', 'क़लम'],
  ['digits', '٢٠٢٦', '2026'],
  ['digits', '४२', '42'],
]

describe.each(SPELLINGS)('%s: %s and %s', (_script, one, other) => {
  test('are equal', () => expect(foldText(one)).toBe(foldText(other)))

  test('find each other', async () => {
    const connected = await connect()
    for (const [stored, asked] of [
      [one, other],
      [other, one],
    ] as const) {
      const id = await documentOf(connected, `1 ${stored} 2`, 'Note')
      const { items } = await connected.call('documents_search', { include: asked })
      expect(items).toMatchObject([{ documentId: id, markdown: expect.stringContaining('**') }])
      expect(items[0].markdown.replaceAll('**', '')).toBe(`1 ${stored} 2`)
      await connected.call('documents_delete', { documentIds: [id] })
    }
  })
})

describe('words stay different', () => {
  test.each([
    ['Japanese voice marks', 'カキ', 'ガキ'],
    ['Japanese syllabaries', 'カ', 'か'],
    ['Indic vowels', 'कि', 'की'],
    ['Thai tone marks', 'ไม', 'ไม้'],
    ['Hangul', '가', '나'],
  ])('%s: %s and %s', (_script, one, other) => expect(foldText(one)).not.toBe(foldText(other)))
})

test('folding again changes nothing, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(foldText(foldText(text))).toBe(foldText(text))
    }),
    { numRuns: runs(50, 10_000) },
  )
})

test('a digit of any script is the digit of its value', () => {
  const wrong: string[] = []
  const groups: string[][] = []
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code)
    if (!/\p{Nd}/u.test(character)) continue
    const last = groups.at(-1)
    if (last === undefined || last.length === 10) groups.push([character])
    else last.push(character)
  }
  expect(groups.length).toBeGreaterThan(60)
  for (const group of groups) if (group.map(foldText).join('') !== '0123456789') wrong.push(group.join(''))
  expect(wrong).toEqual([])
})
