/** Whether notes are a vault, and why. */
import { describe, expect, test } from 'vitest'
import { findFormat } from '../../../src/import/import-formats.ts'
import { reportLines } from '../../../src/import/import-report.ts'
import { type Files, imported, markdownFormat, sourceOf } from '../importing.ts'

const plain = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}.md`, 'Words.\n']))
const titled = (text: string) => `---\ntitle: Its title\n---\n\n${text}\n`
const sh = 'In `[[ -f x ]]`.\n\n```sh\nif [[ -f x ]]; then\n```\n'

test.each<[string, Files, string]>([
  ['links', { 'a.md': 'To [[b]].\n' }, 'obsidian, since 1 of 1 notes have links in double brackets, 1 together'],
  ['a canvas', { 'a.md': 'Text.\n', 'b.canvas': '{}' }, 'obsidian, since it has b.canvas'],
  ['settings', { '.obsidian/app.json': '{}', 'a.md': '' }, 'obsidian, since it has the folder .obsidian'],
  ['an export', { '.scriptorium/manifest.json': '{}', 'a.md': '' }, 'obsidian, since it is an export of Scriptorium'],
  [
    'links in code alone',
    { 'a.md': sh },
    'markdown, since it has Markdown files and few or no links in double brackets',
  ],
  [
    'links after many notes without',
    { ...plain, 'z1.md': '[[a1]] [[a2]]\n', 'z2.md': '[[a1]]\n' },
    'obsidian, since 1 of 200 notes have links in double brackets, 2 together',
  ],
  [
    'titles, and words in double brackets',
    { 'a.md': titled('An [[x]].'), 'b.md': titled('Words.') },
    'markdown, since it has Markdown files and few or no links in double brackets',
  ],
  [
    'titles, and many links',
    { 'a.md': titled('[[b]] [[c]]'), 'b.md': titled('[[a]]') },
    'obsidian, since 2 of 2 notes have links in double brackets, 3 together',
  ],
  [
    'tasks with dates',
    { 'a.md': '- [ ] call 📅 2026-12-01\n' },
    'obsidian, since it has tasks with dates of the Tasks plugin',
  ],
  ['pages of Hugo', { 'posts/_index.md': 'An [[x]].\n' }, 'markdown, since it has posts/_index.md'],
  ['Docusaurus', { 'docusaurus.config.ts': '', 'a.md': 'An [[x]].\n' }, 'markdown, since it has docusaurus.config.ts'],
  [
    'Foam',
    { '.foam/templates/a.md': '', 'a.md': titled('To [[b]].') },
    'obsidian, since it has .foam/templates/a.md, and 1 of 1 notes have links in double brackets, 1 together',
  ],
])('%s', async (_, files, detected) => {
  expect((await findFormat(sourceOf(files))).detected).toBe(detected)
})

describe('the report', () => {
  test('says why, and how to choose another format', async () => {
    const { report } = await imported({ 'a.md': 'x\n' }, await findFormat(sourceOf({ 'a.md': 'x\n' })))
    expect(report.detected).toBe('markdown, since it has Markdown files and few or no links in double brackets')
    expect(reportLines(report)[1]).toBe(`Detected as ${report.detected}; --as names another format.`)
  })

  test('says nothing of a format that was named', async () => {
    const format = await findFormat(sourceOf({ 'a.md': 'x\n' }), 'obsidian')
    expect((await imported({ 'a.md': 'x\n' }, format)).report.detected).toBeUndefined()
  })
})

describe('titles', () => {
  const files = { 'posts/_index.md': titled('Words.'), 'a.md': '+++\ntitle = "Über"\ndate = 2024-03-05\n+++\n\nBody\n' }
  test.each([undefined, markdownFormat])('of notes that stand for their folder', async (format) => {
    const { call } = await imported(files, format)
    const { items } = await call('documents_list')
    expect(items.map(({ title }: { title: string }) => title)).toContain('Its title')
  })

  test('of TOML, with its date, which is kept as code', async () => {
    const { read, call } = await imported(files, markdownFormat)
    const { items } = await call('documents_list', { fetchMetadata: true })
    expect(items.find(({ title }: { title: string }) => title === 'Über').createdAt).toBe('2024-03-05T00:00:00.000Z')
    expect(await read('Über')).toBe('```toml\ntitle = "Über"\ndate = 2024-03-05\n```\n\nBody')
  })

  test('TOML that cannot be read is kept and reported', async () => {
    const { report, read } = await imported({ 'a.md': '+++\ntitle = \n+++\nBody\n' }, markdownFormat)
    expect(report.problems).toMatchObject([
      { line: 1, kind: 'changed', message: expect.stringMatching(/^Its properties are kept/) },
    ])
    expect(await read('a')).toContain('```toml\ntitle = \n```')
  })
})

describe('notes whose name is a date', () => {
  const locations = async (files: Files) => {
    const { call } = await imported(files)
    const { items } = await call('documents_list')
    return items.map((item: { title: string; dailyNoteDate?: string }) => item.dailyNoteDate ?? 'ordinary')
  }
  test('at the top of a vault are daily notes', async () => {
    expect(await locations({ '.obsidian/app.json': '{}', '2026-11-20.md': 'x\n' })).toEqual(['2026-11-20'])
  })

  test('in an export are what they were', async () => {
    const manifest = { '.scriptorium/manifest.json': '{}' }
    expect(await locations({ ...manifest, '2026-11-20.md': 'x\n', 'Daily/2026-11-21.md': 'x\n' })).toEqual([
      'ordinary',
      '2026-11-21',
    ])
    const own = '---\nscriptorium:\n  id: "1"\n---\nx\n'
    expect(await locations({ '.obsidian/app.json': '{}', '2026-11-20.md': own })).toEqual(['ordinary'])
  })
})
