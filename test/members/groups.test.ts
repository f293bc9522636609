/** Groups: names for several members, who are given work, named and asked together. */
import { describe, expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { MEMBERS_PER_GROUP } from '../../src/base/limits.ts'
import { addGroup, type Group, listGroups, removeGroup, updateGroup } from '../../src/space/members/groups.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { collectionOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { subscribe } from '../events/wire.ts'

/** A space with the people tester, who connects, Anna and Bob, and the group Team of the first two. */
async function withTeam() {
  const full = await connect()
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  const team = await write(async (view) => {
    for (const name of ['tester', 'Anna', 'Bob']) await addParticipant(view, name, { handle: name })
    return addGroup(view, 'Team', { handle: 'team', picture: '🌳', add: ['@anna', 'tester'] })
  })
  const as = async (name: string, documents: readonly string[] = []) => {
    const link = await write(async (view) => {
      const kind = documents.length > 0 ? 'selected' : 'full'
      const input = { kind, access: 'full', documents, isBearer: false, participant: 'Owner', name } as const
      const { info } = await addAccessLink(view, input)
      return (await getActiveLink(view, info.id)) as AccessLink
    })
    return connect(link.kind, { to: full, documents, caller: { link } })
  }
  return { ...full, full, write, team, as }
}

const namesIn = ({ members }: Group): string[] => members.map(({ name }) => name)
const mentionOf = ({ id }: Group): string => `[@Team](person://${id})`
const listed = async ({ call }: Connected): Promise<string[]> =>
  (await call('connection_get')).members.map(({ name }: { name: string }) => name)

test('a group has a name, and those who are in it as long as they are members', async () => {
  const { full, write, team, as } = await withTeam()
  await as('robo')
  expect(namesIn(team)).toEqual(['tester', 'Anna'])
  expect((await full.call('connection_get')).members).toContainEqual({
    ...{ id: team.id, kind: 'group', name: 'Team', handle: 'team', picture: '🌳' },
  })
  expect(
    namesIn(await write((view) => updateGroup(view, '@team', { add: ['robo', 'Bob'], remove: ['@anna'] }))),
  ).toEqual(['tester', 'Bob', 'robo'])
  await write((view) => removeParticipant(view, 'Bob'))
  expect((await write(listGroups)).map(namesIn)).toEqual([['tester', 'robo']])
  expect((await write((view) => updateGroup(view, 'Team', { name: 'Crew', handle: null }))).name).toBe('Crew')
  await write((view) => removeGroup(view, 'Crew'))
  expect(await write(listGroups)).toEqual([])
  expect(await listed(full)).toEqual(['Anna', 'Owner', 'robo', 'tester'])
})

test('what cannot be in a group, or be its name, is refused', async () => {
  const { write, team } = await withTeam()
  await write((view) => addGroup(view, 'Crew', {}))
  const refusals: [(view: Space) => Promise<unknown>, string][] = [
    [
      (view) => addGroup(view, 'Team', {}),
      `Expected a name that no group has, found Team, which is that of ${team.id}`,
    ],
    [(view) => updateGroup(view, 'Crew', { name: 'Team' }), 'Expected a name that no group has, found Team'],
    [
      (view) => updateGroup(view, 'Crew', { add: ['@team'] }),
      'Expected people and agents as members of a group, found Team, a group; name who is in it.',
    ],
    [
      (view) => updateGroup(view, 'Team', { remove: ['Bob'] }),
      'Expected a member of Team to take out, found Bob, who is not in it; leave it out.',
    ],
    [
      (view) => updateGroup(view, 'Team', { add: ['Anna'], remove: ['Anna'] }),
      'Expected Anna to be added or removed, found both; choose one.',
    ],
    [
      (view) => updateGroup(view, 'Anna', { add: ['Bob'] }),
      'Expected a member by ID, @handle or name, found "Anna"; scriptorium groups list shows the groups.',
    ],
    [
      (view) => addGroup(view, 'Night', { handle: 'anna' }),
      'Expected a handle that no member has, found @anna, which is that of Anna.',
    ],
  ]
  for (const [work, refusal] of refusals) await expect(write(work)).rejects.toThrow(refusal)
  expect((await write(listGroups)).map(({ name, members }) => [name, members.length])).toEqual([
    ['Team', 2],
    ['Crew', 0],
  ])
  const many = write(async (view) => {
    const names = Array.from({ length: MEMBERS_PER_GROUP + 1 }, (_, index) => `p${index}`)
    for (const name of names) await addParticipant(view, name)
    await addGroup(view, 'All', { add: names })
  })
  await expect(many).rejects.toThrow('Expected at most 100 members of a group, found 101; make another group.')
})

describe('a group is called as its members are', () => {
  test('a mention of it reaches each, wherever it stands, and nobody else', async () => {
    const { full, team, as, write } = await withTeam()
    const [anna, robo] = [await as('anna’s program'), await as('robo')]
    await write((view) => updateGroup(view, 'Team', { add: ['anna’s program'] }))
    const listen = (to: Connected) => subscribe(to, { name: 'mention', arguments: { member: 'me' } })
    const [own, annas, robos] = [await listen(full), await listen(anna), await listen(robo)]
    const document = await documentOf(full, `Ask ${mentionOf(team)}`)
    const { [`Ask ${mentionOf(team)}`]: blockId } = await idsOf(full, document)
    await full.call('comments_add', { comments: [{ blockId, content: `And ${mentionOf(team)}` }] })
    for (const next of [own, annas]) {
      expect((await next()).map(({ data }) => [data.blockId, data.memberIds])).toEqual([
        [blockId, [team.id]],
        [blockId, [team.id]],
      ])
    }
    expect(await robos()).toEqual([])
    await write((view) => updateGroup(view, 'Team', { add: ['robo'], remove: ['anna’s program'] }))
    await documentOf(full, `Again ${mentionOf(team)}`)
    expect([await annas(), await robos()].map((events) => events.length)).toEqual([0, 1])
  })

  test('a task that is given to it is a task of each', async () => {
    const { full, team, as } = await withTeam()
    const robo = await as('robo')
    const listen = (to: Connected) => subscribe(to, { name: 'task.assigned', arguments: { assignee: 'me' } })
    const [own, robos] = [await listen(full), await listen(robo)]
    const { items } = await full.call('tasks_add', {
      tasks: ['@team', 'Bob', 'me'].map((assignee) => ({ markdown: assignee, taskInfo: { assignee } })),
    })
    const [toTeam, , toMe] = items.map(({ id }: { id: string }) => id)
    expect(items[0].taskInfo.assignee).toEqual({ id: team.id, name: 'Team' })
    expect((await own()).map(({ data }) => [data.blockId, (data.assignee as { name: string }).name])).toEqual([
      [toTeam, 'Team'],
      [toMe, 'tester'],
    ])
    expect(await robos()).toEqual([])
    const tasksOf = async (connected: Connected, assignee: string, scope: string) =>
      (await connected.call('tasks_list', { scope, assignee })).items.map(({ id }: { id: string }) => id)
    for (const scope of ['inbox', 'all']) {
      expect(await tasksOf(full, 'me', scope)).toEqual([toTeam, toMe])
      expect(await tasksOf(robo, 'me', scope)).toEqual([])
      // Others are asked for by what is given to them alone.
      expect(await tasksOf(robo, 'tester', scope)).toEqual([toMe])
      expect(await tasksOf(robo, '@team', scope)).toEqual([toTeam])
    }
    const { content } = await full.client.callTool({ name: 'items_claim', arguments: { scope: 'inbox', count: 3 } })
    expect(JSON.stringify(content)).toMatch(/For somebody else, as assignee says: \d+\. If/)
  })

  test('an item that has it as a value is one of each, and of nobody exactly', async () => {
    const { full, as } = await withTeam()
    const robo = await as('robo')
    const collectionId = await collectionOf(full, [{ name: 'Owner', type: 'person' }])
    await full.call('items_add', {
      collectionId,
      items: ['@team', 'Bob', 'me'].map((owner) => ({ title: owner, properties: { owner: [owner] } })),
    })
    const titles = async (connected: Connected, filterType: string) => {
      const filters = [{ property: 'owner', filterType, filterValue: ['me'] }]
      const found = await connected.call('items_list', { collectionId, filters })
      return found.items.map(({ title }: { title: string }) => title)
    }
    expect(await titles(full, 'select_isAnyOf')).toEqual(['@team', 'me'])
    expect(await titles(full, 'select_isNoneOf')).toEqual(['Bob'])
    expect(await titles(full, 'equals')).toEqual(['me'])
    expect(await titles(robo, 'select_isAnyOf')).toEqual([])
  })
})

test('a narrow link knows the groups that are named within its reach, and those that it is in', async () => {
  const { full, write, team, as } = await withTeam()
  const document = await documentOf(full, 'words')
  const away = await write((view) => addGroup(view, 'Away', { add: ['Bob'] }))
  const guest = await as('guest', [document])
  expect(await listed(guest)).toEqual(['guest', 'tester'])
  await write((view) => updateGroup(view, 'Away', { add: ['guest'] }))
  expect(await listed(guest)).toEqual(['Away', 'guest', 'tester'])
  await write((view) => updateGroup(view, 'Away', { remove: ['guest'] }))
  await full.call('blocks_add', {
    blocks: [{ type: 'text', markdown: `Ask ${mentionOf(team)}` }],
    position: { position: 'end', pageId: document },
  })
  expect(await listed(guest)).toEqual(['guest', 'Team', 'tester'])
  // Who is in the group is not told.
  expect(JSON.stringify(await guest.call('connection_get'))).not.toContain('Anna')
  const text = await guest.call('blocks_get', { id: document, format: 'markdown' })
  expect(text).toContain(mentionOf(team))
  const give = (assignee: string) =>
    guest.refused('blocks_add', {
      blocks: [{ type: 'text', markdown: 'x', listStyle: 'task', taskInfo: { assignee } }],
      position: { position: 'end', pageId: document },
    })
  expect(await give(away.id)).toBe((await give('999999999999')).replace('999999999999', away.id))
})
