/** Notes of Google Keep. */
import { expect, test } from 'vitest'
import { keepFormat } from '../../../src/import/keep/keep-format.ts'
import { png } from '../../picture.ts'
import { type Files, imported, problemLines, sourceOf } from '../importing.ts'

const PICTURE = png(3, 2)
const note = (fields: object) =>
  JSON.stringify({
    ...{ color: 'DEFAULT', isTrashed: false, isPinned: false, isArchived: false, title: '' },
    ...{ userEditedTimestampUsec: 1709380800000000, createdTimestampUsec: 1709294400000000, ...fields },
  })
const FILES: Files = {
  'Takeout/Keep/Plan.json': note({
    ...{
      title: 'Plan',
      textContent: 'First *line*\nsecond\n\nLast',
      isPinned: true,
      labels: [{ name: 'Work' }, { name: 'Home' }],
    },
    annotations: [{ url: 'https://x.example/', title: 'X', description: 'About', source: 'WEBLINK' }],
    attachments: [
      { filePath: 'dot.jpeg', mimetype: 'image/jpeg' },
      { filePath: 'gone.png', mimetype: 'image/png' },
    ],
    ...{ color: 'RED', sharees: [{ email: 'a@x.example' }] },
  }),
  'Takeout/Keep/Plan.html': '<p>Plan</p>',
  'Takeout/Keep/dot.jpg': PICTURE,
  'Takeout/Keep/List.json': note({
    title: 'List',
    listContent: [
      { text: 'milk', isChecked: true },
      { text: 'bread & <b>', isChecked: false },
    ],
  }),
  'Takeout/Keep/2024.json': note({ textContent: 'Untitled words' }),
  'Takeout/Keep/Gone.json': note({ title: 'Gone', isTrashed: true }),
  'Takeout/Keep/Old.json': note({ title: 'Old', isArchived: true }),
  'Takeout/Keep/Labels.txt': 'Work',
  'Takeout/Keep/broken.json': '{"isTrashed"',
}

test('notes have their text, labels, lists, links, files and times', async () => {
  const { read, blocks, report, call, again } = await imported(FILES, keepFormat)
  expect(await keepFormat.detects(sourceOf(FILES))).toBe('it has notes of Google Keep')
  expect(await keepFormat.detects(sourceOf({ 'a.json': '{}' }))).toBeUndefined()
  expect((await read('Plan')).replace(/scriptorium:\S+\d/, 'file')).toBe(
    '```yaml\ntags:\n  - Work\n  - Home\npinned: true\n```\n\nFirst \\*line*\\\nsecond\n\nLast\n\n[X](https://x.example/)\n\n![](file)',
  )
  expect(await blocks('List')).toMatchObject([
    { markdown: '- [x] milk', taskInfo: { state: 'done' } },
    { markdown: '- [ ] bread & \\<b>', taskInfo: { state: 'todo' } },
  ])
  expect(await read('2024')).toBe('Untitled words')
  const { items } = await call('documents_list', { fetchMetadata: true })
  expect(items).toHaveLength(3)
  expect(items.find(({ title }: { title: string }) => title === 'Plan')).toMatchObject({
    createdAt: '2024-03-01T12:00:00.000Z',
  })
  expect(problemLines(report).sort()).toEqual([
    'Takeout/Keep/Gone.json left out: It is in the trash of Keep.',
    'Takeout/Keep/Labels.txt left out: It is no note of Keep, and no note shows it.',
    'Takeout/Keep/Old.json left out: It is in the archive of Keep.',
    'Takeout/Keep/Plan.json left out: The color of a note is left out.',
    'Takeout/Keep/Plan.json left out: With whom a note is shared is left out.',
    'Takeout/Keep/Plan.json not found: A file that the note shows is not there.',
    expect.stringMatching(/^Takeout\/Keep\/broken\.json failed: /),
  ])
  expect((await again(FILES)).counts).toMatchObject({ unchanged: 3, updated: 0, added: 0 })
})
