/** Tags in texts and front matter: found by lists and searches, within reach, whatever happened to the text. */
import { describe, expect, test } from 'vitest'
import { listTags } from '../../../src/space/tags/tag-list.ts'
import { type Answer, type Connected, type ConnectOptions, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'
import { indexFaults } from '../../search.ts'

const titles = ({ items }: { items: Answer[] }): string[] => items.map(({ title }) => title).sort()
const listed = async ({ call }: Connected, ...tags: string[]) => titles(await call('documents_list', { tags }))
const found = async ({ call }: Connected, ...tags: string[]) => titles(await call('documents_search', { tags }))

/** The counts that a connection sees: name, documents, open tasks. */
async function counts({ space }: Connected, kind: 'full' | 'selected' | 'daily' = 'full', documents: string[] = []) {
  const link = await space.createAccessLink(kind, documents, 'test')
  return space.read(link, async (view) =>
    (await listTags(view)).tags.map(({ name, documents, tasks }) => `${name} ${documents} ${tasks}`),
  )
}

const faults = async ({ space }: Connected) =>
  space.read(await space.createAccessLink('full', [], 'test'), async ({ tx }) => indexFaults(tx))

test('lists and searches find documents by tags in texts, titles, tables and front matter', async () => {
  const own = await connect()
  await documentOf(own, 'About #project/alpha and **#Work**', 'one')
  await documentOf(own, '| a |\n| --- |\n| see #work |\n\n- nested #project', 'two')
  await documentOf(own, '```yaml\ntags: [work, "My Tag", 2026]\nother: 1\n```\n\ntext', 'three')
  await documentOf(own, '`#work` and [#work](https://example.org#work)\n\n# Work\n\n```yaml\ntags: work\n```', 'four')
  await documentOf(own, 'nothing', 'five #work')
  expect(await listed(own, 'work')).toEqual(['five #work', 'one', 'three', 'two'])
  expect(await listed(own, '#WORK', 'project')).toEqual(['one', 'two'])
  expect(await listed(own, 'project/alpha')).toEqual(['one'])
  expect(await listed(own, 'my tag')).toEqual(['three'])
  expect(await listed(own, 'none')).toEqual([])
  expect(await found(own, 'project')).toEqual(['one', 'two'])
  expect(await found(own, 'work')).toEqual(['five #work', 'one', 'three', 'two'])
  expect(titles(await own.call('documents_search', { include: ['nested'], tag: 'work' }))).toEqual(['two'])
  expect(await counts(own)).toEqual(['My Tag 1 0', 'project 2 0', 'project/alpha 1 0', 'Work 4 0'])
})

test('tasks are found by tags in their own text', async () => {
  const own = await connect()
  await own.call('tasks_add', {
    tasks: ['call #home/phone', 'write #work', 'neither'].map((markdown) => ({ markdown })),
  })
  const documentId = await documentOf(own, '- [ ] plan #home\n\n- [x] done #home\n\n- [ ] other', 'with tasks')
  const tasks = async (args: object) =>
    (await own.call('tasks_list', args)).items.map(({ markdown }: Answer) => markdown).sort()
  expect(await tasks({ scope: 'inbox', tags: ['home'] })).toEqual(['- [ ] call #home/phone'])
  expect(await tasks({ scope: 'all', tags: ['home'] })).toEqual([
    '- [ ] call #home/phone',
    '- [ ] plan #home',
    '- [x] done #home',
  ])
  expect(await tasks({ scope: 'document', documentId, tags: ['home'] })).toEqual([
    '- [ ] plan #home',
    '- [x] done #home',
  ])
  expect(await tasks({ scope: 'undated', tags: ['home', 'work'] })).toEqual([])
  expect(await counts(own)).toEqual(['home 1 2', 'home/phone 0 1', 'work 0 1'])
})

test('edits, moves, the trash, undo and copies keep the index right', async () => {
  const own = await connect()
  const { call } = own
  const id = await documentOf(own, '#a\n\n#b\n\nc', 'one')
  const other = await documentOf(own, 'x', 'two')
  const [a, b] = (await contentOf(own, id)).map((block) => block.id as string)
  await call('blocks_update', { blocks: [{ id: a, markdown: '#changed' }] })
  expect([await listed(own, 'a'), await listed(own, 'changed')]).toEqual([[], ['one']])
  await call('blocks_move', { blockIds: [b], position: { position: 'end', pageId: other } })
  expect(await listed(own, 'b')).toEqual(['two'])
  const [last] = (await call('history_list', { limit: 1 })).items
  await call('history_undo', { calls: [last.callId] })
  expect(await listed(own, 'b')).toEqual(['one'])
  await call('documents_delete', { documentIds: [id] })
  expect(await counts(own)).toEqual([])
  expect(await found(own, 'b')).toEqual([])
  await call('documents_move', { documentIds: [id], destination: { destination: 'unsorted' } })
  expect(await counts(own)).toEqual(['b 1 0', 'changed 1 0'])
  await call('blocks_delete', { blockIds: [b] })
  expect(await counts(own)).toEqual(['changed 1 0'])
  // Front matter counts while it comes first.
  await call('blocks_add', { markdown: '```yaml\ntags: x\n```', position: { position: 'start', pageId: id } })
  expect(await listed(own, 'x')).toEqual(['one'])
  const [front] = await contentOf(own, id)
  await call('blocks_move', { blockIds: [front.id], position: { position: 'end', pageId: id } })
  expect(await listed(own, 'x')).toEqual([])
  await call('blocks_move', { blockIds: [front.id], position: { position: 'start', pageId: id } })
  expect(await listed(own, 'x')).toEqual(['one'])
  expect(await faults(own)).toEqual([])
})

describe('reach', () => {
  test('a narrow link finds and counts only what it reaches', async () => {
    const own = await connect()
    const seen = await documentOf(own, '#shared #seen\n\n- [ ] task #shared', 'seen')
    await documentOf(own, '#shared #hidden\n\n- [ ] task #shared', 'hidden')
    const trashed = await documentOf(own, '#shared #trashed', 'trashed')
    await own.call('documents_delete', { documentIds: [trashed] })
    await own.call('tasks_add', { tasks: [{ markdown: 'inbox #shared' }] })
    const options: ConnectOptions = { to: own, documents: [seen, trashed] }
    const selected = await connect('selected', options)
    expect(await listed(selected, 'shared')).toEqual(['seen'])
    expect(await listed(selected, 'hidden')).toEqual([])
    expect(await listed(selected, 'trashed')).toEqual([])
    expect(await found(selected, 'shared')).toEqual(['seen'])
    expect(await counts(own, 'selected', [seen, trashed])).toEqual(['seen 1 0', 'shared 1 1'])
    const daily = await connect('daily', { to: own })
    const { items } = await daily.call('tasks_list', { scope: 'inbox', tags: ['shared'] })
    expect(items).toHaveLength(1)
    expect((await daily.call('daily_notes_search', { tags: ['hidden'] })).items).toEqual([])
    expect(await counts(own, 'daily')).toEqual(['shared 0 1'])
  })
})

test('what is no tag is refused with what is expected', async () => {
  const own = await connect()
  expect(await own.refused('documents_list', { tags: ['#12'] })).toContain(
    'Expected a tag with at least one letter, such as project/alpha, found "12"; search for other words with include.',
  )
})

test('a long text with many tags', async () => {
  const own = await connect()
  const text = Array.from({ length: 2_000 }, (_, index) => `word #tag${index}/x`).join(' ')
  await documentOf(own, text, 'long')
  expect(await listed(own, 'tag0')).toEqual(['long'])
  expect(await listed(own, 'tag1999/x')).toEqual(['long'])
  expect(await faults(own)).toEqual([])
})
