/** Tables that become collections. */
import { describe, expect, test } from 'vitest'
import { PROPERTIES_PER_COLLECTION } from '../../../src/base/limits.ts'
import { csvFormat } from '../../../src/import/markdown/page-formats.ts'
import { readCsv } from '../../../src/import/tables/read-csv.ts'
import { type Files, imported, problemLines, sourceOf } from '../importing.ts'

const from = async (files: Files) => {
  const run = await imported(files, csvFormat)
  const rows = async () => {
    const [collection] = (await run.call('collections_list')).items
    const { items } = await run.call('items_list', { collectionId: collection.id })
    return items as { id: string; title: string; properties: Record<string, unknown> }[]
  }
  return { ...run, rows }
}

describe('a table', () => {
  test.each([
    ['commas', 'a,b\n1,"x,y"\n'],
    ['semicolons', 'a;b\n1;x,y\n'],
    ['tabs', 'a\tb\r\n1\tx,y\r\n'],
    ['a mark of Excel', 'sep=;\na;b\n1;x,y\n'],
    ['a byte order mark', '\uFEFFa,b\n1,"x,y"\n'],
  ])('with %s has its cells', (_, text) => {
    expect(readCsv(text)).toEqual([
      ['a', 'b'],
      ['1', 'x,y'],
    ])
  })

  test('keeps line breaks and quotes in its cells', () => {
    expect(readCsv('a,b\n"one\ntwo; three","say ""hi"""\n')).toEqual([
      ['a', 'b'],
      ['one\ntwo; three', 'say "hi"'],
    ])
  })

  test('is detected where there are no notes', async () => {
    expect(await csvFormat.detects(sourceOf({ 'a.csv': '' }))).toBe('it has tables and no Markdown')
    expect(await csvFormat.detects(sourceOf({ 'a.csv': '', 'b.md': '' }))).toBeUndefined()
  })
})

describe('an imported table', () => {
  const TABLE = 'Name,Age,Since,Zip,Sum\nAnna,30,2024-03-01,00123,=1+2\nBen,4.5,2024-04-01,01234,"two\nlines"\n,,,,\n'

  test('is a collection whose properties have types that fit', async () => {
    const { rows, report, call } = await from({ 'box/People.csv': TABLE })
    const [collection] = (await call('collections_list')).items
    expect(collection).toMatchObject({ name: 'People' })
    expect(await rows()).toMatchObject([
      { title: 'Anna', properties: { age: 30, since: '2024-03-01', zip: '00123', sum: '=1+2' } },
      { title: 'Ben', properties: { age: 4.5, zip: '01234', sum: 'two\nlines' } },
    ])
    expect(problemLines(report)).toEqual([])
  })

  test('is updated by its rows', async () => {
    const { rows, again } = await from({ 'People.csv': TABLE })
    const [anna] = await rows()
    expect((await again({ 'People.csv': TABLE })).counts).toMatchObject({ unchanged: 1, updated: 0 })
    const changed = `${TABLE.replace('Anna,30', 'Anna,31').replace(/Ben.*\n.*\n/, '')}Carl,1,2024-05-01,0,\n`
    expect((await again({ 'People.csv': changed })).counts).toMatchObject({ updated: 1, added: 0 })
    expect(await rows()).toMatchObject([
      { id: anna?.id, title: 'Anna', properties: { age: 31 } },
      { title: 'Carl', properties: { age: 1 } },
    ])
  })

  test('names columns without a name and those of the same name, and keeps cells beyond the header', async () => {
    const { rows, report } = await from({ 't.csv': 'Name,A,,a\nx,1,2,3,4\nx,5,6,7\n' })
    expect((await rows()).map(({ properties }) => Object.values(properties))).toEqual([
      expect.arrayContaining([1, 2, 3, 4]),
      expect.arrayContaining([5, 6, 7]),
    ])
    expect(problemLines(report)).toEqual([
      't.csv changed: A column without a name has its number as its name.',
      't.csv changed: A column whose name another one has got a number.',
      't.csv changed: A column without a name has its number as its name.',
    ])
  })

  test('with more columns than a collection has keeps the others as words', async () => {
    const names = Array.from({ length: PROPERTIES_PER_COLLECTION + 3 }, (_, index) => `c${index}`)
    const { report, call, rows } = await from({
      't.csv': `${names.join()}\n${names.map((name) => `v${name}`).join()}\n`,
    })
    const [row] = await rows()
    const { content } = await call('blocks_get', { id: row?.id })
    expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual(['c21: vc21', 'c22: vc22'])
    expect(report.problems.map(({ detail }) => detail)).toEqual(['c21', 'c22'])
  })

  test('that is no table stays a file', async () => {
    const { report } = await from({ 'bad.csv': 'a,b\n"never closed,1\n2,3\n', 'good.csv': 'a\n1\n' })
    expect(problemLines(report)).toEqual([
      expect.stringMatching(/^bad\.csv changed: It is kept as a file, since it could not be read: /),
    ])
  })

  test('in another encoding is read, and that is reported', async () => {
    const { rows, report } = await from({ 't.csv': Buffer.from('Name;Größe\nJörg;1\n', 'latin1') })
    expect(await rows()).toMatchObject([{ title: 'Jörg' }])
    expect(problemLines(report)).toEqual(['t.csv changed: It was read as Windows-1252, since it is not UTF-8.'])
  })
})
