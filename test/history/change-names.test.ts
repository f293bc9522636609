/** The names of what calls changed, which the history has over REST and for pages. */
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { NAMES_OF_CHANGE } from '../../src/space/history/summary-text.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { countStatements } from '../support/count-statements.ts'

const endOf = (pageId: string) => ({ position: 'end', pageId })

/** What the history says over REST. */
async function namedHistory({ space }: Connected, link: AccessLink, args: object = {}): Promise<Answer[]> {
  const tool = toolCatalogFor(endpoints, link.kind).get('history_list')
  const answer = await runCall(tool, args, { space, link }, { overRest: true })
  if (!('object' in answer)) throw new Error('Expected an object.')
  return (answer.object as Answer).items
}

/** What the latest call changed, place by place. */
async function lastChanges(full: Connected): Promise<Answer> {
  const [item] = await namedHistory(full, await full.space.createAccessLink('full', [], 'reader'), { limit: 1 })
  return item.changes
}

async function spaceOfReleases() {
  const full = await connect()
  const { items } = await full.call('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })
  const plan: string = items[0].id
  const schema = {
    name: 'Releases',
    contentPropDetails: { key: 'title', name: 'Name' },
    properties: [
      { key: 'status', name: 'Status', type: 'singleSelect', options: [{ name: 'open' }, { name: 'done' }] },
      { key: 'owner', name: 'Owner', type: 'text' },
    ],
  }
  const { collectionBlockId: releases } = await full.call('collections_add', { schema, position: endOf(plan) })
  const added = await full.call('items_add', {
    collectionId: releases,
    items: [
      { title: 'Ship beta', properties: { status: 'open' } },
      { title: '**B**', markdown: 'text' },
      { title: 'C' },
    ],
  })
  const rows: string[] = added.items.map(({ id }: Answer) => id)
  return { full, plan, releases, rows }
}

test('rows have their names, their collection, and the properties that changed', async () => {
  const { full, releases, rows } = await spaceOfReleases()
  const collection = { id: releases, title: 'Releases' }
  expect(await lastChanges(full)).toEqual([
    { title: 'Plan', changes: [{ noun: 'row', verb: 'added', amount: 3, collection, names: ['Ship beta', 'B', 'C'] }] },
  ])
  const properties = { status: 'done', owner: 'Ann' }
  await full.call('items_update', { collectionId: releases, itemsToUpdate: [{ id: rows[0], properties }] })
  expect(await lastChanges(full)).toEqual([
    {
      title: 'Plan',
      changes: [
        { noun: 'row', verb: 'changed', amount: 1, collection, names: ['Ship beta'], fields: ['Status', 'Owner'] },
      ],
    },
  ])
  await full.call('items_update', { collectionId: releases, itemsToUpdate: [{ id: rows[0], title: '🚀 Ship beta' }] })
  expect((await lastChanges(full))[0].changes[0]).toMatchObject({ noun: 'row', verb: 'icon changed', amount: 1 })
  await full.call('items_delete', { collectionId: releases, itemIds: rows })
  expect(await lastChanges(full)).toEqual([
    {
      title: 'Plan',
      changes: [{ noun: 'row', verb: 'deleted', amount: 3, collection, names: ['🚀 Ship beta', 'B', 'C'] }],
    },
  ])
})

test('folders, pages, tasks, columns and titles have their names', async () => {
  const { full, plan } = await spaceOfReleases()
  const { items } = await full.call('folders_add', { folders: [{ name: 'Work' }, { name: 'Plans' }] })
  expect(await lastChanges(full)).toEqual([
    { changes: [{ noun: 'folder', verb: 'added', amount: 2, names: ['Work', 'Plans'] }] },
  ])
  const [work, plans] = items.map(({ id }: Answer) => id)
  await full.call('folders_move', { folderIds: [plans], destination: { folderId: work } })
  expect(await lastChanges(full)).toEqual([
    { changes: [{ noun: 'folder', verb: 'moved', amount: 1, names: ['Plans'] }] },
  ])
  await full.call('blocks_add', { markdown: '- [ ] call [Ann](https://example.com)\n\ntext', position: endOf(plan) })
  expect((await lastChanges(full))[0].changes).toEqual([
    { noun: 'task', verb: 'added', amount: 1, names: ['call Ann'] },
    { noun: 'block', verb: 'added', amount: 1 },
  ])
  await full.call('blocks_update', { blocks: [{ id: plan, markdown: '🚀 Plan' }] })
  expect(await lastChanges(full)).toEqual([
    { title: '🚀 Plan', changes: [{ noun: 'document', verb: 'icon changed', amount: 1 }] },
  ])
  await full.call('blocks_update', { blocks: [{ id: plan, markdown: '🚀 Better plan' }] })
  expect((await lastChanges(full))[0].changes).toEqual([{ noun: 'document', verb: 'renamed', amount: 1 }])
  // What came later changes nothing of it.
  const before = await namedHistory(full, await full.space.createAccessLink('full', [], 'reader'), { limit: 2 })
  expect(before[1].changes[0].changes).toEqual([{ noun: 'document', verb: 'icon changed', amount: 1 }])
})

test('a few are named, and each of them in short', async () => {
  const { full, releases } = await spaceOfReleases()
  const titles = Array.from({ length: 9 }, (_, index) => `${index} ${'long '.repeat(40)}`)
  await full.call('items_add', { collectionId: releases, items: titles.map((title) => ({ title })) })
  const [{ changes }] = await lastChanges(full)
  expect(changes).toMatchObject([{ noun: 'row', verb: 'added', amount: 9 }])
  expect(changes[0].names).toHaveLength(NAMES_OF_CHANGE)
  for (const name of changes[0].names) expect(name.length).toBeLessThanOrEqual(61)
})

test('agents get counts, as before', async () => {
  const { full } = await spaceOfReleases()
  const [item] = (await full.call('history_list', { format: 'json', limit: 1 })).items
  expect(item).toMatchObject({ summary: '"Plan": 4 blocks added' })
  expect(item).not.toHaveProperty('changes')
})

test('many calls are named in as many statements as one', async () => {
  const { full, releases } = await spaceOfReleases()
  const link = await full.space.createAccessLink('full', [], 'reader')
  const counter = countStatements()
  const ask = async (limit: number) => {
    counter.reset()
    await namedHistory(full, link, { limit })
    return counter.count
  }
  for (let count = 0; count < 20; count++)
    await full.call('items_add', { collectionId: releases, items: [{ title: `Row ${count}` }] })
  const one = await ask(1)
  expect(await ask(20)).toBeLessThanOrEqual(one + 1)
})

test.each(['selected', 'daily'] as const)('a %s connection receives no name from out of its reach', async (kind) => {
  const full = await connect()
  const add = async (title: string): Promise<string> =>
    (await full.call('documents_add', { documents: [{ title }] })).items[0].id
  const hidden = await add('SECRET document')
  const visible = kind === 'selected' ? endOf(await add('Open')) : { position: 'end', date: 'today' }
  await full.call('blocks_add', { markdown: 'begun', position: visible })
  const link = await full.space.createAccessLink(kind, 'pageId' in visible ? [visible.pageId] : [], 'reader')
  // All of its history, also from before it was made.
  const reader: AccessLink = { ...link, historyFrom: 0 }
  const collectionAt = async (name: string, position: object): Promise<string> =>
    (await full.call('collections_add', { schema: { name, properties: [] }, position })).collectionBlockId
  const open = await collectionAt('Open rows', visible)
  const leaving = await collectionAt('Leaving rows', visible)
  const row = async (collectionId: string, title: string): Promise<string> =>
    (await full.call('items_add', { collectionId, items: [{ title }] })).items[0].id
  const linking = await row(open, `See [it](block://${hidden})`)
  await full.call('items_update', { collectionId: open, itemsToUpdate: [{ id: linking, title: 'SECRET no more' }] })
  await full.call('items_delete', { collectionId: open, itemIds: [linking] })
  const inside = await row(leaving, 'Inside')
  await full.call('items_update', { collectionId: leaving, itemsToUpdate: [{ id: inside, title: 'Inside again' }] })
  const schema = { name: 'Leaving rows', properties: [{ name: 'Soon SECRET', type: 'text' }] }
  await full.call('schema_update', { collectionId: leaving, schema })
  await full.call('blocks_move', { blockIds: [leaving], position: endOf(hidden) })
  const update = { id: inside, title: 'SECRET row', properties: { soonSecret: 'x' } }
  await full.call('items_update', { collectionId: leaving, itemsToUpdate: [update] })
  await full.call('blocks_add', { markdown: '- [ ] call Ann', position: visible })
  await full.call('folders_add', { folders: [{ name: 'SECRET folder' }] })
  await full.call('documents_add', { documents: [{ title: 'SECRET', markdown: '- [ ] SECRET task' }] })
  const changesFor = async (by: AccessLink) =>
    JSON.stringify((await namedHistory(full, by, { limit: 100 })).map(({ changes }) => changes))
  const named = await changesFor(reader)
  expect(named).not.toMatch(/SECRET (?:document|row|folder|task)|Soon SECRET/)
  expect(named).not.toContain(hidden)
  expect(named).toContain('"names":["call Ann"]')
  const all = await changesFor(await full.space.createAccessLink('full', [], 'all'))
  for (const name of ['SECRET row', 'SECRET folder', 'Soon SECRET', 'SECRET no more']) expect(all).toContain(name)
})
