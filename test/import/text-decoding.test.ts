/** Encodings of texts and of names. The bytes are written out, since Node writes only UTF-8 and UTF-16. */
import { describe, expect, test } from 'vitest'
import { detectNames, readText } from '../../src/import/text-decoding.ts'
import { imported, problemLines } from './importing.ts'

const hex = (bytes: string): Uint8Array => Uint8Array.from(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test.each([
  ['Windows-1252', '4772fcdf65', 'Grüße'],
  ['Windows-1252', '636166e9', 'café'],
  ['Windows-1252', '93596573 94 2096 20686520 73616964', '“Yes” – he said'],
  ['Windows-1252', 'e0', 'à'],
  ['Windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['Shift_JIS', '93fa967b8cea', '日本語'],
  ['Shift_JIS', '83818382', 'メモ'],
  ['Shift_JIS', '8b638e9698 5e20323032342d30312d3035', '議事録 2024-01-05'],
  ['EUC-JP', 'b2f1b5c4a4cea5e1a5e2', '会議のメモ'],
  ['GBK', 'c4e3bac3', '你好'],
  ['GBK', 'bbe1d2e9bcc7c2bc', '会议记录'],
  ['GBK', 'bdf1ccecccecc6f8badcbac3a1a3', '今天天气很好。'],
  ['EUC-KR', 'bec8b3e7c7cfbcbcbfe4', '안녕하세요'],
  ['EUC-KR', 'b8deb8f0', '메모'],
])('%s: %s', (name, bytes, text) => {
  expect(readText(hex(bytes))).toEqual({ text, note: `It was read as ${name}, since it is not UTF-8.` })
})

test.each([
  ['UTF-8', Buffer.from('Grüße'), undefined],
  ['UTF-8 with a mark', Buffer.from('\uFEFFGrüße'), undefined],
  ['UTF-16', utf16('\uFEFFGrüße'), 'It was read as UTF-16 (little endian), since it is not UTF-8.'],
  ['the other', utf16('\uFEFFGrüße').swap16(), 'It was read as UTF-16 (big endian), since it is not UTF-8.'],
  ['UTF-16 without a mark', utf16('Grüße'), 'It was read as UTF-16 (little endian), since it is not UTF-8.'],
  ['the other without', utf16('Grüße').swap16(), 'It was read as UTF-16 (big endian), since it is not UTF-8.'],
])('%s', (_, bytes, note) => {
  expect(readText(bytes)).toEqual({ text: 'Grüße', ...(note !== undefined && { note }) })
})

test('damaged UTF-8 stays UTF-8, and the line is named', () => {
  const bytes = Buffer.concat([Buffer.from('äöü äöü\n'), hex('ff'), Buffer.from('äöü')])
  expect(readText(bytes)).toEqual({
    text: 'äöü äöü\n\uFFFDäöü',
    note: 'It has a byte that no UTF-8 has, first in line 2: U+FFFD stands there.',
  })
})

test.each([
  ['an image', hex('89504e470d0a1a0a0000000d')],
  ['text with NUL', Buffer.from('a\0b')],
  ['bytes', hex('ff01e2fd')],
])('%s is no text', (_, bytes) => {
  expect(readText(bytes)).toBeUndefined()
})

test.each([
  ['cp437', '4772 81 e1 65', 'Grüße'],
  ['cp437', '7363 68 94 6e', 'schön'],
  ['shift_jis', '93fa967b8cea2e6d64', 'ô·û{îO.md'],
  ['gbk', 'bbe1d2e9bcc7c2bc', '╗ß╥Θ╝╟┬╝'],
])('names in %s', (encoding, bytes, cp437) => {
  expect(detectNames(hex(bytes), cp437)).toBe(encoding)
})

describe('in an import', () => {
  test('the report names each encoding, and what is no text is a file', async () => {
    const { report, read, call } = await imported({
      'sjis.md': hex('93fa967b8cea'),
      'wide.md': utf16('\uFEFF# Größe\n').swap16(),
      'picture.md': hex('89504e470d0a1a0a0000000d'),
      'plain.md': 'See ![[picture.md]].\n',
    })
    expect(problemLines(report)).toEqual([
      'picture.md changed: It is not text, so it is kept as a file.',
      'plain.md:1 changed: An image in a line with words is a block of its own.',
      'sjis.md changed: It was read as Shift_JIS, since it is not UTF-8.',
      'wide.md changed: It was read as UTF-16 (big endian), since it is not UTF-8.',
    ])
    expect([report.counts.failed, report.counts.files]).toEqual([0, 1])
    expect(await read('sjis')).toBe('日本語')
    expect((await call('documents_list')).items).toHaveLength(3)
  })
})
