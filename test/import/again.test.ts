/** The effects of a repeated import of the same source, and where documents go. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFolder } from '../../src/import/folder-source.ts'
import { reportLines } from '../../src/import/import-report.ts'
import { openSource } from '../../src/import/open-source.ts'
import { findImportFolder } from '../../src/space/import/find-import-folder.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { Answer } from '../connect.ts'
import { folder } from '../program.ts'
import { type Imported, imported, problemLines, WRITTEN } from './importing.ts'

const FILES = { 'Home.md': 'To [[Plan#Goals]].\n\nStays.\n', 'work/Plan.md': '# Goals\n\nMany.\n' }

/** The entries of the audit log. */
const logged = async ({ space }: Imported) =>
  (await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))).writes
    .map(({ endpoint }) => endpoint)
    // Each import is an entry, also one that writes nothing else.
    .filter((endpoint) => endpoint !== 'import')

describe('a repeated import', () => {
  test('of the same files writes nothing', async () => {
    const run = await imported(FILES)
    const before = [await run.blocks('Home'), await logged(run)]
    expect(run.report.counts).toEqual({
      ...{ added: 2, updated: 0, unchanged: 0, conflicts: 0, failed: 0, deleted: 0, files: 0, blocks: 6 },
      links: 1,
    })
    expect((await run.again(FILES)).counts).toMatchObject({ added: 0, updated: 0, unchanged: 2, blocks: 0 })
    expect([await run.blocks('Home'), await logged(run)]).toEqual(before)
  })

  test('of changed files updates what changed, in a call that can be undone', async () => {
    const run = await imported(FILES)
    const [, stays] = (await run.blocks('Home')) as { id: string }[]
    const report = await run.again({ ...FILES, 'Home.md': 'To [[Plan#Goals|them]].\n\nStays.\n\nNew.\n' })
    expect(report.counts).toMatchObject({ added: 0, updated: 1, unchanged: 1, failed: 0 })
    const blocks = (await run.blocks('Home')) as { id: string; markdown: string }[]
    expect(blocks.map(({ markdown }) => markdown)).toEqual([expect.stringMatching(/^To \[them\]/), 'Stays.', 'New.'])
    expect(blocks[1]?.id).toBe(stays?.id)
    const { items } = await run.call('history_list', { format: 'json', limit: 1 })
    expect(items).toMatchObject([{ tool: 'import' }])
    await run.call('history_undo', { calls: [items[0].callId] })
    expect(((await run.blocks('Home')) as { markdown: string }[]).map(({ markdown }) => markdown)).toEqual([
      expect.stringMatching(/^To \[Plan/),
      'Stays.',
    ])
  })

  test('finds changed dates of a task', async () => {
    const run = await imported({ 'A.md': '- [ ] Pay 📅 2024-05-04\n' })
    await run.again({ 'A.md': '- [ ] Pay 📅 2024-05-05\n' })
    expect(await run.blocks('A')).toMatchObject([{ taskInfo: { state: 'todo', deadlineDate: '2024-05-05' } }])
  })

  test('gives no date to a task that only has a rule now', async () => {
    const run = await imported({ 'A.md': '- [ ] Pay\n' })
    await run.again({ 'A.md': '- [ ] Pay 🔁 every month\n' })
    const [task] = (await run.blocks('A')) as { taskInfo: object }[]
    expect(task?.taskInfo).toEqual({ state: 'todo', repeat: { type: 'fixed', frequency: 'monthly' } })
  })

  test('finds changed comments and drawings', async () => {
    const canvas = (text: string) =>
      JSON.stringify({ nodes: [{ id: 'a', type: 'text', text, x: 0, y: 0, width: 100, height: 60 }] })
    const run = await imported({ 'A.md': 'One %%old%%\n\nTwo\n', 'B.canvas': canvas('old') })
    const report = await run.again({ 'A.md': 'One %%new%%\n\nTwo %%more%%\n', 'B.canvas': canvas('new') })
    expect(report.counts).toMatchObject({ updated: 2, conflicts: 0, failed: 0 })
    const blocks = (await run.call('blocks_get', { id: await run.idOf('A'), fetchMetadata: true })).content
    expect(blocks.map((one: Answer) => one.metadata.comments.map((comment: Answer) => comment.content))).toEqual([
      ['new'],
      ['more'],
    ])
    const [board] = (await run.blocks('B')) as { id: string }[]
    const { elements } = await run.call('elements_list', { whiteboardBlockId: board?.id })
    expect(elements.flatMap(({ text }: Answer) => text ?? [])).toEqual(['new'])
  })

  test('links to a heading that had no links before', async () => {
    const run = await imported({ 'Home.md': 'Nothing.\n', 'Plan.md': '# Goals\n\nMany.\n' })
    await run.again({ 'Home.md': 'To [[Plan#Goals]].\n', 'Plan.md': '# Goals\n\nMany.\n' })
    const [goals] = (await run.blocks('Plan')) as { id: string }[]
    expect(await run.read('Home')).toBe(`To [Plan > Goals](block://${goals?.id}).`)
  })

  test('leaves a document that was changed here', async () => {
    const run = await imported(FILES)
    const [block] = (await run.blocks('Plan')) as { id: string }[]
    await run.call('blocks_update', { blocks: [{ id: block?.id, markdown: '# Aims' }] })
    // There is no conflict as long as its source is unchanged.
    expect((await run.again(FILES)).counts).toMatchObject({ unchanged: 2, conflicts: 0 })
    const report = await run.again({ ...FILES, 'work/Plan.md': '# Goals\n\nFew.\n' })
    expect(problemLines(report)).toEqual([
      'work/Plan.md conflict: It changed here and in the source since it was imported: the document here is left as it is.',
    ])
    expect(await run.read('Plan')).toBe('# Aims\n\nMany.')
  })

  test('leaves a deleted document in the trash', async () => {
    const run = await imported(FILES)
    await run.call('documents_delete', { documentIds: [await run.idOf('Plan')] })
    expect(problemLines(await run.again({ ...FILES, 'work/Plan.md': 'New.' }))).toEqual([
      'work/Plan.md conflict: It was thrown away here: restore it, or empty the trash, and import it again.',
    ])
  })

  test('links to notes that were added since, and to blocks that had no links before', async () => {
    const run = await imported({ 'Home.md': 'To [[Plan#Goals]].\n' })
    expect(await run.read('Home')).toBe('To [[Plan#Goals]].')
    const report = await run.again({ 'Home.md': 'To [[Plan#Goals]].\n', 'Plan.md': '# Goals\n' })
    expect(report.counts).toMatchObject({ added: 1, updated: 1 })
    const [goals] = (await run.blocks('Plan')) as { id: string }[]
    expect(await run.read('Home')).toBe(`To [Plan > Goals](block://${goals?.id}).`)
  })
})

test('a folder of notes that is a collection is updated', async () => {
  const note = (text: string, rest = '') => `---\n${text}\n---\n${rest}`
  const collections = { collections: true }
  const files = { 'b/A.md': note('n: 1', 'Text.\n'), 'b/B.md': note('n: 2') }
  const run = await imported(files, undefined, collections)
  const changed = { 'b/A.md': note('n: 5\nread: true', 'Text.\n\nMore.\n'), 'b/C.md': note('n: 3') }
  const report = await run.again(changed)
  expect([report.problems, report.counts.updated]).toEqual([[], 1])
  const { items } = await run.call('collections_list')
  const { items: rows } = await run.call('items_list', { collectionId: items[0].id })
  expect(rows.map(({ title, properties }: Answer) => [title, properties])).toEqual([
    ['A', { n: 5, read: true }],
    ['C', { n: 3 }],
  ])
  const { items: calls } = await run.call('history_list', { format: 'json', limit: 1 })
  await run.call('history_undo', { calls: [calls[0].callId] })
  const { items: undone } = await run.call('items_list', { collectionId: items[0].id })
  expect(undone.map(({ title, properties }: Answer) => [title, properties])).toEqual([
    ['A', { n: 1 }],
    ['B', { n: 2 }],
  ])
})

test('folders are imported as folders, with times', async () => {
  const run = await imported({ ...FILES, 'work/deep/A.md': '---\ncreated: 2020-01-02\n---\n' })
  const { items } = await run.call('folders_list')
  expect(items.at(-1)).toMatchObject({ name: 'work', documentCount: 1, folders: [{ name: 'deep', documentCount: 1 }] })
  const { items: documents } = await run.call('documents_list', { fetchMetadata: true })
  const times = documents.map((one: Record<string, string>) => [one.title, one.createdAt, one.lastModifiedAt])
  const [written, changed] = [WRITTEN, WRITTEN + 3600_000].map((time) => new Date(time).toISOString())
  expect(times.sort()).toEqual([
    ['A', '2020-01-02T00:00:00.000Z', changed],
    ['Home', written, changed],
    ['Plan', written, changed],
  ])
})

test('another folder can replace the top level, by its ID or name', async () => {
  const run = await imported({})
  const { items } = await run.call('folders_add', { folders: [{ name: 'Old' }] })
  const find = (name: string) => run.space.write(OPERATOR_LINK, (view) => findImportFolder(view, name))
  const into = await find(items[0].id)
  await run.again(FILES, { into })
  expect(await find('Old')).toBe(into)
  await find('Old/Older')
  const { items: folders } = await run.call('folders_list')
  expect(folders.at(-1)).toMatchObject({
    ...{ name: 'Old', documentCount: 1 },
    folders: [{ name: 'work', documentCount: 1 }, { name: 'Older' }],
  })
  await expect(find('999999999999')).rejects.toThrow(
    'Expected the ID or the name of a folder, found 999999999999, which is no ID of one; folders_list lists them.',
  )
})

test('daily notes are imported as daily notes, and an existing note of a day is kept', async () => {
  const files = { '.obsidian/app.json': '{}', '2024-05-04.md': 'Sun.\n', '2024-05-05.md': 'Rain.\n' }
  const run = await imported({})
  await run.call('blocks_add', { markdown: 'Mine.', position: { position: 'end', date: '2024-05-05' } })
  const report = await run.again(files)
  expect(problemLines(report)).toEqual([
    '2024-05-05.md changed: It became an ordinary document, since its day has a daily note already.',
  ])
  expect((await run.call('blocks_get', { date: '2024-05-04' })).content).toMatchObject([{ markdown: 'Sun.' }])
  expect((await run.call('blocks_get', { date: '2024-05-05' })).content).toMatchObject([{ markdown: 'Mine.' }])
  expect(await run.read('2024-05-05')).toBe('Rain.')
})

test('a dry run reports the same and writes nothing', async () => {
  const run = await imported(FILES, undefined, { isDryRun: true })
  expect(run.report.counts).toMatchObject({ added: 2, blocks: 6, links: 1 })
  expect((await run.call('documents_list')).items).toEqual([])
  expect(await logged(run)).toEqual([])
  expect((await run.again(FILES, { isDryRun: false })).counts).toMatchObject({ added: 2 })
})

test('symlinks and private files of programs are not read', async () => {
  const path = folder()
  const outside = folder()
  writeFileSync(join(outside, 'secret.md'), 'secret')
  mkdirSync(join(path, 'in', '.git'), { recursive: true })
  writeFileSync(join(path, 'in', 'a.md'), 'a')
  writeFileSync(join(path, 'in', '.git', 'b.md'), 'b')
  symlinkSync(join(outside, 'secret.md'), join(path, 'link.md'))
  symlinkSync(outside, join(path, 'elsewhere'))
  utimesSync(join(path, 'in', 'a.md'), 1_700_000_000, 1_700_000_000)
  const { files, problems, title } = await openFolder(path, ':memory:')
  expect(files.map(({ path: file, modifiedAt }) => [file, modifiedAt])).toEqual([['in/a.md', 1_700_000_000_000]])
  const message = 'It is a symbolic link or a device, and no file of its own.'
  expect(problems).toEqual([
    { path: 'elsewhere', kind: 'left out', message },
    { path: 'link.md', kind: 'left out', message },
  ])
  expect(path.endsWith(title)).toBe(true)
  await expect(openSource(join(path, 'nope'), ':memory:')).rejects.toThrow(
    `Expected a folder or a file to import, found none at ${join(path, 'nope')}.`,
  )
})

test('a file that became a symlink after it was found is not followed', async () => {
  const path = folder()
  const outside = folder()
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(join(path, 'a.txt'), 'harmless')
  const { files } = await openFolder(path, ':memory:')
  rmSync(join(path, 'a.txt'))
  symlinkSync(join(outside, 'secret.txt'), join(path, 'a.txt'))
  const read = async () => {
    for await (const part of files[0]?.open() ?? []) return Buffer.from(part).toString()
    return undefined
  }
  await expect(read()).rejects.toThrow(/^Expected the path of a file below /)
})

test('the report says in words what was done, and lists places by reason', async () => {
  const run = await imported({ 'a.md': '[[x]]\n\n[[y]]\n', 'b.md': '![[a]]\n' })
  const lines = reportLines({ ...run.report, elapsed: 1500 })
  expect(lines).toEqual([
    'Imported notes as obsidian: 2 new documents, 0 changed, 0 unchanged, 0 files, 5 blocks, 1 link resolved.',
    'That took 1.5 seconds, 1 a second.',
    '',
    'Not found: A link to a note or file that is not there is kept as text. (2)',
    '  a.md:1 ([[x]])',
    '  a.md:3 ([[y]])',
    '',
    'Changed: An embedded note became a link to it. (1)',
    '  b.md:1',
  ])
})
