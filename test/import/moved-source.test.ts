/** A source that has another path or name goes on where it was, and so does a file in it. */
import { describe, expect, test } from 'vitest'
import { reportLines } from '../../src/import/import-report.ts'
import { matchRenames } from '../../src/import/match-renames.ts'
import { type ImportOptions, runImport } from '../../src/import/run-import.ts'
import { likeness, sketchOf } from '../../src/import/text-sketch.ts'
import type { Answer } from '../connect.ts'
import { type Files, type Imported, imported, obsidianFormat, problemLines, sourceOf } from './importing.ts'

const FILES = {
  'Home.md': 'To [[Plan]] and [the plan](work/Plan.md#goals).\n',
  'work/Plan.md': '# Goals\n\nThere are many of them, and each has a name.\n',
  'work/Other.md': 'Something else is written here, in several words.\n',
}

const importAs = (
  { space }: Imported,
  name: string,
  files: Files,
  options: Partial<ImportOptions> & { nameIsGiven?: boolean } = {},
) => {
  const { nameIsGiven = false, ...others } = options
  return runImport(
    space,
    { ...sourceOf(files, name), nameIsGiven },
    {
      ...{ format: obsidianFormat, into: null, isDryRun: false },
      ...others,
    },
  )
}
const titles = async ({ call }: Imported) =>
  ((await call('documents_list')).items as Answer[])
    .filter((one) => !one.isDeleted)
    .map(({ title }) => title)
    .sort()

describe('a source under another name', () => {
  test.each([
    ['all of its files are the same', FILES, { unchanged: 3 }],
    [
      'most of its files are the same',
      { ...FILES, 'a.md': 'New words.', 'work/Other.md': 'Something new is written here, in several words.\n' },
      undefined,
    ],
  ])('goes on if %s', async (_, files, counts) => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`n${index}.md`, `Note number ${index}.`]))
    const run = await imported({ ...FILES, ...many })
    const report = await importAs(run, '/elsewhere', { ...files, ...many })
    expect(report.counts).toMatchObject(
      counts === undefined ? { added: 1, updated: 1, unchanged: 11 } : { added: 0, unchanged: 12 },
    )
    expect(reportLines(report)[1]).toMatch(
      /^This is the source that was imported as \/notes before: 1[12] of 1[23] files are the same\./,
    )
    expect((await importAs(run, '/elsewhere', {})).counts).toMatchObject({ added: 0 })
  })

  test('is another source if few files are the same, if it has a name of its own, or goes into another folder', async () => {
    const run = await imported(FILES)
    expect(
      (await importAs(run, '/a', { 'Home.md': FILES['Home.md'], 'b.md': 'b b b', 'c.md': 'c c c' })).counts,
    ).toMatchObject({ added: 3 })
    expect((await importAs(run, 'upload:copy', FILES, { nameIsGiven: true })).counts).toMatchObject({ added: 3 })
    const { items } = await run.call('folders_add', { folders: [{ name: 'Copies' }] })
    const { findImportFolder } = await import('../../src/space/import/find-import-folder.ts')
    const { OPERATOR_LINK } = await import('../../src/space/model/space.ts')
    const into = await run.space.read(OPERATOR_LINK, (view) => findImportFolder(view, items[0].id))
    expect((await importAs(run, '/b', FILES, { into })).counts).toMatchObject({ added: 3 })
  })

  test('that was sent over HTTP goes on only if all of it is the same', async () => {
    const run = await imported(FILES)
    expect((await importAs(run, 'upload:one', FILES)).counts).toMatchObject({ added: 0, unchanged: 3 })
    expect((await importAs(run, 'upload:two', { ...FILES, 'New.md': 'New words here.' })).counts).toMatchObject({
      added: 4,
    })
  })
})

describe('a file under another name', () => {
  test('renames and moves its document, and links from others stay', async () => {
    const run = await imported(FILES)
    const [id, home] = [await run.idOf('Plan'), await run.read('Home')]
    const { 'work/Plan.md': plan, ...others } = FILES
    const report = await run.again({ ...others, 'done/Plan 2026.md': plan })
    expect(report.counts).toMatchObject({ added: 0, updated: 1, unchanged: 2 })
    expect(problemLines(report)).toEqual([])
    expect([await run.idOf('Plan 2026'), await run.read('Home')]).toEqual([id, home])
    expect((await run.again({ ...others, 'done/Plan 2026.md': plan })).counts).toMatchObject({ unchanged: 3 })
    const changed = await run.again({
      ...others,
      'Home.md': `${FILES['Home.md']}\nAgain [[Plan]].\n`,
      'done/Plan 2026.md': plan,
    })
    expect(changed.counts).toMatchObject({ updated: 1, unchanged: 2 })
    expect(await run.read('Home')).toContain(`Again [Plan](block://${id}).`)
    expect(await titles(run)).toEqual(['Home', 'Other', 'Plan 2026'])
  })

  test('may have a small edit, and two may swap their names', async () => {
    const run = await imported(FILES)
    const [plan, other] = [await run.idOf('Plan'), await run.idOf('Other')]
    const report = await run.again({
      'Home.md': FILES['Home.md'],
      'work/Aims.md': `${FILES['work/Plan.md']}\nMore.\n`,
      'work/Plan of old.md': FILES['work/Other.md'],
    })
    expect(report.counts).toMatchObject({ added: 0, updated: 2, unchanged: 1 })
    expect([await run.idOf('Aims'), await run.idOf('Plan of old')]).toEqual([plan, other])
  })

  test('is a conflict if its document was changed here', async () => {
    const run = await imported(FILES)
    const [, block] = (await run.blocks('Plan')) as { id: string }[]
    await run.call('blocks_update', { blocks: [{ id: block?.id, markdown: 'Here.' }] })
    const { 'work/Plan.md': plan, ...others } = FILES
    expect(problemLines(await run.again({ ...others, 'Aims.md': plan }))).toEqual([
      'Aims.md conflict: It changed here and in the source since it was imported: the document here is left as it is.',
    ])
  })
})

test('a file that is gone is listed, links still lead to its document, and it is deleted only on request', async () => {
  const run = await imported(FILES)
  const { 'work/Plan.md': _, ...others } = FILES
  const id = await run.idOf('Plan')
  const changed = { ...others, 'Home.md': 'Only [[Plan]].\n' }
  expect(problemLines(await run.again(changed))).toEqual([
    'work/Plan.md gone: It is not in the source any more: its document is kept.',
  ])
  expect(await run.read('Home')).toBe(`Only [Plan](block://${id}).`)
  const report = await run.again(changed, { deletes: true })
  expect(report.counts).toMatchObject({ deleted: 1 })
  expect(await titles(run)).toEqual(['Home', 'Other'])
  expect((await run.again(changed)).problems.filter(({ kind }) => kind === 'gone')).toEqual([])
})

describe('likeness', () => {
  const text = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
  test('is that of equal, edited and other texts', () => {
    expect(likeness(sketchOf(text), sketchOf(text))).toBe(1)
    expect(likeness(sketchOf(text), sketchOf(text.replace('word30', 'other')))).toBeGreaterThan(0.6)
    expect(likeness(sketchOf(text), sketchOf(text.replaceAll('word', 'x')))).toBeLessThan(0.2)
    expect(likeness('', '')).toBe(0)
  })
  test('pairs the most alike, each once, and never files without words', () => {
    const file = (path: string, content: string) => ({ path, content: { hash: content, sketch: sketchOf(content) } })
    const gone = [file('a.md', text), file('b.md', `${text} end of b`), file('empty.md', '')]
    const added = [file('c.md', `${text} end of b`), file('d.md', `${text} more`), file('none.md', '')]
    expect([...matchRenames(gone, added)].sort()).toEqual([
      ['a.md', 'd.md'],
      ['b.md', 'c.md'],
    ])
  })
})
