/** Properties of type person: one or several members, by whom items are filtered, sorted and grouped. */
import { describe, expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../../src/auth/access-links/access-links.ts'
import { updateMember } from '../../../src/space/members/update-member.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../../src/space/participants/participants.ts'
import { type Answer, connect } from '../../connect.ts'
import { exportOf, importOf } from '../../export/vault-exports.ts'
import { withCollection } from './items-all-types.ts'

async function opened() {
  const made = await withCollection([{ type: 'person', name: 'Who' }])
  const { connected, space, call, collectionId } = made
  const write = <T>(work: (view: Space) => Promise<T>) => space.write(OPERATOR_LINK, work)
  for (const name of ['Anna', 'Bob']) await write((view) => addParticipant(view, name, { handle: name.toLowerCase() }))
  const { members } = await call('connection_get')
  const idOf = (name: string): string => members.find((one: Answer) => one.name === name).id
  const linked = async (name: string, documents: string[] = []) => {
    const kind = documents.length > 0 ? 'selected' : 'full'
    const input = { kind, access: 'full', documents, isBearer: false, participant: 'Owner', name } as const
    const { info } = await write((view) => addAccessLink(view, input))
    const link = (await space.read(OPERATOR_LINK, (view) => getActiveLink(view, info.id))) as AccessLink
    return connect(kind, { to: connected, documents, caller: { link } })
  }
  const titles = async (input: object, by = connected): Promise<string[]> =>
    (await by.call('items_list', { collectionId, ...input })).items.map(({ title }: Answer) => title)
  const who = (filterType: string, ...filterValue: unknown[]) => ({
    filters: [{ property: 'who', filterType, ...(filterValue.length > 0 && { filterValue }) }],
  })
  return { ...made, write, idOf, linked, titles, who }
}

test('a value is one or several members, named by ID, address, handle or name, and reads as IDs with names', async () => {
  const { add, list, update, idOf, refused } = await opened()
  const [anna, bob] = [idOf('Anna'), idOf('Bob')]
  await add(
    { title: 'a', properties: { who: [{ memberId: anna }, { memberId: bob, name: 'whatever' }] } },
    { title: 'b', properties: { who: '@anna' } },
    { title: 'c', properties: { who: ['Bob', `person://${anna}`, bob] } },
    { title: 'd', properties: { who: [] } },
  )
  const [both, one] = [
    [
      { memberId: anna, name: 'Anna' },
      { memberId: bob, name: 'Bob' },
    ],
    [{ memberId: anna, name: 'Anna' }],
  ]
  const { items } = await list()
  expect(items.map(({ properties }: Answer) => properties.who)).toEqual([both, one, both.toReversed(), undefined])
  // What was read can be written back, and null clears.
  await update(
    { id: items[1].id, properties: { who: items[0].properties.who } },
    { id: items[0].id, properties: { who: null } },
  )
  expect((await list()).items.map(({ properties }: Answer) => properties.who)).toEqual([
    ...[undefined, both, both.toReversed(), undefined],
  ])
  for (const value of ['Carl', '999999999999', ['@nobody']]) {
    expect(await refused({ title: 'x', properties: { who: value } })).toContain(
      `items[0].properties.who: Expected a member whom this connection knows, by ID, @handle or name, found "${[value].flat()[0]}"; connection_get lists the members.`,
    )
  }
  expect(await refused({ title: 'x', properties: { who: [{ id: anna }] } })).toContain(
    'Expected members as [{ "memberId" }]',
  )
})

test('a member who was renamed or removed stays the value, and can be written back but not given anew', async () => {
  const { add, list, update, write, refused, idOf } = await opened()
  await add({ title: 'a', properties: { who: 'Anna' } })
  const anna = idOf('Anna')
  await write((view) => updateMember(view, '@anna', { name: 'Anna B.' }))
  await write((view) => removeParticipant(view, 'Anna B.'))
  const [item] = (await list()).items
  expect(item.properties.who).toEqual([{ memberId: anna, name: 'Anna B.' }])
  await update({ id: item.id, properties: { who: item.properties.who } })
  expect((await list()).items[0].properties.who).toEqual([{ memberId: anna, name: 'Anna B.' }])
  expect(await refused({ title: 'x', properties: { who: 'Anna B.' } })).toContain('Expected a member')
})

test('history names the members, and undo brings them back', async () => {
  const { add, list, update, call } = await opened()
  await add({ title: 'a', properties: { who: 'Anna' } })
  const [{ id }] = (await list()).items
  await update({ id, properties: { who: ['Bob'] } })
  const [{ callId }] = (await call('history_list', { limit: 1 })).items
  const change = JSON.stringify(await call('history_list', { call: callId }))
  expect(change).toContain('Anna')
  expect(change).toContain('Bob')
  await call('history_undo', { calls: [callId] })
  expect((await list()).items[0].properties.who).toMatchObject([{ name: 'Anna' }])
})

describe('items', () => {
  test('are filtered by members, and me is whoever asks', async () => {
    const { add, titles, who, linked, call, collectionId } = await opened()
    const scout = await linked('scout')
    await add(
      { title: 'a', properties: { who: ['Anna', 'Bob'] } },
      { title: 'b', properties: { who: 'Bob' } },
      { title: 'c', properties: { who: 'scout' } },
      { title: 'd' },
    )
    expect(await titles(who('select_isAnyOf', 'Anna', '@bob'))).toEqual(['a', 'b'])
    expect(await titles(who('select_isNoneOf', '@bob'))).toEqual(['c', 'd'])
    expect(await titles(who('is', 'Bob'))).toEqual(['b'])
    expect(await titles(who('isEmpty'))).toEqual(['d'])
    expect(await titles(who('select_isAnyOf', 'me'), scout)).toEqual(['c'])
    expect(await titles(who('select_isAnyOf', 'me'))).toEqual([])
    expect(await call('items_list', { collectionId, ...who('select_isAnyOf', 'Bob') })).toMatchObject({
      items: [{}, {}],
    })
    const view = { name: 'Mine', type: 'table', ...who('select_isAnyOf', 'me', '@anna') }
    const { id, filters } = await call('views_add', { collectionId, view })
    expect(await titles({ viewId: id }, scout)).toEqual(['a', 'c'])
    // A view that was read can be written back.
    await call('views_update', { collectionId, viewId: id, view: { filters } })
    expect(await titles({ viewId: id }, scout)).toEqual(['a', 'c'])
  })

  test('are sorted by names, and grouped by members', async () => {
    const { add, titles, call, collectionId, idOf } = await opened()
    await add(
      { title: 'b', properties: { who: 'Bob' } },
      { title: 'both', properties: { who: ['Anna', 'Bob'] } },
      { title: 'none' },
    )
    expect(await titles({ sortBy: [{ property: 'who' }] })).toEqual(['both', 'b', 'none'])
    expect(await titles({ sortBy: [{ property: 'who', ascending: false }] })).toEqual(['b', 'both', 'none'])
    const { groups } = await call('items_list', { collectionId, groupBy: [{ property: 'who' }] })
    expect(groups).toEqual([
      { value: { memberId: idOf('Anna'), name: 'Anna' }, count: 1 },
      { value: { memberId: idOf('Bob'), name: 'Bob' }, count: 2 },
      { count: 1 },
    ])
  })
})

test('a narrow link knows whoever is a value within its reach, and an ID out of reach is as one of nobody', async () => {
  const { add, linked, titles, who, idOf, call, collectionId } = await opened()
  await add({ title: 'a', properties: { who: 'Anna' } })
  const { documentId, dailyNoteDate } = (await call('collections_list')).items[0]
  const document = documentId ?? (await call('documents_list', { location: 'daily_notes' })).items[0].id
  expect(dailyNoteDate ?? documentId).toBeDefined()
  const guest = await linked('guest', [document])
  const { members } = await guest.call('connection_get')
  expect(members.map(({ name }: Answer) => name)).toEqual(['Anna', 'guest'])
  expect(await titles(who('select_isAnyOf', 'Anna'), guest)).toEqual(['a'])
  const none = '999999999999'
  const refusal = (id: string) => async (tool: string, args: object) =>
    (await guest.refused(tool, { collectionId, ...args })).replaceAll(id, 'ID')
  const answers = [idOf('Bob'), none].map(async (id) => {
    const refused = refusal(id)
    return [
      await refused('items_list', who('select_isAnyOf', id)),
      await refused('items_add', { items: [{ title: 'x', properties: { who: [{ memberId: id }] } }] }),
      await refused('views_add', { view: { name: 'V', type: 'table', ...who('select_isAnyOf', id) } }),
    ]
  })
  const [hidden, missing] = await Promise.all(answers)
  expect(hidden).toEqual(missing)
})

test('exports have the names, and an import finds the members again, or keeps the names as options', async () => {
  const { connected, add } = await opened()
  await add({ title: 'a', properties: { who: ['Anna', 'Owner'] } }, { title: 'b', properties: { who: 'Owner' } })
  const { path } = await exportOf(connected)
  // In the other space there is no Anna.
  const { call, problems } = await importOf(path)
  expect(problems).toEqual([])
  const [{ id }] = (await call('collections_list')).items
  const { items } = await call('items_list', { collectionId: id })
  expect(items.map(({ title, properties }: Answer) => [title, properties.who])).toEqual([
    ['a', ['Anna', 'Owner']],
    ['b', ['Owner']],
  ])
})
