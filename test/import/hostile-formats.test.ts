/**
 * Hostile files of each format end in a line of the report or a refusal, and the other files of the same source are
 * imported. Nothing in them leads out of the source, or is looked up in a prototype.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IMPORT_JSON_LEVELS } from '../../src/base/limits.ts'
import { IMPORT_FORMATS, type ImportFormatName } from '../../src/import/format-names.ts'
import type { ImportFormat } from '../../src/import/import-format.ts'
import { findFormat } from '../../src/import/import-formats.ts'
import { joplinFormat } from '../../src/import/joplin/joplin-format.ts'
import { keepFormat } from '../../src/import/keep/keep-format.ts'
import { logseqFormat } from '../../src/import/logseq/logseq-format.ts'
import { csvFormat } from '../../src/import/markdown/page-formats.ts'
import { roamFormat } from '../../src/import/roam/roam-format.ts'
import { standardnotesFormat } from '../../src/import/standardnotes/standardnotes-format.ts'
import { type Files, imported, markdownFormat, problemLines, sourceOf } from './importing.ts'

const GOOD = 'f'.repeat(32)
const joplinNote = (id: string, body: string, more: string) =>
  `Note ${id[0]}\n\n${body}\n\nid: ${id}\nparent_id: ${'1'.repeat(32)}\n${more}type_: 1`
const backup = (...items: object[]) => ({ 'b.txt': JSON.stringify({ version: '004', items }) })
const good = { uuid: 'g', content_type: 'Note', content: { title: 'Good', text: 'fine', references: [] } }

const HOSTILE: readonly [string, ImportFormat, Files, string][] = [
  [
    'notebooks of Joplin in a circle, and fields of every object',
    joplinFormat,
    {
      [`${'1'.repeat(32)}.md`]: `One\n\nid: ${'1'.repeat(32)}\nparent_id: ${'2'.repeat(32)}\ntype_: 2`,
      [`${'2'.repeat(32)}.md`]: `Two\n\nid: ${'2'.repeat(32)}\nparent_id: ${'1'.repeat(32)}\n__proto__: x\ntype_: 2`,
      [`${GOOD}.md`]: joplinNote(
        GOOD,
        `${'[x](:/'.repeat(1_000)}\n![](:/../../etc/passwd)`,
        'todo_due: 99999999999999999\n',
      ),
    },
    'Note f',
  ],
  [
    'a note of Keep with other types, and a path out of the source',
    keepFormat,
    {
      'a.json': JSON.stringify({
        ...{ title: 5, textContent: [], listContent: [null, 3, { text: {} }], labels: 'x', isTrashed: 'no' },
        ...{ attachments: [{ filePath: '../../../etc/passwd' }, { filePath: 7 }], userEditedTimestampUsec: 1e300 },
      }),
      'b.json': JSON.stringify({ title: 'Good', isTrashed: false, constructor: 1 }),
      'c.json': `{"isTrashed":${'['.repeat(IMPORT_JSON_LEVELS + 1)}`,
    },
    'Good',
  ],
  [
    'a backup of Standard Notes with tags in a circle and a tree that is too deep',
    standardnotesFormat,
    backup(
      good,
      {
        uuid: 's',
        content_type: 'Note',
        content: { title: 'S', noteType: 'super', text: `{"root":${'['.repeat(500)}` },
      },
      { uuid: 'n', content_type: 'Note', content: null },
      {
        uuid: 't',
        content_type: 'Tag',
        content: {
          title: 'T',
          references: [
            { uuid: 't', content_type: 'Tag' },
            { uuid: 'g', content_type: 'Note' },
          ],
        },
      },
    ),
    'Good',
  ],
  [
    'pages of Roam with other types',
    roamFormat,
    {
      'a.json': JSON.stringify([
        {
          title: 'Good',
          children: [{ string: 5, uid: null }, null, { string: '((', children: 'x' }, { string: '```js\nx' }],
        },
        { title: '__proto__', children: [] },
        { title: 'constructor', 'edit-time': -1 },
      ]),
    },
    'Good',
  ],
  [
    'a graph of Logseq whose code, drawers and names never end',
    logseqFormat,
    {
      'logseq/config.edn': `{:journal/page-title-format "${'d'.repeat(90)}" :journals-directory ".."}`,
      'pages/..%2F..%2Fetc.md': '- x',
      'pages/%00.md': '- y',
      'pages/Good.md': `- \`\`\`\n${'#+BEGIN_A\n'.repeat(2_000)}${'  :LOGBOOK:\n'.repeat(2_000)}${'\t'.repeat(10_000)}- deep\n- {{embed ((`,
      [`pages/${'a___'.repeat(200)}b.md`]: '- z',
    },
    'Good',
  ],
  ['MDX whose modules never end', markdownFormat, { 'Good.mdx': 'export const a = {\n\n'.repeat(2_000) }, 'Good'],
  ['a table that is mostly quotes', csvFormat, { 'bad.csv': '"'.repeat(100_001), 'Good.csv': 'a\n=cmd\n' }, 'Good'],
]

describe('hostile files end in a line, and the others are imported', () => {
  test.each(HOSTILE)('%s', async (_, format, files, title) => {
    const { report, read, call } = await imported(files, format)
    expect(await read(title)).toBeDefined()
    expect(report.stopped).toBeUndefined()
    const { items } = await call('folders_list')
    expect(items.map(({ name }: { name: string }) => name)).not.toContain('..')
    for (const line of problemLines(report)) expect(line.length).toBeLessThan(1_000)
  })
})

/** A file that each format reads. */
const READ_BY: Readonly<Record<ImportFormatName, string>> = {
  markdown: 'a.mdx',
  obsidian: 'a.html',
  notion: `a ${GOOD}.md`,
  logseq: 'pages/a.md',
  joplin: 'a.jex',
  roam: 'a.json',
  keep: 'a.json',
  standardnotes: 'b.txt',
  craft: 'a.md',
  enex: 'a.enex',
  textbundle: 'a.textbundle/text.md',
  conversations: 'conversations.json',
  csv: 'a.csv',
  docx: 'a.docx',
  opml: 'a.opml',
}

/** Beginnings of exports that are cut off. */
test.each([
  ['roam', { 'a.json': '[{"title":"A","children":[]},{"title":' }],
  ['standardnotes', { 'b.txt': '{"items":[{"content_type":"Note"' }],
  ['conversations', { 'conversations.json': '[{"mapping":{}' }],
] as const)('an export of %s that is cut off is named in the report', async (name, files) => {
  const { report } = await imported(files, await findFormat(sourceOf(files), name))
  expect(report.problems).toMatchObject([{ path: Object.keys(files)[0], kind: 'failed' }])
})

describe.each(IMPORT_FORMATS)('as %s', (name) => {
  test('a file of any bytes ends in a report', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map(Buffer.from),
    )
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const files = { [READ_BY[name]]: content }
        const { report } = await imported(files, await findFormat(sourceOf(files), name))
        expect(report.counts.added + report.counts.failed + report.problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 3 },
    )
  })

  test('files of another format are imported, or named in the report', async () => {
    // In an export of Notion, any file may be one that a page shows, which is known only when the page is converted.
    const others = { 'odd.json': '{"a":[1]}', 'list.txt': 'words' }
    const files: Files = { 'Note.md': '# Note\n\nand text', ...(name !== 'notion' && others) }
    const { report, call } = await imported(files, await findFormat(sourceOf(files), name))
    const { items } = await call('documents_list')
    const titles = items.map(({ title }: { title: string }) => title)
    const named = report.problems.map(({ path }) => path)
    const silent = Object.keys(files).filter(
      (path) => !named.includes(path) && !titles.some((title: string) => path.startsWith(title)),
    )
    expect(silent).toEqual([])
  })
})
