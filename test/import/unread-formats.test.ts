/** Formats that are not read: the refusal names the export that is. */
import { expect, test } from 'vitest'
import { findFormat } from '../../src/import/import-formats.ts'
import { imported, markdownFormat, problemLines, sourceOf } from './importing.ts'

test.each([
  ['a.one', /^OneNote files are not read: in OneNote, export .*Word/],
  ['a.onepkg', /^OneNote files/],
  ['a.pages', /^Pages files are not read: in Pages, export .*Word/],
  ['a.doc', /^Old Word files \(\.doc\) are not read: save .*\.docx/],
  ['NoteStore.sqlite', /^The database of Apple Notes is not read: in Notes, export .*Markdown/],
])('%s', async (path, message) => {
  await expect(findFormat(sourceOf({ [path]: 'x' }))).rejects.toThrow(message)
})

test('beside notes such a file is kept, with the same sentence', async () => {
  const { report, blocks } = await imported({ 'a.md': 'x', 'b.one': 'y' }, markdownFormat)
  expect(await blocks('Files')).toMatchObject([{ type: 'file', fileName: 'b.one' }])
  expect(problemLines(report)).toEqual([expect.stringMatching(/^b\.one changed: OneNote files are not read: /)])
})

test.each([
  ['a.csv', 'a,b\n1,2\n', 'csv'],
  ['a.opml', '<opml/>', 'opml'],
  ['a.txt', 'words', 'markdown'],
  ['a.html', '<p>words', 'markdown'],
  ['a.mdx', 'words', 'markdown'],
  ['Page 0123456789abcdef0123456789abcdef.md', '# Page', 'notion'],
  ['Page 0123456789abcdef0123456789abcdef.html', '<p>Page', 'notion'],
  ['Note.textbundle/text.md', 'words', 'textbundle'],
])('%s alone is read as a format of its own', async (path, text, name) => {
  expect((await findFormat(sourceOf({ [path]: text }))).name).toBe(name)
})

test.each([
  ['an archive of Joplin', 'old.jex', 'x'],
  ['a note of Keep', 'Takeout/Keep/a.json', '{"isTrashed":false,"title":"x"}'],
  ['a backup of Standard Notes', 'backup.txt', '{"items":[{"content_type":"Note"}]}'],
  ['an export of Roam', 'roam.json', '[{"title":"x","children":[]}]'],
])('%s among other notes does not make all of them that', async (_, path, text) => {
  const notes = { '.obsidian/app.json': '{}', 'a.md': '[[b]]', 'b.md': 'x' }
  expect((await findFormat(sourceOf({ [path]: text }))).name).not.toBe('obsidian')
  expect((await findFormat(sourceOf({ ...notes, [path]: text }))).name).toBe('obsidian')
})

test('a graph of Logseq further in does not make all of a source that', async () => {
  expect((await findFormat(sourceOf({ 'a/b/logseq/config.edn': '{}', 'a.md': '' }))).name).toBe('markdown')
})
