/**
 * Hostile files of each format end in a line of the report or a refusal, and the other files of the same source are
 * imported. Nothing in them leads out of the source, or is looked up in a prototype.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IMPORT_JSON_LEVELS } from '../../src/base/limits.ts'
import type { ImportFormat } from '../../src/import/import-format.ts'
import { joplinFormat } from '../../src/import/joplin/joplin-format.ts'
import { keepFormat } from '../../src/import/keep/keep-format.ts'
import { logseqFormat } from '../../src/import/logseq/logseq-format.ts'
import { csvFormat, docxFormat, opmlFormat } from '../../src/import/markdown/page-formats.ts'
import { roamFormat } from '../../src/import/roam/roam-format.ts'
import { standardnotesFormat } from '../../src/import/standardnotes/standardnotes-format.ts'
import { type Files, imported, markdownFormat, problemLines } from './importing.ts'

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

test.each([
  ['an outline', opmlFormat, 'a.opml'],
  ['a Word document', docxFormat, 'a.docx'],
  ['a table', csvFormat, 'a.csv'],
  ['a page', markdownFormat, 'a.html'],
  ['MDX', markdownFormat, 'a.mdx'],
  ['an archive of Joplin', joplinFormat, 'a.jex'],
  ['a note of Joplin', joplinFormat, `${GOOD}.md`],
  ['a note of Keep', keepFormat, 'a.json'],
  ['a page of Logseq', logseqFormat, 'pages/a.md'],
])('%s of any bytes ends in a report', async (_, format, path) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map(Buffer.from),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      const { report } = await imported({ [path]: content }, format)
      expect(report.counts.added + report.counts.failed + report.problems.length).toBeGreaterThan(0)
    }),
    { numRuns: 5 },
  )
})
