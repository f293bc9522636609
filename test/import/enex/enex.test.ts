/** Notebooks of Evernote. */

import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { enexFormat } from '../../../src/import/enex/enex-format.ts'
import { png } from '../../picture.ts'
import { imported, problemLines } from '../importing.ts'

const PICTURE = png(3, 2)
const MD5 = createHash('md5').update(PICTURE).digest('hex')

interface Note {
  title: string
  body: string
  more?: string
}

const notebook = (...notes: Note[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export>${notes
    .map(
      ({ title, body, more = '' }) =>
        `<note><title>${title}</title><created>20240301T120000Z</created><updated>20240302T130000Z</updated>${more}<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${body}</en-note>]]></content></note>`,
    )
    .join('\n')}</en-export>`

const resource = (bytes: Buffer, name: string, mime = 'image/png') =>
  `<resource><data encoding="base64">\n${bytes.toString('base64').replace(/(.{20})/g, '$1\n')}\n</data><mime>${mime}</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`

const read = async (body: string, more = '') => {
  const run = await imported({ 'Book.enex': notebook({ title: 'Note', body, more }) }, enexFormat)
  return { ...run, text: await run.read('Note'), problems: problemLines(run.report) }
}

test('a note has its text, marks and lists', async () => {
  const { text, problems } = await read(
    '<h1>Top</h1><div>One <b>bold</b> <span style="font-style: italic">it</span> <span style="--en-highlight:yellow;">lit</span> <a href="https://x.example">link</a></div><div><br/></div><ul><li><div>a</div><ul><li>b</li></ul></li></ul><ol><li>c</li></ol><hr/><blockquote>said</blockquote>',
  )
  expect(text).toBe(
    '# Top\n\nOne **bold** *it* <highlight color="yellow">lit</highlight> [link](https://x.example)\n\n- a\n  - b\n1. c\n\n*****\n\n> said',
  )
  expect(problems).toEqual([])
})

test('to-dos are tasks, on lines and in lists', async () => {
  const { text } = await read(
    '<div><en-todo checked="true"/>done</div><div><en-todo/>open</div><ul style="--en-todo:true;"><li style="--en-checked:true;">x</li></ul><ol><li><en-todo checked="false"/>y</li></ol>',
  )
  expect(text).toBe('- [x] done\n- [ ] open\n- [x] x\n- [ ] y')
})

test('code stays code, with its spaces and language', async () => {
  const { text } = await read(
    '<div style="--en-codeblock:true;--en-codeblockLanguage:python;"><div>if x:</div><div>\u00a0\u00a0y</div></div>',
  )
  expect(text).toBe('```python\nif x:\n  y\n```')
})

test('tables, and encrypted text', async () => {
  const { text, problems } = await read(
    '<table><tr><td><div>a</div></td><td><div>b|c</div><div>d</div></td></tr><tr><td>1</td></tr></table><en-crypt>xyz</en-crypt>',
  )
  expect(text).toBe('| a | b\\|c<br>d |\n| --- | --- |\n| 1 |  |\n\n*Encrypted in Evernote*')
  expect(problems).toEqual(['Book.enex/1709294400000 Note changed: An encrypted text is left out.'])
})

test('what a cell cannot hold is below its table', async () => {
  const { blocks } = await read(
    `<table><tr><td><div>a</div><en-media hash="${MD5}" type="image/png"/></td><td><div style="--en-codeblock:true;"><div>x|*y*</div></div></td></tr></table>`,
    resource(PICTURE, 'dot.png'),
  )
  expect(await blocks('Note')).toMatchObject([
    { markdown: '| a | `x\\|*y*` |\n| --- | --- |' },
    { type: 'image', fileSize: PICTURE.byteLength },
  ])
})

test('files are where the note shows them, and others follow at its end', async () => {
  const more = resource(PICTURE, 'dot.png') + resource(Buffer.from('plain words'), 'a/b.txt', 'text/plain')
  const { blocks, problems } = await read(`<div>Before <en-media hash="${MD5}" type="image/png"/> after</div>`, more)
  expect(await blocks('Note')).toMatchObject([
    { markdown: 'Before' },
    { type: 'image', fileSize: PICTURE.byteLength },
    { markdown: 'after' },
    { type: 'file', fileName: 'a b.txt' },
  ])
  expect(problems).toEqual([])
})

test('a note keeps its notebook, times, tags and source', async () => {
  const more =
    '<tag>one</tag><tag>two: three</tag><note-attributes><source-url>https://x.example/a</source-url></note-attributes>'
  const { text, call } = await read('<div>Words</div>', more)
  expect(text).toBe('```yaml\ntags:\n  - one\n  - "two: three"\nsource: https://x.example/a\n```\n\nWords')
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items).toMatchObject([{ createdAt: '2024-03-01T12:00:00.000Z', lastModifiedAt: '2024-03-02T13:00:00.000Z' }])
  expect((await call('folders_list')).items.at(-1)).toMatchObject({ name: 'Book', documentCount: 1 })
})

test('links lead to notes by title, if there is exactly one', async () => {
  const link = (text: string) => `<div><a href="evernote:///view/1/s1/a/b/">${text}</a></div>`
  const run = await imported(
    {
      'A.enex': notebook(
        { title: 'Home', body: link('Plan') + link('Twice') + link('Gone') },
        { title: 'Twice', body: '' },
      ),
      'B.enex': notebook({ title: 'Plan', body: '' }, { title: 'Twice', body: '' }),
    },
    enexFormat,
  )
  const plan = await run.idOf('Plan')
  expect(await run.read('Home')).toMatch(
    new RegExp(
      `^\\[Plan\\]\\(block://${plan}\\)\n\n\\[Twice\\]\\(block://\\d+\\)\n\n\\[Gone\\]\\(evernote:///view/1/s1/a/b/\\)$`,
    ),
  )
  expect(problemLines(run.report)).toEqual([
    'A.enex/1709294400000 Home changed: A link to a note is kept as it is: no note alone is called Gone.',
  ])
})

test('the same notebook again writes nothing, and a changed note is updated', async () => {
  const notes = [
    { title: 'Note', body: '<div>One</div>' },
    { title: 'Note', body: '<div>Two</div>' },
  ]
  const run = await imported({ 'Book.enex': notebook(...notes) }, enexFormat)
  expect((await run.again({ 'Book.enex': notebook(...notes) })).counts).toMatchObject({ added: 0, unchanged: 2 })
  const changed = {
    'Book.enex': notebook({ title: 'Note', body: '<div>Three</div>' }, { title: 'Note', body: '<div>Two</div>' }),
  }
  expect((await run.again(changed)).counts).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
})

test('a broken notebook is reported, the others are imported, and no temporary file is left', async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('scriptorium-enex-'))
  const before = left()
  const bombed = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><en-export><note><title>&b;</title></note></en-export>`
  const run = await imported(
    { 'a.enex': '<en-export><note>', 'b.enex': bombed, 'c.enex': notebook({ title: 'Sound', body: '' }) },
    enexFormat,
  )
  expect(run.report.counts).toMatchObject({ added: 1, failed: 2 })
  expect(problemLines(run.report).map((line) => line.split(':')[0])).toEqual(['a.enex failed', 'b.enex failed'])
  expect(left()).toEqual(before)
})
