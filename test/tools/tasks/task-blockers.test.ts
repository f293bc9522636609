/** Tasks that wait for others. */
import { expect, test } from 'vitest'
import { type BuiltSpace, buildSpace } from '../../build.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'

const add = async ({ call }: Connected, ...tasks: object[]): Promise<string[]> =>
  (await call('tasks_add', { tasks })).items.map(({ id }: { id: string }) => id)
const titles = ({ items }: Answer): string[] => items.map(({ markdown }: { markdown: string }) => markdown.slice(6))
const update = ({ call }: Connected, id: string, change: object) =>
  call('tasks_update', { tasksToUpdate: [{ id, ...change }] })
const done = { taskInfo: { state: 'done' } }
const inbox = { scope: 'inbox' }

/** Tasks that each wait for the one before. */
async function chain(to?: BuiltSpace) {
  const connected = await connect('full', to && { to })
  const [a = ''] = await add(connected, { markdown: 'Dig' })
  const [b = ''] = await add(connected, { markdown: 'Pour', blockedBy: [a] })
  const [c = ''] = await add(connected, { markdown: 'Build', blockedBy: [b] })
  return { ...connected, a, b, c }
}

test('a task waits for others until they are done, and lists tell what for', async () => {
  const space = await chain()
  const { call, a, b, c } = space
  const { items } = await call('tasks_list', inbox)
  expect(items.map(({ blockedBy }: { blockedBy?: object }) => blockedBy)).toEqual([
    [{ id: b, title: 'Pour' }],
    [{ id: a, title: 'Dig' }],
    undefined,
  ])
  const listed = await space.client.callTool({ name: 'tasks_list', arguments: inbox })
  expect(JSON.stringify(listed.content)).toContain(`${c} - [ ] Build (blocked by ${b})`)
  expect(titles(await call('tasks_list', { ...inbox, isReady: true }))).toEqual(['Dig'])
  await update(space, a, done)
  expect(titles(await call('tasks_list', { ...inbox, isReady: true }))).toEqual(['Pour'])
  expect((await call('tasks_list', inbox)).items[1].blockedBy).toEqual([{ id: a, title: 'Dig', isDone: true }])
  await call('tasks_delete', { idsToDelete: [b] })
  expect(titles(await call('tasks_list', { ...inbox, isReady: true }))).toEqual(['Build'])
})

test('claims take ready tasks alone, and say when all others wait', async () => {
  const { call, client, a, b } = await chain()
  const claim = (args: object = {}) => call('items_claim', { ...inbox, count: 3, ...args })
  const { items } = await claim()
  expect(items).toMatchObject([{ id: a }])
  const none = await client.callTool({ name: 'items_claim', arguments: { ...inbox } })
  expect(JSON.stringify(none.content)).toContain('Nothing was claimed: of the free tasks that match, 2 are blocked.')
  const finished = { id: a, fence: items[0].fence, release: true, ...done }
  await call('tasks_update', { tasksToUpdate: [finished] })
  expect((await claim()).items).toMatchObject([{ id: b }])
})

test('tasks that would wait for themselves are refused with their path, and nothing is written', async () => {
  const space = await chain()
  const { a, b, c } = space
  const message = `Expected tasks that do not wait for themselves, found "Dig" (${a}) → "Build" (${c}) → "Pour" (${b}) → "Dig" (${a}), each of which is blocked by the next; leave one of them out.`
  expect(await space.refused('tasks_update', { tasksToUpdate: [{ id: a, blockedBy: [c] }] })).toContain(message)
  expect(await space.refused('tasks_update', { tasksToUpdate: [{ id: a, blockedBy: [a] }] })).toContain(
    `"Dig" (${a}) → "Dig" (${a})`,
  )
  expect((await space.call('tasks_list', inbox)).items[2]).not.toHaveProperty('blockedBy')
  expect(await space.refused('tasks_update', { tasksToUpdate: [{ id: a, blockedBy: ['100000000999'] }] })).toContain(
    'Expected the ID of a task within reach, found 100000000999',
  )
})

test('what a task waits for is changed, cleared, written back as it is read, and a condition', async () => {
  const space = await chain()
  const { call, a, b, c } = space
  const read = (await call('tasks_list', inbox)).items[0]
  await update(space, c, { blockedBy: read.blockedBy })
  await update(space, c, { blockedBy: [a, b], expected: { blockedBy: [b] } })
  expect((await call('tasks_list', inbox)).items[0].blockedBy.map(({ id }: { id: string }) => id)).toEqual([a, b])
  await update(space, c, { markdown: 'Build it' })
  expect((await call('tasks_list', inbox)).items[0].blockedBy).toHaveLength(2)
  await update(space, c, { blockedBy: null })
  expect((await call('tasks_list', inbox)).items[0]).not.toHaveProperty('blockedBy')
  expect(
    await space.refused('tasks_update', { tasksToUpdate: [{ id: c, blockedBy: [a], expected: { blockedBy: [b] } }] }),
  ).toContain('found null; nothing was written')
})

test('undo brings it back, unless tasks would wait for themselves', async () => {
  const space = await chain()
  const { call, refused, a, b } = space
  await update(space, b, { blockedBy: [] })
  const { items } = await call('history_list', { format: 'json' })
  const cleared: string = items[0].callId ?? items[0].id
  await update(space, a, { blockedBy: [b] })
  expect(await refused('history_undo', { callIds: [cleared] })).toContain('found it changed later')
  await update(space, a, { blockedBy: [] })
  await call('history_undo', { callIds: [cleared] })
  expect((await call('tasks_list', inbox)).items[1].blockedBy).toEqual([{ id: a, title: 'Dig' }])
})

test('a task out of reach is neither shown, nor does it block, nor is it lost', async () => {
  const to = await buildSpace()
  const full = await connect('full', { to })
  const { items: documents } = await full.call('documents_add', {
    documents: [{ title: 'Hidden', markdown: '- [ ] Secret' }],
  })
  const [secret] = (await full.call('blocks_get', { id: documents[0].id, format: 'json' })).content
  const [known = ''] = await add(full, { markdown: 'Known' })
  const [id = ''] = await add(full, { markdown: 'Open', blockedBy: [secret.id] })
  const daily = await connect('daily', { to })
  expect((await daily.call('tasks_list', inbox)).items[0]).not.toHaveProperty('blockedBy')
  expect(titles(await daily.call('tasks_list', { ...inbox, isReady: true }))).toEqual(['Open', 'Known'])
  expect(await daily.refused('tasks_update', { tasksToUpdate: [{ id, blockedBy: [secret.id] }] })).toContain(
    `Expected the ID of a task within reach, found ${secret.id}`,
  )
  await update(daily, id, { blockedBy: [known] })
  const ids = (await full.call('tasks_list', inbox)).items[0].blockedBy.map((one: { id: string }) => one.id)
  expect(ids).toEqual([known, secret.id])
  await full.call('documents_delete', { documentIds: [documents[0].id] })
  await update(full, known, done)
  expect(titles(await full.call('tasks_list', { ...inbox, isReady: true }))).toEqual(['Open'])
})

test('a copied document has tasks that wait for each other as in the original', async () => {
  const { call } = await connect()
  const { items } = await call('documents_add', { documents: [{ title: 'Plan', markdown: '- [ ] Dig\n- [ ] Pour' }] })
  const documentId: string = items[0].id
  const [dig, pour] = (await call('blocks_get', { id: documentId, format: 'json' })).content
  await call('tasks_update', { tasksToUpdate: [{ id: pour.id, blockedBy: [dig.id] }] })
  await call('documents_move', { documentIds: [documentId], destination: { destination: 'templates' } })
  const [copy] = (await call('documents_add', { documents: [{ title: 'Copy', templateId: documentId }] })).items
  const copied = (await call('tasks_list', { scope: 'document', documentId: copy.id })).items
  expect(copied[1].blockedBy).toEqual([{ id: copied[0].id, title: 'Dig' }])
  expect(copied[0].id).not.toBe(dig.id)
  const { content } = await call('blocks_get', { id: documentId, format: 'json', fetchMetadata: true })
  expect(content[1].metadata.blockedBy).toEqual([{ id: dig.id, title: 'Dig' }])
})
