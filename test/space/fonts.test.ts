import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFontCharacters } from '../../src/render/font-characters.ts'
import { FONT_FILES, Fonts } from '../../src/render/fonts.ts'
import { svgToPng } from '../../src/render/svg-to-png.ts'

const { resolve } = createRequire(import.meta.url)
const THAI = resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf')
/** A character that no font has. */
const PRIVATE = '\u{10fffd}'

const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
mkdirSync(join(folder, 'thai/deeper'), { recursive: true })
copyFileSync(THAI, join(folder, 'thai/deeper/Sans.ttf'))
writeFileSync(join(folder, 'empty.ttf'), '')
writeFileSync(join(folder, 'words.otf'), 'no font at all, but long enough to look like one')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [THAI, 'กไ', 'aж漢'],
  [resolve(FONT_FILES[1] ?? ''), 'aжשم', 'กไ漢'],
  [resolve(FONT_FILES[0] ?? ''), 'aж', 'กשم漢'],
])('%s lists its characters', (file, present, absent) => {
  const has = readFontCharacters(file)
  expect([...present].filter((character) => !has?.(character.codePointAt(0) ?? 0))).toEqual([])
  const expected = file === THAI ? [...absent].filter((character) => character !== 'a') : [...absent]
  expect(expected.filter((character) => has?.(character.codePointAt(0) ?? 0))).toEqual([])
})

test('every truncated font is read without an exception', () => {
  const bytes = readFileSync(THAI)
  const file = join(dirname(folder), `${process.pid}-cut.ttf`)
  for (let length = 0; length < bytes.length; length += 997) {
    writeFileSync(file, bytes.subarray(0, length))
    const has = readFontCharacters(file)
    for (const codePoint of [0x41, 0xe01, 0x10fffd]) expect([true, false, undefined]).toContain(has?.(codePoint))
  }
  rmSync(file)
})

test('characters that the bundled fonts lack come from a folder, at any depth, or are reported', () => {
  const bundled = FONT_FILES.length
  const without = new Fonts(undefined, []).find('plain ไทย ไท\u200d שלום')
  expect(without.missing).toEqual(['ไ', 'ท', 'ย'])
  expect(without.fonts).toHaveLength(bundled)
  const found = new Fonts(folder, []).find(`plain ไทย ${PRIVATE}`)
  expect(found.missing).toEqual([PRIVATE])
  expect(found.fonts).toHaveLength(bundled + 1)
  expect(new Fonts(folder, []).find('plain ж λ ł').fonts).toHaveLength(bundled)
  expect(new Fonts(join(folder, 'nowhere'), []).find('ไ').missing).toEqual(['ไ'])
})

test('characters without any font do not prevent others from being drawn', async () => {
  const draw = async (text: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="30"><text y="20">${text}</text></svg>`
    return svgToPng(svg, folder)
  }
  const [both, box] = [await draw(`${PRIVATE}ไทย`), await draw('□ไทย')]
  expect(both.missing).toEqual([PRIVATE])
  expect(Buffer.from(both.png)).toEqual(Buffer.from(box.png))
  expect(Buffer.from(box.png)).not.toEqual(Buffer.from((await draw('□ไทไ')).png))
})
