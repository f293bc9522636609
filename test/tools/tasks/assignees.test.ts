/** Who does a task: as it is given, read, listed and kept. */
import { describe, expect, test } from 'vitest'
import { addAccessLink, listAccessLinkInfos, revokeAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { proposalOf, serveProposals } from '../../call/serve-proposals.ts'
import { type Connected, connect } from '../../connect.ts'

const ROBO = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Anna' } as const

/** A connection, a person Anna, and an agent Robo. */
async function withMembers(): Promise<Connected & { anna: string; robo: string }> {
  const connected = await connect()
  await connected.space.write(OPERATOR_LINK, async (view) => {
    await addParticipant(view, 'Anna', { handle: 'anna' })
    // The connection writes under this name.
    await addParticipant(view, 'tester')
    await addAccessLink(view, {
      kind: 'full',
      access: 'full',
      documents: [],
      isBearer: false,
      name: 'Robo',
      participant: 'Anna',
    })
  })
  const { members } = await connected.call('connection_get')
  const idOf = (name: string) => members.find((one: { name: string }) => one.name === name).id
  return { ...connected, anna: idOf('Anna'), robo: idOf('Robo') }
}

const add = async ({ call }: Connected, markdown: string, assignee?: unknown) =>
  (await call('tasks_add', { tasks: [{ markdown, taskInfo: { assignee } }] })).items[0]

describe('an assignee', () => {
  test('is given by ID, handle or name, and read with both', async () => {
    const connected = await withMembers()
    const { anna } = connected
    for (const given of [anna, '@anna', '@ANNA', 'Anna', 'anna', { id: anna, name: 'Anna' }, { name: 'Anna' }]) {
      expect((await add(connected, 'Dig', given)).taskInfo).toEqual({
        state: 'todo',
        assignee: { id: anna, name: 'Anna' },
      })
    }
  })

  test('is given and taken by each tool, and stays when something else changes', async () => {
    const connected = await withMembers()
    const { call, anna, robo } = connected
    const { id } = await add(connected, 'Dig', '@anna')
    const read = async () => (await call('blocks_get', { id })).taskInfo.assignee
    await call('blocks_update', { blocks: [{ id, markdown: '- [ ] Dig deeper' }] })
    expect(await read()).toEqual({ id: anna, name: 'Anna' })
    await call('blocks_update', { blocks: [{ id, taskInfo: { assignee: robo } }] })
    expect(await read()).toEqual({ id: robo, name: 'Robo' })
    await call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { scheduleDate: 'today' } }] })
    expect(await read()).toEqual({ id: robo, name: 'Robo' })
    await call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { assignee: null } }] })
    expect(await read()).toBeUndefined()
    const { items } = await call('blocks_add', {
      blocks: [{ type: 'text', markdown: '- [ ] Sow', listStyle: 'task', taskInfo: { assignee: 'Anna' } }],
      position: { position: 'end', date: 'today' },
    })
    expect((await call('blocks_get', { id: items[0].id })).taskInfo.assignee).toEqual({ id: anna, name: 'Anna' })
  })

  test('has the name that the member has now, also once it was removed', async () => {
    const connected = await withMembers()
    const { call, robo, space } = connected
    const { id } = await add(connected, 'Dig', robo)
    await space.write(OPERATOR_LINK, async (view) => {
      const link = (await listAccessLinkInfos(view)).find(({ name }) => name === 'Robo')
      await revokeAccessLink(view, link?.id ?? '')
    })
    expect((await call('blocks_get', { id })).taskInfo.assignee).toEqual({ id: robo, name: 'Robo' })
    expect(await connected.refused('tasks_add', { tasks: [{ markdown: 'x', taskInfo: { assignee: robo } }] })).toBe(
      `Expected a member by ID, @handle or name, found "${robo}"; connection_get lists the members, and me is the connection itself.`,
    )
  })

  test('comes round again with a repeating task', async () => {
    const connected = await withMembers()
    const repeat = { type: 'fixed', frequency: 'daily' }
    const { call, anna } = connected
    const { items } = await call('tasks_add', {
      tasks: [{ markdown: 'Water', repeat, taskInfo: { assignee: 'Anna' } }],
    })
    await call('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { state: 'done' } }] })
    const { items: all } = await call('tasks_list', { scope: 'all', assignee: '@anna' })
    expect(all.map(({ taskInfo }: { taskInfo: object }) => taskInfo)).toMatchObject([
      { state: 'todo', assignee: { id: anna } },
      { state: 'done', assignee: { id: anna } },
    ])
  })

  test('is named in the history, also somebody who is no member', async () => {
    const connected = await withMembers()
    const { call, anna, robo } = connected
    const { id } = await add(connected, 'Dig', 'Anna')
    const change = async (assignee: unknown) => {
      await call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { assignee } }] })
      const [{ callId }] = (await call('history_list', { limit: 1 })).items
      return (await call('history_list', { call: callId })).diff.split('\n').slice(3)
    }
    const field = (sign: string, assignee: string) => `${sign}"Dig" (${id}): assignee: ${assignee}`
    expect(await change(robo)).toEqual([field('-', `"Anna" (${anna})`), field('+', `"Robo" (${robo})`)])
    expect(await change({ name: 'Carl "C" Cox' })).toEqual([
      field('-', `"Robo" (${robo})`),
      field('+', '"Carl \\"C\\" Cox"'),
    ])
    expect(await change(null)).toEqual([field('-', '"Carl \\"C\\" Cox"')])
  })

  test('is undone, and is part of a batch, where the next step finds it', async () => {
    const connected = await withMembers()
    const { call, anna } = connected
    const { id } = await add(connected, 'Dig', 'Anna')
    await call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { assignee: 'me' } }] })
    const { items } = await call('history_list', { limit: 1 })
    await call('history_undo', { calls: [items[0].callId] })
    expect((await call('blocks_get', { id })).taskInfo.assignee).toEqual({ id: anna, name: 'Anna' })
    const { items: steps } = await call('batch', {
      steps: [
        { tool: 'tasks_add', arguments: { tasks: [{ markdown: 'Sow', taskInfo: { assignee: '@anna' } }] } },
        { tool: 'tasks_list', arguments: { scope: 'inbox', assignee: '@anna' } },
      ],
    })
    expect(steps[1].answer).toMatch(/Sow .for Anna..*Dig .for Anna./s)
  })
})

describe('tasks_list', () => {
  test('lists the tasks of one member in each scope', async () => {
    const connected = await withMembers()
    const { call, anna } = connected
    const { items } = await call('documents_add', { documents: [{ title: 'Garden' }] })
    const at = { type: 'document', documentId: items[0].id }
    const tasks = ['Anna', 'me', undefined].flatMap((assignee) =>
      [{ scheduleDate: 'today' }, { scheduleDate: 'tomorrow' }, {}, { state: 'done' }].flatMap((taskInfo) => [
        { markdown: `${assignee} in`, taskInfo: { ...taskInfo, assignee } },
        { markdown: `${assignee} at`, taskInfo: { ...taskInfo, assignee }, location: at },
      ]),
    )
    await call('tasks_add', { tasks })
    const countOf = async (input: object) => (await call('tasks_list', input)).items.length
    const scopes = ['active', 'upcoming', 'undated', 'inbox', 'logbook', 'all']
    for (const scope of scopes) {
      const all = await call('tasks_list', { scope })
      const expected = all.items.filter(
        (one: { taskInfo: { assignee?: { id: string } } }) => one.taskInfo.assignee?.id === anna,
      )
      expect((await call('tasks_list', { scope, assignee: '@anna' })).items).toEqual(expected)
      expect(expected.length).toBeGreaterThan(0)
      expect(await countOf({ scope, assignee: 'me' })).toBe(expected.length)
    }
    expect(await countOf({ scope: 'document', documentId: items[0].id, assignee: anna })).toBe(4)
  })

  test('goes on after a page with the same member alone', async () => {
    const connected = await withMembers()
    const { call } = connected
    await call('tasks_add', {
      tasks: Array.from({ length: 9 }, (_, index) => ({
        markdown: `${index}`,
        taskInfo: { assignee: ['Anna', 'me', null][index % 3] },
      })),
    })
    const first = await call('tasks_list', { scope: 'inbox', assignee: 'Anna', limit: 2 })
    expect(first.pagination.remaining).toBe(1)
    const { cursor } = first.pagination
    const second = await call('tasks_list', { scope: 'inbox', assignee: 'Anna', limit: 2, cursor })
    expect([...first.items, ...second.items].map(({ markdown }: { markdown: string }) => markdown)).toEqual([
      '- [ ] 0',
      '- [ ] 3',
      '- [ ] 6',
    ])
    expect(await connected.refused('tasks_list', { scope: 'inbox', assignee: 'me', cursor })).toContain('cursor')
  })

  test('says in Markdown for whom a task is', async () => {
    const connected = await withMembers()
    await add(connected, 'Dig', 'Anna')
    expect(await connected.call('tasks_list', { scope: 'inbox', format: 'markdown' })).toContain('- [ ] Dig (for Anna)')
  })
})

test('a claim says which tasks are for somebody else', async () => {
  const connected = await withMembers()
  const { client } = connected
  const { id } = await add(connected, 'Dig', 'Anna')
  await add(connected, 'Sow', 'me')
  await add(connected, 'Rest')
  const { content } = await client.callTool({ name: 'items_claim', arguments: { scope: 'inbox', count: 3 } })
  expect(JSON.stringify(content)).toContain(
    `For somebody else, as assignee says: ${id}. If you are not to do them, free them with release.`,
  )
})

test('a narrow link knows who does the tasks that it reaches, and cannot give them to others', async () => {
  const connected = await withMembers()
  const { call, anna, robo } = connected
  const { items } = await call('documents_add', { documents: [{ title: 'Garden', markdown: '- [ ] Dig' }] })
  const { content } = await call('blocks_get', { id: items[0].id })
  await call('tasks_update', { tasksToUpdate: [{ id: content[0].id, taskInfo: { assignee: anna } }] })
  const narrow = await connect('selected', { to: connected, documents: [items[0].id] })
  expect((await narrow.call('blocks_get', { id: content[0].id })).taskInfo.assignee).toEqual({ id: anna, name: 'Anna' })
  const { members } = await narrow.call('connection_get')
  expect(members.map(({ name }: { name: string }) => name)).toContain('Anna')
  const give = (assignee: string) => ({ blocks: [{ id: content[0].id, taskInfo: { assignee } }] })
  expect(await narrow.refused('blocks_update', give('Robo'))).toBe(
    (await narrow.refused('blocks_update', give('Nobody'))).replace('Nobody', 'Robo'),
  )
  expect(await narrow.refused('blocks_update', give(robo))).toContain('Expected a member by ID')
  await narrow.call('blocks_update', give('@anna'))
})

test('an assignment can be proposed, and is made when it is approved', async () => {
  const { agent, person, owner, plan, approve } = await serveProposals()
  const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
  const { id } = json.content[0]
  const change = { blocks: [{ id, listStyle: 'task', taskInfo: { assignee: 'Anna' } }] }
  const proposed = await agent.ask('PUT /blocks?ids=short', change)
  const read = async () => (await owner.ask(`GET /blocks?id=${id}&ids=short`)).json.taskInfo
  expect(await read()).toBeUndefined()
  await approve(person, proposalOf(proposed))
  expect(await read()).toMatchObject({ state: 'todo', assignee: { name: 'Anna' } })
})

test('a task is not given to somebody whose name two members have', async () => {
  const connected = await withMembers()
  await connected.space.write(OPERATOR_LINK, async (view) => {
    await addAccessLink(view, { ...ROBO, name: 'Robo' })
  })
  const message = await connected.refused('tasks_add', { tasks: [{ markdown: 'x', taskInfo: { assignee: 'Robo' } }] })
  expect(message).toMatch(/^Expected one member, found 2 with the name Robo; name one by its ID: \d{12}, \d{12}\.$/)
})

test('a name has a length and no control characters, in each form', async () => {
  const { call, refused } = await withMembers()
  const { items } = await call('tasks_add', { location: { type: 'inbox' }, tasks: [{ markdown: 'Dig' }] })
  const give = (assignee: unknown) =>
    refused('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { assignee } }] })
  for (const form of [(text: string) => text, (name: string) => ({ name }), (id: string) => ({ id, name: 'Anna' })]) {
    expect((await give(form('x'.repeat(100_000)))).length).toBeLessThan(400)
  }
  expect(await give({ name: 'Anna\u001b[2J' })).toContain('without control characters')
  expect(await refused('tasks_list', { scope: 'all', assignee: 'x'.repeat(100_000) })).not.toContain(
    'xxxxx'.repeat(100),
  )
})
