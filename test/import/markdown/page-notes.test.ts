/** Files beside notes that become documents: MDX, HTML and plain text. */
import { expect, test } from 'vitest'
import { png } from '../../picture.ts'
import { imported, markdownFormat, problemLines, sourceOf } from '../importing.ts'

const PICTURE = png(3, 2)
const from = (files: Record<string, string | Uint8Array>) => imported(files, markdownFormat)

test('modules of MDX are code, and tags of components are text', async () => {
  const mdx = [
    '---\ntitle: Page\n---',
    "import Tabs from '@theme/Tabs'\nimport { a,\n  b } from './x'",
    'export const data = {\n  one: 1,\n\n  two: 2,\n}',
    '# Page\n\nWords <Icon name="x" /> of **the** page.\n\nimport your notes first.',
    '<Tabs>\n<TabItem value="a">\n\nInside\n\n</TabItem>\n</Tabs>',
    '```jsx\n<Tabs />\n```',
  ].join('\n\n')
  const { read, report } = await from({ 'page.mdx': mdx, 'a.md': 'See [page](page.mdx).' })
  expect(await read('Page')).toBe(
    [
      '```yaml\ntitle: Page\n```',
      "```js\nimport Tabs from '@theme/Tabs'\nimport { a,\n  b } from './x'\n```",
      '```js\nexport const data = {\n  one: 1,\n\n  two: 2,\n}\n```',
      '# Page\n\nWords \\<Icon name="x" /> of **the** page.\n\nimport your notes first.',
      '\\<Tabs>\n\\<TabItem value="a">\n\nInside\n\n\\</TabItem>\n\\</Tabs>',
      '```jsx\n<Tabs />\n```',
    ].join('\n\n'),
  )
  expect(problemLines(report)).toEqual([
    'page.mdx:5 changed: A module of MDX is kept as code.',
    'page.mdx:9 changed: A module of MDX is kept as code.',
    'page.mdx:17 changed: A component of MDX is kept as text.',
    'page.mdx:21 changed: A component of MDX is kept as text.',
    'page.mdx:22 changed: A component of MDX is kept as text.',
  ])
  expect(await read('a')).toMatch(/^See \[page\]\(block:\/\/\d+\)\.$/)
})

test('a page of HTML is a document with its title, images and links', async () => {
  const { read, blocks, report } = await from({
    'docs/old.html':
      '<!doctype html><html><head><title>Old page</title><style>p{}</style></head><body><h1>Old</h1><p>Words H<sub>2</sub>O of <a href="../a.md">a</a>, <a href="gone.html">gone</a> and <a href="javascript:x">this</a>.</p><p><img src="dot.png" alt="dot"></p><ul><li><input type="checkbox" checked> done</li><li><label><input type="checkbox"> open</label></li></ul><iframe src="https://x.example/map"></iframe><svg></svg></body></html>',
    'docs/dot.png': PICTURE,
    'a.md': 'See [old](docs/old.html).',
  })
  expect(await read('Old page')).toMatch(
    /^# Old\n\nWords H<sub>2<\/sub>O of \[a\]\(block:\/\/\d+\), \[gone\]\(gone\.html\) and this\.\n\n!\[dot\]\(\S+\)\n\n- \[x\] done\n- \[ \] open\n\n\[https:\/\/x\.example\/map\]\(https:\/\/x\.example\/map\)$/,
  )
  expect(await blocks('a')).toMatchObject([{ markdown: expect.stringContaining('[old](block://') }])
  expect(problemLines(report)).toEqual([
    'docs/old.html not found: A link to a file that is not there is kept as it is.',
    'docs/old.html changed: The address of a link that would run as a program is left out.',
    'docs/old.html changed: An embedded page became a link to it.',
    'docs/old.html changed: A drawing in the page is left out.',
  ])
})

test('an image in the address of a page is a file', async () => {
  const { blocks } = await from({ 'a.html': `<img src="data:image/png;base64,${PICTURE.toString('base64')}">` })
  expect(await blocks('a')).toMatchObject([{ type: 'image', fileSize: PICTURE.byteLength }])
})

test('a text keeps its words, lines and columns', async () => {
  const { read, report } = await from({
    'notes.txt': 'Plain *words*\n# second line\n\n1  2\n\nname   age\nAnna   30\n',
    'tasks.org': '* TODO Call\n** Sub',
  })
  expect(await read('notes')).toBe('Plain \\*words*\\\n\\# second line\n\n1  2\n\n```\nname   age\nAnna   30\n```')
  expect(await read('tasks')).toBe('\\* TODO Call\\\n** Sub')
  expect(problemLines(report)).toEqual([
    'tasks.org changed: Its markup is kept as text, since this language is not read.',
  ])
})

test('what no note shows is in one document, with a line for each file', async () => {
  const files = { 'a.md': 'Words.', 'x.bin': 'x', 'box/y.pages': 'y', 'box/z.bin': 'z', 'assets/t.txt': 't' }
  const { blocks, report, again, call } = await from(files)
  expect(await blocks('Files')).toMatchObject([
    { markdown: '### assets' },
    { type: 'file', fileName: 't.txt' },
    { markdown: '### box' },
    { type: 'file', fileName: 'y.pages' },
    { type: 'file', fileName: 'z.bin' },
    { type: 'file', fileName: 'x.bin' },
  ])
  const kept = 'changed: No note shows it, and it is not a text that can be imported: it is in the document "Files".'
  expect(problemLines(report)).toEqual([
    `assets/t.txt ${kept}`,
    'box/y.pages changed: Pages files are not read: in Pages, export the document as Word (.docx), and import that.',
    `box/z.bin ${kept}`,
    `x.bin ${kept}`,
  ])
  expect((await call('documents_list')).items).toHaveLength(2)
  expect((await again(files)).counts).toMatchObject({ unchanged: 2, added: 0, updated: 0 })
})

test('a folder of pages alone is read as one of notes', async () => {
  expect(await markdownFormat.detects(sourceOf({ 'a.html': '' }))).toBe('it has pages or texts, and no Markdown')
  expect(await markdownFormat.detects(sourceOf({ 'a.png': '' }))).toBeUndefined()
})

test('tables and Word documents stay files where a note refers to them', async () => {
  const { blocks, call } = await from({
    'a.md': '[table](t.csv) and [word](w.docx)',
    't.csv': 'a\n1\n',
    'w.docx': 'PK',
  })
  expect(await blocks('a')).toMatchObject([{ type: 'text' }, { fileName: 't.csv' }, { fileName: 'w.docx' }])
  expect((await call('documents_list')).items).toHaveLength(1)
})
