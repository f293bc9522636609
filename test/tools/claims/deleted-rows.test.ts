/** Undo brings no lease back: rows that were deleted while they were held come back free, with their values of before. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Tool, toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../../src/call/run.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { statement } from '../../../storage/statement.ts'
import { endpoints } from '../../../tools/index.ts'
import { buildSpace } from '../../build.ts'
import { type Answer, connect } from '../../connect.ts'
import { serveBuilt } from '../../http/serving.ts'

const STATUS = {
  name: 'Status',
  type: 'singleSelect',
  options: [{ name: 'To do' }, { name: 'Doing' }, { name: 'Done' }],
}
const END = statement(() => sql`UPDATE lease SET ends_at = 0`)

/** A board with two cards, of which `one` has claimed the first, and a task that it has claimed with a date. */
async function claimed() {
  const to = await buildSpace()
  const one = await connect('full', { to, caller: { link: { ...(await link(to)), connection: 'one' } } })
  const two = await connect('full', { to })
  const { items: documents } = await one.call('documents_add', { documents: [{ title: 'Board' }] })
  const position = { position: 'end', pageId: documents[0].id }
  const added = await one.call('collections_add', { schema: { name: 'Cards', properties: [STATUS] }, position })
  const collectionId: string = added.collectionBlockId
  const cards = ['First', 'Second'].map((title) => ({ title, properties: { status: 'To do' } }))
  await one.call('items_add', { collectionId, items: cards })
  const [{ id, fence }] = (await one.call('items_claim', { collectionId, set: { status: 'Doing' } })).items
  await one.call('tasks_add', { tasks: [{ markdown: 'Dig' }] })
  const [task] = (await one.call('items_claim', { scope: 'inbox', set: { scheduleDate: 'today' } })).items
  const cardsNow = async () =>
    (await two.call('items_list', { collectionId })).items.map(({ title, properties, heldBy }: Answer) =>
      [title, properties.status, ...(heldBy === undefined ? [] : ['held'])].join(' '),
    )
  const undo = async () => {
    const { items } = await two.call('history_list', { format: 'json', limit: 1 })
    await two.call('history_undo', { calls: [items[0].callId] })
  }
  const notesOf = async (name: string, args: object) => {
    const { content } = await two.client.callTool({ name, arguments: args as Record<string, unknown> })
    return (content as { text: string }[]).slice(1).map(({ text }) => text)
  }
  return { ...to, one, two, collectionId, id, fence, task, cardsNow, undo, notesOf }
}

const link = ({ space }: Awaited<ReturnType<typeof buildSpace>>) => space.createAccessLink('full', [], 'Agent one')

const batch = (tool: string, args: object) => ['batch', { steps: [{ tool, arguments: args }] }] as const

test.each([
  ['items_delete', ({ collectionId, id }) => ['items_delete', { collectionId, idsToDelete: [id] }]],
  ['blocks_delete', ({ id }) => ['blocks_delete', { blockIds: [id] }]],
  ['blocks_delete of its collection', ({ collectionId }) => ['blocks_delete', { blockIds: [collectionId] }]],
  ['a batch', ({ collectionId, id }) => batch('items_delete', { collectionId, idsToDelete: [id] })],
] as [string, (held: { collectionId: string; id: string }) => [string, object]][])(
  'an item that was claimed and deleted by %s comes back free',
  async (_, callOf) => {
    const { one, two, collectionId, id, fence, space, cardsNow, undo, notesOf, ...built } = await claimed()
    const { ask } = await (await serveBuilt({ to: { space, clock: built.clock } })).link()
    const { cursor } = (await ask('GET /changes')).json
    const [tool, args] = callOf({ collectionId, id })
    const notes = await notesOf(tool, args)
    expect(notes.join(' ')).toMatch(
      new RegExp(`^${id} was held by "Agent one \\(tester\\)" until \\S+; it was deleted all the same\\.`),
    )
    await undo()
    expect(await cardsNow()).toEqual(['First To do', 'Second To do'])
    const late = { collectionId, itemsToUpdate: [{ id, fence, properties: { status: 'Done' } }] }
    expect(await one.refused('items_update', late)).toContain('found that its lease has ended')
    expect((await two.call('items_claim', { collectionId })).items).toMatchObject([{ id }])
    const { items } = (await ask(`GET /changes?cursor=${encodeURIComponent(cursor)}`)).json
    const ended = items.filter(({ type }: Answer) => type === 'lease.ended')
    expect(ended).toMatchObject([{ reason: 'takenBack', name: 'Agent one', fence }])
  },
)

test('a task that was claimed and deleted comes back with its date of before', async () => {
  const { two, task, undo } = await claimed()
  await two.call('tasks_delete', { idsToDelete: [task.id] })
  await undo()
  expect((await two.call('tasks_list', { scope: 'inbox' })).items).toMatchObject([
    { id: task.id, taskInfo: { state: 'todo' } },
  ])
  expect((await two.call('tasks_list', { scope: 'inbox' })).items[0].taskInfo).not.toHaveProperty('scheduleDate')
})

test('so does an item whose lease was over when it was deleted, and one that its holder deleted', async () => {
  const { one, collectionId, id, space, cardsNow, undo, notesOf } = await claimed()
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  expect((await notesOf('items_delete', { collectionId, idsToDelete: [id] })).join(' ')).not.toContain('held')
  await undo()
  expect(await cardsNow()).toEqual(['First To do', 'Second To do'])
  await one.call('items_claim', { collectionId, set: { status: 'Doing' } })
  await one.call('items_delete', { collectionId, idsToDelete: [id] })
  await undo()
  expect(await cardsNow()).toEqual(['First To do', 'Second To do'])
})

test('other rows stay held, and a deletion that is refused ends no lease', async () => {
  const { one, two, collectionId, cardsNow } = await claimed()
  await one.call('items_claim', { collectionId, set: { status: 'Doing' } })
  const { items } = await two.call('items_list', { collectionId })
  await two.call('items_delete', { collectionId, idsToDelete: [items[1].id] })
  const unknown = { collectionId, idsToDelete: [items[0].id, '199999999999'] }
  expect(await two.refused('items_delete', unknown)).toContain('found 199999999999')
  expect(await cardsNow()).toEqual(['First Doing held'])
})

test('whoever undoes the end of a claim is told that no one holds the row', async () => {
  const { two, space, cardsNow, notesOf } = await claimed()
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  await space.endLeases()
  const { items } = await two.call('history_list', { format: 'json', limit: 1 })
  expect(items[0].tool).toBe('claim_ended')
  expect(await notesOf('history_undo', { calls: [items[0].callId] })).toEqual([
    'Leases do not come back: no one holds the rows that have the values of their claims again. Write other values, or claim them.',
  ])
  expect(await cardsNow()).toEqual(['First Doing', 'Second To do'])
})

test('a proposal is approved as if the leases whose time is over had ended, and its deletion takes a row back', async () => {
  const { one, two, collectionId, id, space, clock, cardsNow, undo } = await claimed()
  const proposer = await connect('full', { to: { space, clock }, access: 'propose' })
  const person = { space, link: await space.createAccessLink('full', [], 'person') }
  const approve = async ({ proposal }: Answer) => {
    const tool = toolCatalogFor(endpoints, 'full').find('proposals_approve') as Tool
    const { proposalId } = proposal
    const listed = await two.call('proposals_list', { proposalId, format: 'json' })
    const asShown = { proposalId, fingerprint: listed.items[0].fingerprint }
    const refusal = await runCall(tool, asShown, person).then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (refusal === undefined) return
    // The row is free now, so the change is another one: the person agrees to that.
    const [, fingerprint] = /with fingerprint (\w+)\.$/.exec(refusal) ?? []
    await runCall(tool, { proposalId, fingerprint }, person)
  }
  const start = { collectionId, itemsToUpdate: [{ id, properties: { status: 'Doing' } }] }
  const proposed = await proposer.call('items_update', start)
  await space.write(OPERATOR_LINK, ({ tx }) => tx.run(END))
  await approve(proposed)
  await space.endLeases()
  expect(await cardsNow()).toEqual(['First Doing', 'Second To do'])
  await two.call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { status: 'To do' } }] })
  const deletion = await proposer.call('items_delete', { collectionId, idsToDelete: [id] })
  await one.call('items_claim', { collectionId, set: { status: 'Doing' } })
  await approve(deletion)
  await undo()
  expect(await cardsNow()).toEqual(['First To do', 'Second To do'])
})
