/** A space as a folder of Markdown for Obsidian, and its import. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { bodyOf } from '../import/importing.ts'
import { png } from '../picture.ts'
import { exportOf, filesIn, importOf } from './vault-exports.ts'

async function bodyBy({ call }: Connected, title: string): Promise<string> {
  const { items } = await call('documents_list')
  const found = items.find((one: { title: string }) => one.title === title)
  return bodyOf(await call('blocks_get', { id: found?.id, format: 'markdown' }))
}

const front = (id: string, ...more: string[]) =>
  [
    ...['---', 'scriptorium:', `  id: ${id}`, ...more.filter((line) => line.startsWith('  title'))],
    ...['  created: 2026-11-20T09:00:00.000Z', '  modified: 2026-11-20T09:00:00.000Z'],
    ...[...more.filter((line) => !line.startsWith('  title')), '---', '', ''],
  ].join('\n')

test('a document is a note with its ID, times and links, in its folder', async () => {
  const connected = await connect()
  const { items } = await connected.call('folders_add', { folders: [{ name: 'Work: now' }] })
  const plan = await documentOf(connected, '# Goals\n\nMany.', 'Plan?')
  await connected.call('documents_move', { documentIds: [plan], destination: { folderId: items[0].id } })
  const { content } = await connected.call('blocks_get', { id: plan })
  const home = await documentOf(
    connected,
    `See [the plan](block://${plan}), [its goals](block://${content[0].id}) and [gone](block://999999999999).`,
    'Home',
  )
  const { read, path, report } = await exportOf(connected)
  expect(filesIn(path)).toEqual(['Home.md', 'Work now/Plan.md'])
  expect(read('Home.md')).toBe(
    `${front(home)}See [the plan](Work%20now/Plan.md), [its goals](Work%20now/Plan.md#Goals) and [gone](block://999999999999).\n`,
  )
  expect(read('Work now/Plan.md')).toBe(`${front(plan, '  title: "Plan?"')}# Goals\n\nMany.\n`)
  expect(report.problems).toEqual([
    { path: 'Home.md', message: 'A link to what is not in the export is kept as it is' },
  ])
  expect((await exportOf(connected, [home])).read('Home.md')).toContain(`[the plan](block://${plan})`)
})

test('tags of texts and properties stay, and are found again', async () => {
  const connected = await connect()
  const markdown = '```yaml\ntags: [work, "a/b"]\n```\n\n#work/now and #übung\n\n- [ ] call #home'
  await documentOf(connected, markdown, 'Noted')
  const { read, path } = await exportOf(connected)
  expect(read('Noted.md')).toContain('tags: [work, "a/b"]')
  expect(read('Noted.md')).toContain('#work/now and #übung\n\n- [ ] call #home')
  const again = await importOf(path)
  const found = async (...tags: string[]) => (await again.call('documents_list', { tags })).items.length
  expect([await found('work'), await found('a', 'übung'), await found('work/now'), await found('x')]).toEqual([
    1, 1, 1, 0,
  ])
  expect((await again.call('tasks_list', { scope: 'all', tags: ['home'] })).items).toHaveLength(1)
})

test('daily notes, templates, tasks and properties have the formats of Obsidian', async () => {
  const connected = await connect()
  const { call } = connected
  await call('blocks_add', { markdown: 'Sun.', position: { position: 'end', date: '2026-11-20' } })
  await call('documents_add', { documents: [{ title: 'Letter' }], destination: { destination: 'templates' } })
  const noted = await documentOf(connected, '```yaml\ntags: [a]\n```\n\nWords.', 'Noted')
  const repeat = { type: 'flexible', frequency: 'weekly', interval: 2 }
  const tasks = [
    {
      type: 'text',
      markdown: '- [ ] Pay',
      taskInfo: { state: 'todo', scheduleDate: '2026-12-01', deadlineDate: '2026-12-04' },
    },
    { type: 'text', markdown: '- [ ] Water', taskInfo: { state: 'todo', scheduleDate: '2026-12-01', repeat } },
  ]
  await call('blocks_add', { blocks: tasks, position: { position: 'end', pageId: noted } })
  const { read, path } = await exportOf(connected)
  expect(filesIn(path)).toEqual([
    '.obsidian/daily-notes.json',
    'Daily/2026-11-20.md',
    'Noted.md',
    'Templates/Letter.md',
  ])
  expect(JSON.parse(read('.obsidian/daily-notes.json'))).toEqual({ folder: 'Daily', format: 'YYYY-MM-DD' })
  expect(read('Noted.md')).toBe(
    `${front(noted).replace('---\n', '---\ntags: [a]\n')}Words.\n\n- [ ] Pay ⏳ 2026-12-01 📅 2026-12-04\n- [ ] Water 🔁 every 2 weeks when done ⏳ 2026-12-01\n`,
  )
  const back = await importOf(path)
  expect((await back.call('blocks_get', { date: '2026-11-20' })).content).toMatchObject([{ markdown: 'Sun.' }])
  expect((await back.call('documents_list', { location: 'templates' })).items).toMatchObject([{ title: 'Letter' }])
  const { items } = await back.call('documents_list')
  const again = items.find((one: { title: string }) => one.title === 'Noted')
  const { content } = await back.call('blocks_get', { id: again.id })
  expect(content).toMatchObject([
    { type: 'code', rawCode: 'tags: [a]', language: 'yaml' },
    { markdown: 'Words.' },
    { taskInfo: tasks[0]?.taskInfo },
    { taskInfo: tasks[1]?.taskInfo },
  ])
})

test('comments and reminders are next to their blocks, and are imported with author and time', async () => {
  const connected = await connect()
  const { call } = connected
  const id = await documentOf(connected, 'Words.\n\n---', 'Noted')
  const { content } = await call('blocks_get', { id })
  const [words, line] = content.map((block: { id: string }) => block.id)
  await call('comments_add', {
    comments: [
      { blockId: words, content: 'two\nlines %% "quoted"' },
      { blockId: line, content: 'plain' },
    ],
  })
  await call('reminders_add', { reminders: [{ blockId: words, remindAt: '2026-12-01T09:00:00Z' }] })
  const { read, path } = await exportOf(connected)
  expect(read('Noted.md')).toBe(
    `${front(id)}Words. %%tester 2026-11-20T09:00:00.000Z: "two\\nlines %\\u0025 \\"quoted\\""%% %%reminder 2026-12-01T09:00:00.000Z%%\n\n*****\n\n%%tester 2026-11-20T09:00:00.000Z: plain%%\n`,
  )
  const back = await importOf(path)
  const { items } = await back.call('documents_list')
  const page = await back.call('blocks_get', { id: items[0].id, fetchMetadata: true })
  expect(page.content.map((block: { metadata: { comments: unknown } }) => block.metadata.comments)).toMatchObject([
    [{ author: 'tester', content: 'two\nlines %% "quoted"', createdAt: '2026-11-20T09:00:00.000Z' }],
    [{ author: 'tester', content: 'plain' }],
  ])
  expect((await back.call('reminders_list', { status: 'all' })).items).toMatchObject([
    { remindAt: '2026-12-01T09:00:00.000Z' },
  ])
})

test('comments on words keep their words, their place and their thread', async () => {
  const connected = await connect()
  const { call } = connected
  await documentOf(connected, 'A **fox** and a fox.\n\nA "crane" that goes.', 'Words')
  const { items } = await call('documents_list')
  const { content } = await call('blocks_get', { id: items[0].id })
  const [fox, crane] = content.map((block: { id: string }) => block.id)
  const comments = [
    { blockId: fox, words: 'fox and a', content: 'Which?' },
    { blockId: crane, words: '"crane"', content: 'Whose?' },
    { blockId: fox, content: 'All of it.' },
  ]
  const added = await call('comments_add', { comments })
  await call('comments_add', { comments: [{ commentId: added.items[0].commentId, content: 'This one.' }] })
  await call('comments_add', { comments: [{ blockId: fox, words: 'fox.', content: 'The last.' }] })
  await call('blocks_update', {
    blocks: [
      { id: fox, markdown: 'A fox, a **fox** and a fox.' },
      { id: crane, markdown: 'Nothing.' },
    ],
  })
  const exported = await exportOf(connected)
  const about = (words: string) => `%%tester 2026-11-20T09:00:00.000Z${words}`
  expect(exported.read('Words.md')).toContain(
    `A fox, a **fox** and a fox. ${about(' on "fox and a": Which?%%')} ${about(': All of it.%%')} ${about(' on "fox and a": This one.%%')} ${about(' on "fox.": The last.%%')}`,
  )
  expect(exported.read('Words.md')).toContain(`Nothing. ${about(' on "\\"crane\\"": Whose?%%')}`)
  const back = await importOf(exported.path)
  expect(back.problems).toEqual([])
  const found = await back.call('documents_list')
  const page = await back.call('blocks_get', { id: found.items[0].id, fetchMetadata: true })
  expect(page.content[0].markdown.replace(/\d{12}/g, 'ID')).toBe(
    '<comment id="ID">A fox, a <comment id="ID">**fox** and a</comment> <comment id="ID">fox.</comment></comment>',
  )
  const threads = page.content.map((block: Answer) =>
    block.metadata.comments.map(({ content: text, words, threadId, areWordsGone = false }: Answer) => [
      ...[text, words, areWordsGone],
      threadId === undefined ? 0 : block.metadata.comments.findIndex((one: Answer) => one.threadId === threadId),
    ]),
  )
  expect(threads).toEqual([
    [
      ['Which?', 'fox and a', false, 0],
      ['All of it.', undefined, false, 0],
      ['This one.', 'fox and a', false, 0],
      ['The last.', 'fox.', false, 3],
    ],
    [['Whose?', '"crane"', true, 0]],
  ])
  expect((await exportOf(back)).read('Words.md').split('---\n')[2]).toBe(exported.read('Words.md').split('---\n')[2])
})

test('an attached file that is called like a note is not exported as one', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, 'Words.', 'Shown')
  const data = png(3, 2).toString('base64')
  const position = { position: 'end', pageId }
  await connected.call('files_add', { position, data, fileName: 'scan.md', mimeType: 'application/octet-stream' })
  const { path, read } = await exportOf(connected)
  expect(filesIn(path)).toEqual(['Shown.md', 'assets/scan.md.bin'])
  expect(read('Shown.md')).toContain('[scan.md](assets/scan.md.bin "file")')
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect((await exportOf(back)).read('Shown.md')).toContain('[scan.md](assets/scan.md.bin "file")')
})

test('files and whiteboards are files next to the notes', async () => {
  const connected = await connect()
  const { call } = connected
  const id = await documentOf(connected, 'Words.', 'Shown')
  const position = { position: 'end', pageId: id }
  const bytes = png(3, 2)
  await call('files_add', { position, data: bytes.toString('base64'), fileName: 'a (b).png', mimeType: 'image/png' })
  const { whiteboardBlockId } = await call('whiteboards_add', { position })
  const element = { id: 'e', type: 'rectangle', x: 1, y: 2, width: 30, height: 40 }
  await call('elements_add', { whiteboardBlockId, elements: [element] })
  const { read, path, report } = await exportOf(connected)
  expect(report.problems).toEqual([])
  const board = `Whiteboard ${whiteboardBlockId}.excalidraw`
  expect(filesIn(path)).toEqual(['Shown.md', `assets/${board}`, `assets/${board}.svg`, 'assets/a (b).png'])
  expect(readFileSync(join(path, 'assets/a (b).png'))).toEqual(bytes)
  expect(JSON.parse(read(`assets/${board}`))).toMatchObject({ type: 'excalidraw', elements: [element] })
  expect(read(`assets/${board}.svg`)).toMatch(/^<svg /)
  expect(read('Shown.md')).toContain(
    `![](assets/a%20%28b%29.png)\n\n![](assets/Whiteboard%20${whiteboardBlockId}.excalidraw.svg)`,
  )
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  const { items } = await back.call('documents_list')
  expect(items).toHaveLength(1)
  const { content } = await back.call('blocks_get', { id: items[0].id })
  expect(content).toMatchObject([
    { markdown: 'Words.' },
    { type: 'image', fileSize: bytes.byteLength },
    { type: 'whiteboard' },
  ])
  const { elements } = await back.call('elements_list', { whiteboardBlockId: content[2].id })
  expect(elements).toMatchObject([element])
})

test.each(['see `x` and $y$', '<!-- x --> and "y"', '50%', '%%% and %%', 'a\nb'])(
  'the comment %j is imported as it was',
  async (content) => {
    const connected = await connect()
    const document = await documentOf(connected, 'Words', 'Words')
    const page = await connected.call('blocks_get', { id: document })
    await connected.call('comments_add', { comments: [{ blockId: page.content[0].id, content }] })
    const { path } = await exportOf(connected)
    const { call } = await importOf(path)
    const { items } = await call('documents_list')
    const back = await call('blocks_get', { id: items[0].id, fetchMetadata: true })
    expect(back.content).toMatchObject([{ metadata: { comments: [{ content }] } }])
  },
)

describe('text with a meaning in a vault', () => {
  test.each([
    'A [[link]] and ![[embed|x]].',
    'Half %% a comment %%.',
    'Ends like an ID ^abc-1',
    '- [ ] Due 📅 2026-12-04',
    '- [ ] in code `📅 2026-12-04` and `due:: 2026-12-04` https://example.org/a/2026-12-04 📅 2026-12-05',
    '- [ ] Field \\[due:: 2026-12-04]',
    '- [x] Done ✅ 2026-12-04 🔁 every week',
    '- [ ] **📅 2026-12-04** (repeat:: every week)',
    '> \\[!note] no callout',
    'See [[[a]](https://example.org)',
    '`[[code]]` and $[[a]]$ and `%%`',
    '- [ ] ```\n  [[code]] %% ^id\n  ```',
    'Words <!-- 50%% of [[it]] --> and more',
    '<!-- half %% -->',
    '- [ ] a 🔁 <!-- -->every week <!-- 📅 2026-12-04 -->',
    '<!--\n50%%\n\n[[x]] ^id\n-->\n\nAfter %% it.',
    '> <!--\n> %%\n> -->\n\nAfter.',
  ])('%s stays text', async (markdown) => {
    const connected = await connect()
    await documentOf(connected, markdown, 'Words')
    const before = await bodyBy(connected, 'Words')
    const { path } = await exportOf(connected)
    const note = readFileSync(join(path, 'Words.md'), 'utf8')
    expect(note).not.toMatch(/&#?\w+;/)
    const back = await importOf(path)
    expect(await bodyBy(back, 'Words')).toBe(before)
    expect(back.problems).toEqual([])
  })
})

test('titles that no file can have are restored, and duplicates are numbered', async () => {
  const connected = await connect()
  const titles = ['a/b: c?', 'a b c', 'CON', 'Plan', 'plan', 'x'.repeat(300), '计划']
  for (const title of titles) await documentOf(connected, 'Words.', title)
  const { path } = await exportOf(connected)
  expect(filesIn(path)).toEqual([
    ...['Plan.md', '_CON.md', 'a b c 2.md', 'a b c.md', 'plan 2.md', `${'x'.repeat(180)}.md`, '计划.md'],
  ])
  const back = await importOf(path)
  const { items } = await back.call('documents_list')
  expect(items.map((one: { title: string }) => one.title).sort()).toEqual(titles.sort())
})

test('an export can be repeated: changed documents are written, and what people changed stays', async () => {
  const connected = await connect()
  const id = await documentOf(connected, 'One.', 'A')
  await documentOf(connected, 'Two.', 'B')
  const { path } = await exportOf(connected)
  writeFileSync(join(path, 'B.md'), 'mine')
  await connected.call('blocks_add', { markdown: 'More.', position: { position: 'end', pageId: id } })
  const { report, read } = await exportOf(connected, [], path)
  expect(report.counts).toEqual({ written: 1, unchanged: 0, removed: 0, kept: 1 })
  expect([read('B.md'), read('A.md').includes('More.')]).toEqual(['mine', true])
  await connected.call('documents_delete', { documentIds: [id] })
  expect((await exportOf(connected, [], path)).report.counts).toEqual({ written: 0, unchanged: 0, removed: 1, kept: 1 })
  expect(filesIn(path)).toEqual(['B.md'])
})
