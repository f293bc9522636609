/** Without a condition the last change wins, and the answer says whose newer change it replaced. */
import { expect, test } from 'vitest'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'

const linkOf = async ({ space }: BuiltSpace, name: string) => ({
  ...(await space.createAccessLink('full', [], `Agent ${name}`)),
  connection: name,
})

/** Two connections to one space. */
async function two() {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: await linkOf(to, 'one') } })
  const other = await connect('full', { to, caller: { link: await linkOf(to, 'two') } })
  const { items: documents } = await one.call('documents_add', {
    documents: [
      { title: 'Board', markdown: 'A first line\n\n- [ ] Call the port\n\n![Plan](https://example.com/plan.png)' },
    ],
  })
  return { ...to, one, other, documentId: documents[0].id as string }
}

/** The notes after the answer of a call. */
async function notesOf({ client }: Connected, name: string, args: object): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const texts = (content as { text: string }[]).map(({ text }) => text)
  if (isError) throw new Error(texts.join('\n'))
  return texts.slice(1).join(' ')
}

async function board(connected: Connected, documentId: string) {
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema: {
      name: 'Cards',
      properties: [
        { name: 'Status', type: 'singleSelect', options: [{ name: 'To do' }, { name: 'Doing' }, { name: 'Done' }] },
        { name: 'Owner', type: 'text' },
        { name: 'Tags', type: 'multiSelect', options: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      ],
    },
    position: { position: 'end', pageId: documentId },
  })
  const { items } = await connected.call('items_add', {
    collectionId,
    items: [{ title: 'Card', properties: { status: 'To do' } }],
  })
  const id: string = items[0].id
  const update = (properties: object, more: object = {}) => ({
    collectionId,
    itemsToUpdate: [{ id, properties, ...more }],
  })
  return { collectionId, id, update }
}

test('an item that another connection changed within a minute is replaced with a note', async () => {
  const { one, other, documentId, clock } = await two()
  const { id, update } = await board(one, documentId)
  clock.now += 120_000
  expect(await notesOf(one, 'items_update', update({ status: 'Doing', owner: 'Ada' }))).toBe('')
  clock.now += 1_000
  expect(await notesOf(other, 'items_update', update({ status: 'Done', owner: 'Grace' }))).toBe(
    `Replaced status, owner of ${id}, which "Agent one (tester)" changed at 2026-11-20T09:02:00.000Z.`,
  )
  // Its own change is no news to it, and it knows what it replaced.
  expect(await notesOf(other, 'items_update', update({ status: 'To do' }))).toBe('')
  // The same value again replaces nothing, nor does another property.
  clock.now += 1_000
  expect(await notesOf(one, 'items_update', update({ status: 'To do', tags: ['a'] }))).toBe('')
})

test('an item that is deleted after another connection changed a property is named once', async () => {
  for (const tool of ['items_delete', 'blocks_delete']) {
    const { one, other, documentId, clock } = await two()
    const { collectionId, id, update } = await board(one, documentId)
    await one.call('items_update', update({ status: 'Doing' }, { title: 'Card 2' }))
    clock.now += 1_000
    await one.call('items_update', update({ owner: 'Ada', tags: ['a', 'b'] }))
    const ids = tool === 'items_delete' ? { collectionId, idsToDelete: [id] } : { blockIds: [id] }
    expect(await notesOf(other, tool, ids)).toBe(
      `Deleted ${id}, which "Agent one (tester)" changed at 2026-11-20T09:00:01.000Z.`,
    )
  }
})

test('a dry run says what the call would replace, and what it shows was not seen', async () => {
  const { one, other, documentId } = await two()
  const { id, update } = await board(one, documentId)
  const change = update({ owner: 'Grace' })
  await one.call('items_update', update({ owner: 'Ada' }, { title: 'Card 2' }))
  const rehearse = async (name: string, args: Record<string, unknown>) => {
    const { content } = await other.client.callTool({
      ...{ name, arguments: args },
      ...(name !== 'batch' && { _meta: { 'scriptorium/dryRun': true } }),
    })
    return JSON.stringify((content as { text: string }[]).slice(1))
  }
  const which = `${id}, which \\"Agent one (tester)\\" changed at 2026-11-20T09:00:00.000Z.`
  expect(await rehearse('items_update', change)).toContain(`Would replace owner of ${which}`)
  const steps = [{ tool: 'items_update', arguments: change }]
  expect(await rehearse('batch', { steps, dryRun: true })).toContain(`Would replace owner of ${which}`)
  expect(await rehearse('blocks_delete', { blockIds: [id] })).toContain(`Would delete ${which}`)
  expect(await notesOf(other, 'items_update', change)).toContain(`Replaced owner of ${id}`)
})

test('what a connection has read or written counts from then on, and after a minute nothing else does', async () => {
  const { one, other, documentId, clock } = await two()
  const { collectionId, id, update } = await board(one, documentId)
  await one.call('items_update', update({ owner: 'Ada' }))
  await other.call('items_list', { collectionId })
  expect(await notesOf(other, 'items_update', update({ owner: 'Grace' }))).toBe('')
  clock.now += 600_000
  // The first connection wrote this field ten minutes ago, and has not read it since.
  expect(await notesOf(one, 'items_update', update({ owner: 'Ada' }))).toContain(
    `owner of ${id}, which "Agent two (tester)" changed at 2026-11-20T09:00:00.000Z`,
  )
  clock.now += 600_000
  const third = await connect('full', { to: { space: one.space, clock }, caller: { link: await linkOf(one, 'three') } })
  expect(await notesOf(third, 'items_update', update({ owner: 'Joan' }))).toBe('')
})

test('a list that still has what others added, and a text that still has what they wrote, replace nothing', async () => {
  const { one, other, documentId } = await two()
  const { update, id } = await board(one, documentId)
  await one.call('items_update', update({ tags: ['a'] }))
  expect(await notesOf(other, 'items_update', update({ tags: ['a', 'b'] }))).toBe('')
  expect(await notesOf(one, 'items_update', update({ tags: ['a'] }))).toContain(`tags of ${id}`)
  const blocks = (await one.call('blocks_get', { id: documentId, format: 'json' })).content
  const line = { id: blocks[0].id, markdown: 'A first line of text' }
  const third = await connect('full', { to: one, caller: { link: await linkOf(one, 'three') } })
  expect(await notesOf(one, 'blocks_update', { blocks: [line] })).toBe('')
  const edited = { pageId: documentId, replace: [{ old: 'A first', new: 'The first' }] }
  expect(await notesOf(other, 'blocks_update', edited)).toBe('')
  expect(await notesOf(third, 'blocks_update', { blocks: [{ id: line.id, markdown: 'Another' }] })).toContain(
    `text of ${line.id}`,
  )
})

test('a note names no one whose change was out of reach then', async () => {
  const { one, documentId, clock, space } = await two()
  const { update } = await board(one, documentId)
  await one.call('items_update', update({ owner: 'Ada' }))
  const reach = { kind: 'selected' as const, documents: [documentId] }
  const link = await space.createAccessLink('selected', [documentId], 'Guest')
  const guest = await connect('selected', {
    ...{ to: { space, clock }, documents: reach.documents },
    caller: { link: { ...link, connection: 'guest', historyFrom: 1_000 } },
  })
  expect(await notesOf(guest, 'items_update', update({ owner: 'Grace' }))).toBe('')
})

test('a narrow connection is not told of values that refer to blocks, since it may not see what they were', async () => {
  const { one, documentId, ...to } = await two()
  const { collectionBlockId: collectionId } = await one.call('collections_add', {
    schema: {
      name: 'Cards',
      properties: [
        { name: 'Leads', type: 'blockLink' },
        { name: 'Note', type: 'text' },
      ],
    },
    position: { position: 'end', pageId: documentId },
  })
  const { items } = await one.call('items_add', { collectionId, items: [{ title: 'Card' }] })
  const link = { ...(await to.space.createAccessLink('selected', [documentId], 'Narrow')), connection: 'narrow' }
  const narrow = await connect('selected', { to, documents: [documentId], caller: { link } })
  const set = (properties: object) => ({ collectionId, itemsToUpdate: [{ id: items[0].id, properties }] })
  await one.call('items_update', set({ leads: { blockId: items[0].id }, note: 'from one' }))
  const own = set({ leads: { blockId: collectionId }, note: 'from the narrow one' })
  expect(await notesOf(narrow, 'items_update', own)).toMatch(/^Replaced note of /)
})
