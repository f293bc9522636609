/** Decrypted backups of Standard Notes. */
import { expect, test } from 'vitest'
import { standardnotesFormat } from '../../../src/import/standardnotes/standardnotes-format.ts'
import { imported, problemLines, sourceOf } from '../importing.ts'

const NAME = 'Standard Notes Backup and Import File.txt'
const note = (uuid: string, title: string, text: string, more: object = {}, own: object = {}) => ({
  ...{ uuid, content_type: 'Note', created_at: '2024-03-01T12:00:00.000Z', updated_at: '2024-03-02T12:00:00.000Z' },
  content: { title, text, references: [], appData: { 'org.standardnotes.sn': own }, ...more },
})
const tag = (uuid: string, title: string, references: object[]) => ({
  ...{ uuid, content_type: 'Tag', content: { title, references } },
})
const text = (text: string, format = 0) => ({ type: 'text', text, format })
const SUPER = {
  root: {
    children: [
      { type: 'heading', tag: 'h2', children: [text('Top')] },
      {
        type: 'paragraph',
        children: [
          text('a '),
          text('bold', 1),
          { type: 'linebreak' },
          { type: 'link', url: 'https://x.example', children: [text('x')] },
          { type: 'snbubble', itemUuid: 'n1' },
        ],
      },
      {
        type: 'list',
        listType: 'check',
        children: [
          { type: 'listitem', checked: true, children: [text('done')] },
          { type: 'listitem', checked: false, children: [text('open')] },
        ],
      },
      { type: 'code', language: 'js', children: [text('if (a < b)'), { type: 'linebreak' }, text('  c')] },
      { type: 'snfile', fileUuid: 'f' },
    ],
  },
}
const backup = (...items: object[]) => ({ [NAME]: JSON.stringify({ version: '004', items }) })
const FILES = {
  ...backup(
    note('n1', 'Plain', 'One *line*\ntwo', {}, { pinned: true }),
    note('n2', 'Marked', '# Top\n\n- [x] done', { noteType: 'markdown' }),
    note('n3', 'Super', JSON.stringify(SUPER), { noteType: 'super' }),
    note('n4', 'Rich', '<p>a <b>b</b></p>', { noteType: 'rich-text' }),
    note('n5', 'Code', 'x = `1`', { noteType: 'code' }),
    note('n6', 'Sheet', '{"a":1}', { noteType: 'spreadsheet' }),
    note('n7', 'Gone', '', { trashed: true }),
    note('n8', 'Old', '', {}, { archived: true }),
    tag('t1', 'Work', [{ uuid: 'n1', content_type: 'Note' }]),
    tag('t2', 'Plans', [
      { uuid: 'n1', content_type: 'Note' },
      { uuid: 't1', content_type: 'Tag' },
    ]),
  ),
  'Items/Note/Plain.txt': 'One',
}

test('notes have their text by their editor, tags and times', async () => {
  expect(await standardnotesFormat.detects(sourceOf(FILES))).toBe('it has a backup of Standard Notes')
  expect(await standardnotesFormat.detects(sourceOf({ 'a.txt': '{"items"' }))).toBeUndefined()
  const { read, report, call, again } = await imported(FILES, standardnotesFormat)
  expect(await read('Plain')).toBe('```yaml\ntags:\n  - Work\n  - Work/Plans\npinned: true\n```\n\nOne \\*line*\\\ntwo')
  expect(await read('Marked')).toBe('# Top\n\n- [x] done')
  expect((await read('Super')).replace(/block:\/\/\d+/, 'block')).toBe(
    '## Top\n\na **bold**\\\n[x](https://x.example)[Plain](block)\n\n- [x] done\n- [ ] open\n\n```js\nif (a < b)\n  c\n```',
  )
  expect(await read('Rich')).toBe('a **b**')
  expect(await read('Code')).toBe('```\nx = `1`\n```')
  expect(await read('Sheet')).toBe('```json\n{"a":1}\n```')
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items).toHaveLength(6)
  expect(items[0]).toMatchObject({ createdAt: '2024-03-01T12:00:00.000Z' })
  expect(problemLines(report).sort()).toEqual([
    'Gone left out: It is in the trash of Standard Notes.',
    'Items left out: The files beside the backup are left out: the backup has the same notes.',
    'Old left out: It is in the archive of Standard Notes.',
    'Sheet changed: The text of this editor is kept as code.',
    'Super left out: A part of a note is left out, or only its words are kept.',
  ])
  expect((await again(FILES)).counts).toMatchObject({ unchanged: 6, updated: 0, added: 0 })
})

test('an encrypted backup says what to do', async () => {
  const { report } = await imported(backup({ uuid: 'a', content_type: 'Note', content: '004:x' }), standardnotesFormat)
  expect(problemLines(report)).toEqual([
    `${NAME} failed: The backup is encrypted: create a decrypted one in Standard Notes (Preferences > Backups).`,
  ])
})
