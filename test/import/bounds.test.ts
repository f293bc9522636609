/**
 * What hostile files of an import are bounded by, before they take time or memory: counts and sizes, not the clock. Each
 * of them once took minutes, or gigabytes. The other files of the same source are imported.
 */
import lzString from 'lz-string'
import { describe, expect, test } from 'vitest'
import {
  FRONT_MATTER_SIGNS,
  IMPORT_CSV_COLUMNS,
  IMPORT_ELEMENTS,
  IMPORT_HTML_ELEMENTS,
  IMPORT_JSON_BYTES,
  IMPORT_JSON_LEVELS,
  IMPORT_PATH_LENGTH,
  IMPORT_XML_LEVELS,
} from '../../src/base/limits.ts'
import { conversationsFormat } from '../../src/import/conversations/conversations-format.ts'
import { enexFormat } from '../../src/import/enex/enex-format.ts'
import { parseHtml } from '../../src/import/html/parse-html.ts'
import type { ImportFormat } from '../../src/import/import-format.ts'
import { unpackDrawing, unpackedLength } from '../../src/import/markdown/packed-drawing.ts'
import { dayFinder } from '../../src/import/markdown/vault-settings.ts'
import { notionFormat } from '../../src/import/notion/notion-format.ts'
import { openZip } from '../../src/import/zip-source.ts'
import { type Files, imported, obsidianFormat, problemLines } from './importing.ts'
import { zipAt, zipOf } from './zips.ts'

const count = (value: number): string => value.toLocaleString('en-US')

/** The problems of an import, without their paths. */
async function problemsOf(files: Files, format: ImportFormat = obsidianFormat): Promise<string[]> {
  return problemLines((await imported(files, format)).report).map((line) => line.replace(/^[^ ]+ /, ''))
}

const enex = (body: string): string =>
  `<en-export><note><title>A</title><content><![CDATA[<en-note>${body}</en-note>]]></content></note></en-export>`

/** What lz-string unpacks to `x`, `xx`, `xxx` and so on: each code means the entry that it adds. */
function packedRepeats(codes: number): string {
  const bits: number[] = []
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit++) bits.push(Math.floor(value / 2 ** bit) % 2)
  }
  write(0, 2)
  write('x'.charCodeAt(0), 8)
  let [width, untilWider, entries] = [3, 4, 4]
  for (let code = 1; code < codes; code++) {
    write(entries++, width)
    if (--untilWider === 0) untilWider = 2 ** width++
  }
  write(2, width)
  while (bits.length % 6 !== 0) bits.push(0)
  const letters = bits.join('').match(/.{6}/g) ?? []
  return letters.map((six) => BASE64.charAt(Number.parseInt(six, 2))).join('')
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const HEAD_OF_KEPT = 'changed: Its properties are kept as they stand: '

describe('front matter', () => {
  test.each([
    ['of commas', `a: [${','.repeat(FRONT_MATTER_SIGNS)}]`],
    ['of brackets', `a: ${'['.repeat(FRONT_MATTER_SIGNS + 1)}`],
    ['of anchors', `${'&a '.repeat(FRONT_MATTER_SIGNS + 1)}b`],
    ['of tags', `${'!a '.repeat(FRONT_MATTER_SIGNS + 1)}b`],
  ])('%s is kept, and not read', async (_, yaml) => {
    const { report, blocks } = await imported({ 'a.md': `---\n${yaml}\n---\nText\n`, 'b.md': 'Other\n' })
    expect(problemLines(report)).toEqual([
      `a.md:1 ${HEAD_OF_KEPT}it has more than ${FRONT_MATTER_SIGNS} signs such as [ and ".`,
    ])
    expect(await blocks('a')).toMatchObject([{ type: 'code', rawCode: yaml }, { markdown: 'Text' }])
    expect(await blocks('b')).toMatchObject([{ markdown: 'Other' }])
  })
})

describe('HTML', () => {
  test('whose marks are repeated in each block has too many elements', () => {
    const marks = Array.from({ length: 400 }, (_, index) => `<b id="${index}">`).join('')
    const html = `<p>${marks}${'</p><p>a'.repeat(1_000)}`
    expect(html.length).toBeLessThan(20_000)
    expect(() => parseHtml(html)).toThrow(
      `Expected HTML with at most ${count(IMPORT_HTML_ELEMENTS)} elements, found more.`,
    )
  })

  test('whose tables are wide and long has too many cells', async () => {
    const table = `<table>${'<tr><td>a</td></tr>'.repeat(300)}<tr>${'<td>'.repeat(300)}</tr></table>`
    expect(await problemsOf({ 'a.enex': enex(table) }, enexFormat)).toEqual([
      'A failed: Expected tables of at most 65,536 cells, found one of 301 rows and 300 columns; make several tables of it.',
    ])
  })

  test('whose XML is nested deeply is no notebook', async () => {
    const deep = `<en-export>${'<a>'.repeat(IMPORT_XML_LEVELS)}`
    expect(await problemsOf({ 'a.enex': deep }, enexFormat)).toEqual([
      `failed: Expected at most ${IMPORT_XML_LEVELS} nested elements, found more.`,
    ])
  })
})

describe('a table', () => {
  const notion = (csv: string) =>
    problemsOf({ 'A 0123456789abcdef0123456789abcdef.csv': csv, 'B.md': '# B\n' }, notionFormat)

  test('may have only so many columns', async () => {
    await expect(notion(`${'a,'.repeat(IMPORT_CSV_COLUMNS)}a\n1\n`)).rejects.toThrow(
      `Expected tables of at most ${IMPORT_CSV_COLUMNS} columns, found one of ${IMPORT_CSV_COLUMNS + 1}; leave some out.`,
    )
  })

  test('may have only so many cells, where short rows count as long ones', async () => {
    await expect(notion(`${'a,'.repeat(IMPORT_CSV_COLUMNS - 1)}a\n${'1\n'.repeat(4_000)}`)).rejects.toThrow(
      'Expected tables of at most 2,000,000 cells, found one of 2,000,500; split it.',
    )
  })

  test('finds the pages of its rows by their names, short and truncated ones', async () => {
    const long = 'A title that is much longer than the names of files may be'
    const files = {
      'Books.csv': `Name,Year\nEmma,1815\n${long},1900\n,1\n`,
      'Books/Emma.md': '# Emma\n',
      [`Books/${long.slice(0, 45)}.md`]: `# ${long}\n`,
      'Books/Untitled.md': '# Untitled\n',
    }
    const { call } = await imported(files, notionFormat)
    const [{ id: collectionId }] = (await call('collections_list')).items
    const { items } = await call('items_list', { collectionId })
    expect(items.map(({ title, properties }: never) => [title, (properties as { year?: number }).year])).toEqual([
      ['Emma', 1815],
      [long, 1900],
      ['Untitled', 1],
    ])
  })
})

describe('a drawing', () => {
  test('of a few kilobytes may unpack to only so much', () => {
    const json = JSON.stringify({ elements: [], text: 'é漢'.repeat(500) })
    expect(unpackDrawing(lzString.compressToBase64(json))).toBe(json)
    expect(unpackDrawing('')).toBe(lzString.decompressFromBase64(''))
    const packed = lzString.compressToBase64('x'.repeat(100_000))
    expect(unpackedLength(packed, 1_000)).toBeGreaterThan(1_000)
    expect(unpackedLength(packed, 1_000_000)).toBe(100_000)
  })

  test('that unpacks to more is not unpacked', () => {
    const packed = packedRepeats(12_000)
    expect(packed.length).toBeLessThan(30_000)
    expect(() => unpackDrawing(packed)).toThrow(
      `Expected a drawing of at most ${count(IMPORT_JSON_BYTES)} characters, unpacked, found a longer one.`,
    )
    expect(unpackDrawing(packedRepeats(100))).toBe('x'.repeat(5_050))
  })

  test('may have only so many elements', async () => {
    const nodes = Array.from({ length: IMPORT_ELEMENTS + 1 }, (_, index) => ({ id: `n${index}`, type: 'text' }))
    expect(await problemsOf({ 'a.canvas': JSON.stringify({ nodes }) })).toEqual([
      `failed: Expected at most ${count(IMPORT_ELEMENTS)} elements in a drawing, found ${count(IMPORT_ELEMENTS + 1)}; make several drawings of it.`,
    ])
  })

  test('in which all arrows lead to one shape is written', async () => {
    const nodes = Array.from({ length: 60 }, (_, index) => ({ id: `n${index}`, type: 'text', text: `${index}` }))
    const edges = nodes.map(({ id }) => ({ id: `e${id}`, fromNode: 'n0', toNode: id }))
    const { call, blocks } = await imported({ 'a.canvas': JSON.stringify({ nodes, edges }) })
    const [{ id: whiteboardBlockId }] = (await blocks('a')) as [{ id: string }]
    const { elements } = await call('elements_list', { whiteboardBlockId })
    const bound = elements.find(({ id }: { id: string }) => id === 'n0').boundElements
    expect(new Set(bound.map(({ id }: { id: string }) => id)).size).toBe(61)
    expect(bound).toHaveLength(61)
  })
})

test('JSON may have only so many levels', async () => {
  const deep = `{"nodes":${'['.repeat(IMPORT_JSON_LEVELS)}`
  expect(await problemsOf({ 'a.canvas': deep })).toEqual([
    `failed: Expected JSON of at most ${IMPORT_JSON_LEVELS} levels, found more; split it.`,
  ])
  const chat = `[{"uuid":"1","chat_messages":[${'['.repeat(IMPORT_JSON_LEVELS)}${']'.repeat(IMPORT_JSON_LEVELS)}]}]`
  expect(await problemsOf({ 'conversations.json': chat }, conversationsFormat)).toEqual([
    `failed: Expected JSON of at most ${IMPORT_JSON_LEVELS} levels, found more; split it.`,
  ])
})

test('the name of a file in a zip may have only so many characters', async () => {
  const name = (length: number) => `${'a'.repeat(length - 3)}.md`
  const zip = zipAt(
    await zipOf([name(IMPORT_PATH_LENGTH), name(IMPORT_PATH_LENGTH + 1)].map((path) => ({ path, content: 'x' }))),
  )
  const source = await openZip(zip)
  expect(source.files.map(({ path }) => path.length)).toEqual([IMPORT_PATH_LENGTH])
  expect(source.problems.map(({ message }) => message)).toEqual(['Its name is too long.'])
  await source.close()
})

test('a format of daily notes that could be read in countless ways finds none', () => {
  const day = dayFinder(`YYYY-M-D ${'wW'.repeat(20)}`, '')
  expect(day(`2024-3-1 ${'1'.repeat(60)}x.md`)).toBeUndefined()
  expect(dayFinder('YYYY-M-D wW', '')('2024-3-1 99.md')).toBe('2024-03-01')
})
