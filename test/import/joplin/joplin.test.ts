/** Exports of Joplin: RAW folders, and JEX archives. */

import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { joplinFormat } from '../../../src/import/joplin/joplin-format.ts'
import { png } from '../../picture.ts'
import { type Files, imported, problemLines, sourceOf } from '../importing.ts'

const PICTURE = png(3, 2)
const [NOTE, OTHER, WEB, BOOK, INNER, PICTURE_ID, TAG, LINK] = '12345678'.split('').map((sign) => sign.repeat(32))

const item = (title: string, body: string, fields: Record<string, string | number>): string =>
  [title, ...(body === '' ? [] : ['', body]), '', ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)]
    .join('\n')
    .replace(/^\n+/, '')
const note = (
  id: string | undefined,
  title: string,
  body: string,
  more: Record<string, string | number> = {},
): Files => ({
  [`${id}.md`]: item(title, body, {
    ...{ id: id ?? '', parent_id: INNER ?? '', created_time: '2024-01-02T03:04:05.000Z' },
    ...{ updated_time: '2024-02-02T03:04:05.000Z', is_todo: 0, todo_due: 0, todo_completed: 0, source_url: '' },
    ...{ markup_language: 1, type_: 1, ...more },
  }),
})
const FILES: Files = {
  ...note(
    NOTE,
    'My note',
    `Body ![pic](:/${PICTURE_ID}) and [other](:/${OTHER}).\n\n[gone](:/${'f'.repeat(32)}) \`(:/${OTHER})\`\n\n- [ ] box`,
  ),
  ...note(OTHER, '.other', '', { is_todo: 1, todo_due: 1714557600000, todo_completed: 1714561200000 }),
  ...note(WEB, 'Clipped', `<h1>Top</h1><p><b>Words</b> <a href=":/${NOTE}">x</a></p>`, {
    markup_language: 2,
    source_url: 'https://x.example/',
  }),
  [`${BOOK}.md`]: item('Book', '', { id: BOOK ?? '', parent_id: '', type_: 2 }),
  [`${INNER}.md`]: item('Inner', '', { id: INNER ?? '', parent_id: BOOK ?? '', type_: 2 }),
  [`${PICTURE_ID}.md`]: item('dot.png', '', {
    id: PICTURE_ID ?? '',
    mime: 'image/png',
    file_extension: 'png',
    type_: 4,
  }),
  [`${TAG}.md`]: item('blue', '', { id: TAG ?? '', parent_id: '', type_: 5 }),
  [`${LINK}.md`]: item('', '', { id: LINK ?? '', note_id: NOTE ?? '', tag_id: TAG ?? '', type_: 6 }),
  [`resources/${PICTURE_ID}.png`]: PICTURE,
}

const plain = (text: string) => text.replace(/block:\/\/\d+/g, 'block').replace(/scriptorium:\S+\d/g, 'file')

test('an export is detected by its items or archives', async () => {
  expect(await joplinFormat.detects(sourceOf(FILES))).toBe('it has notes of Joplin')
  expect(await joplinFormat.detects(sourceOf({ 'a.jex': '' }))).toBe('it has notes of Joplin')
  expect(await joplinFormat.detects(sourceOf({ [`${NOTE}.md`]: 'Words.' }))).toBeUndefined()
})

test('notes are in the folders of their notebooks, with links, files, tags and times', async () => {
  const run = await imported(FILES, joplinFormat)
  expect(plain(await run.read('My note'))).toBe(
    `\`\`\`yaml\ntags:\n  - blue\n\`\`\`\n\nBody\n\n![pic](file)\n\nand [other](block).\n\n[gone](:/${'f'.repeat(32)}) \`(:/${OTHER})\`\n\n- [ ] box`,
  )
  expect(plain(await run.read('Clipped'))).toBe(
    '```yaml\nsource: https://x.example/\n```\n\n# Top\n\n**Words** [x](block)',
  )
  const { items } = await run.call('documents_list', { fetchMetadata: true })
  expect(items).toHaveLength(3)
  expect(items.find(({ title }: { title: string }) => title === 'My note')).toMatchObject({
    ...{ createdAt: '2024-01-02T03:04:05.000Z' },
  })
  const folders = (await run.call('folders_list')).items as { name: string }[]
  expect(folders.map(({ name }) => name)).toEqual(expect.arrayContaining(['Book']))
  expect(problemLines(run.report)).toEqual([
    `${NOTE}.md:3 changed: An image in a line with words is a block of its own.`,
    `${NOTE}.md:5 not found: A link to a file that is not there is kept as it is.`,
  ])
  expect((await run.again(FILES)).counts).toMatchObject({ unchanged: 3, updated: 0, added: 0 })
  const renamed = { ...FILES, [`${TAG}.md`]: item('red', '', { id: TAG ?? '', type_: 5 }) }
  expect((await run.again(renamed)).counts).toMatchObject({ unchanged: 2, updated: 1, added: 0 })
})

test('a to-do is a task with its due date, reminder and time of completion', async () => {
  const { blocks } = await imported(FILES, joplinFormat)
  expect(await blocks('.other')).toMatchObject([
    {
      markdown: '- [x] .other',
      taskInfo: { state: 'done', deadlineDate: '2024-05-01', completedAt: '2024-05-01T11:00:00.000Z' },
    },
  ])
})

test('an archive is the same as its folder', async () => {
  const run = await imported({ 'notes.jex': await tarOf(FILES) }, joplinFormat)
  expect(run.report.counts).toMatchObject({ added: 3, files: 1, failed: 0 })
  expect(plain(await run.read('My note'))).toContain('Body\n\n![pic](file)')
})

test('what is encrypted, damaged or no archive is reported, and the others are imported', async () => {
  const files = {
    ...note(NOTE, 'Plain', 'Words.'),
    ...note(OTHER, '', '', { encryption_applied: 1 }),
    [`${WEB}.md`]: 'no item',
    'bad.jex': 'no tar',
    'evil.jex': await tarOf({ '../../x.md': 'x', 'deep/y.bin': 'y' }),
  }
  const { read, report } = await imported(files, joplinFormat)
  expect(await read('Plain')).toBe('Words.')
  expect(problemLines(report)).toEqual([
    '../../x.md left out: Its name is invalid or leads out of the archive.',
    `${OTHER}.md left out: It is encrypted: decrypt it in Joplin, and export again.`,
    `${WEB}.md failed: Expected an item of Joplin with its fields, found none.`,
    'bad.jex failed: The archive is damaged, or none: Unexpected end of data',
    expect.stringMatching(/^evil\.jex\/deep\/y\.bin changed: /),
  ])
})

async function tarOf(files: Files): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, Buffer.from(content))
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}
