/** Events about members: tasks that are given to them, and texts that name them. */
import { describe, expect, test } from 'vitest'
import { addAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { proposalOf, serveProposals } from '../call/serve-proposals.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { newSecret, serveSubscriptions, startSubscriber, subscribe as subscribeTo } from './subscriber.ts'
import { subscribe } from './wire.ts'

/** A connection that is the member tester, and another member, Bob. */
async function members() {
  const writer = await connect()
  await writer.space.write(OPERATOR_LINK, async (view) => {
    await addParticipant(view, 'tester', { handle: 'me-myself' })
    await addParticipant(view, 'Bob')
  })
  const all = (await writer.call('connection_get')).members as { name: string; id: string }[]
  const idOf = (name: string) => all.find((one) => one.name === name)?.id ?? ''
  return { ...writer, own: idOf('tester'), bob: idOf('Bob') }
}

const assigned = (connected: Connected, more: object = {}) =>
  subscribe(connected, { name: 'task.assigned', arguments: more })
const mentions = (connected: Connected, more: object = {}) => subscribe(connected, { name: 'mention', arguments: more })

describe('task.assigned', () => {
  test('says which task was given to a member, and by whom', async () => {
    const writer = await members()
    const [toMe, toAll] = [await assigned(writer, { assignee: 'me' }), await assigned(writer)]
    const { items } = await writer.call('tasks_add', {
      tasks: [
        { markdown: 'Dig', taskInfo: { assignee: 'me' } },
        { markdown: 'Sow', taskInfo: { assignee: 'Bob' } },
        { markdown: 'Rest' },
      ],
    })
    const [dig, sow, rest] = items.map(({ id }: { id: string }) => id)
    const [event, ...others] = await toMe()
    expect(others).toEqual([])
    expect(event?.data).toMatchObject({
      ...{ blockId: dig, title: 'Inbox', assignee: { id: writer.own, name: 'tester' } },
      ...{ author: 'tester', authorAccess: 'full' },
    })
    expect(JSON.stringify(event)).not.toContain('Dig')
    expect((await toAll()).map(({ data }) => data.blockId)).toEqual([dig, sow])
    await writer.call('tasks_update', {
      tasksToUpdate: [
        { id: rest, taskInfo: { assignee: 'me' } },
        { id: dig, taskInfo: { scheduleDate: 'today' } },
        { id: sow, taskInfo: { assignee: null } },
      ],
    })
    expect((await toMe()).map(({ data }) => data.blockId)).toEqual([rest])
    expect((await toAll()).map(({ data }) => data.blockId)).toEqual([rest])
  })

  test('is told for each call, as it was after it, also when it is asked for later', async () => {
    const writer = await members()
    const toAll = await assigned(writer)
    const { items } = await writer.call('tasks_add', { tasks: [{ markdown: 'Dig' }] })
    const id = items[0].id
    for (const assignee of ['Bob', 'me', null, 'Bob']) {
      await writer.call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { assignee } }] })
    }
    const events = await toAll()
    expect(events.map(({ data }) => (data.assignee as { name: string }).name)).toEqual(['Bob', 'tester', 'Bob'])
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(3)
  })

  test('leaves out what the link itself did, and what is elsewhere', async () => {
    const writer = await members()
    const [here, there] = [await documentOf(writer, '- [ ] Dig'), await documentOf(writer, '- [ ] Sow')]
    const other = await connect('full', { to: writer })
    const [others, inHere] = [await assigned(other, { mine: false }), await assigned(other, { documentId: here })]
    for (const document of [here, there]) {
      const [id] = Object.values(await idsOf(writer, document))
      await writer.call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { assignee: 'Bob' } }] })
    }
    expect(await others()).toEqual([])
    expect((await inHere()).map(({ data }) => data.documentId)).toEqual([here])
  })
})

describe('mention', () => {
  test('says where a member is named: in a text, a title, a table, a cell and a comment', async () => {
    const writer = await members()
    const link = (id: string) => `[@x](person://${id})`
    const next = await mentions(writer, { member: 'me' })
    const document = await documentOf(writer, `a ${link(writer.own)}\n\n| a |\n| - |\n| ${link(writer.own)} |\n\nplain`)
    const ids = await idsOf(writer, document)
    const found = async () => (await next()).map(({ data }) => [data.commentId ?? data.blockId, data.memberIds])
    const me = [writer.own]
    expect(await found()).toEqual(
      Object.entries(ids)
        .flatMap(([text, id]) => (text === 'plain' ? [] : [[id, me]]))
        .sort(),
    )
    await writer.call('blocks_update', {
      blocks: [
        {
          id: document,
          title: { value: 'x', attributes: [{ type: 'link', start: 0, end: 1, url: `person://${writer.own}` }] },
        },
      ],
    })
    expect(await found()).toEqual([[document, me]])
    const { commentId } = await writer.call('comments_add', {
      comments: [{ blockId: ids.plain, content: `Look ${link(writer.bob)} and ${link(writer.own)}` }],
    })
    expect(await found()).toEqual([[commentId, [writer.bob, writer.own]]])
    const { collectionBlockId } = await writer.call('collections_add', {
      ...{ name: 'Plants', position: { position: 'end', pageId: document } },
      properties: [{ type: 'text', name: 'Note' }],
    })
    const { items } = await writer.call('items_add', {
      collectionId: collectionBlockId,
      items: [{ title: 'Rose', properties: { note: link(writer.own) } }],
    })
    expect(await found()).toEqual([[items[0].id, me]])
  })

  test('is not told again when the text changes otherwise, or is brought back by an undo', async () => {
    const writer = await members()
    const next = await mentions(writer, { member: 'me' })
    const text = `[@x](person://${writer.own})`
    const document = await documentOf(writer, text)
    const [id] = Object.values(await idsOf(writer, document))
    expect(await next()).toHaveLength(1)
    await writer.call('blocks_update', { blocks: [{ id, markdown: `more ${text}` }] })
    await writer.call('blocks_update', { blocks: [{ id, markdown: 'no one' }] })
    const { items } = await writer.call('history_list', { limit: 1 })
    await writer.call('history_undo', { calls: [items[0].callId] })
    expect(await next()).toEqual([])
    await writer.call('blocks_update', { blocks: [{ id, markdown: 'no one' }] })
    await writer.call('blocks_update', { blocks: [{ id, markdown: text }] })
    expect(await next()).toHaveLength(1)
    await documentOf(writer, `\`${text}\``)
    expect(await next()).toEqual([])
  })

  test('that is proposed wakes an agent once a person approves it', async () => {
    const { agent, person, owner, write, approve } = await serveProposals()
    const { json } = await owner.ask('GET /connection')
    const bob = json.members.find(({ name }: { name: string }) => name === 'Anna')
    const next = await subscribe({ client: await owner.client() }, { name: 'mention', arguments: { member: 'Anna' } })
    const proposed = await write(agent, `[@Anna](person://${bob.id})`)
    expect(await next()).toEqual([])
    await approve(person, proposalOf(proposed))
    expect((await next()).map(({ data }) => data)).toMatchObject([
      { author: 'Robot', approvedBy: 'Anna', authorAccess: 'propose' },
    ])
  })

  test('of a comment, to a narrow link, tells no member that it does not know', async () => {
    const writer = await members()
    const document = await documentOf(writer, 'plain')
    const { plain } = await idsOf(writer, document)
    const narrow = await connect('selected', { to: writer, documents: [document] })
    const next = await mentions(narrow)
    await writer.call('comments_add', { comments: [{ blockId: plain, content: `[@x](person://${writer.bob})` }] })
    const [event] = await next()
    expect(event?.data.memberIds).toEqual([])
  })
})

test('a subscription of an agent for itself is sent what is given to it', async () => {
  const receiver = await startSubscriber()
  const served = await serveSubscriptions()
  const { writer } = served
  await writer.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Owner of robots'))
  const { mcpClient } = await served.join({ name: 'Robo', participant: 'Owner of robots' })
  const delivery = { url: receiver.url, secret: newSecret() }
  await subscribeTo(mcpClient, { name: 'task.assigned', arguments: { assignee: 'me' }, delivery })
  served.deliver()
  const { items } = await writer.call('tasks_add', { tasks: [{ markdown: 'Dig', taskInfo: { assignee: 'Robo' } }] })
  expect((await receiver.events(1))[0]?.data).toMatchObject({ blockId: items[0].id, assignee: { name: 'Robo' } })
})

test('a member that is not there cannot be waited for', async () => {
  const writer = await members()
  await writer.space.write(OPERATOR_LINK, async (view) => {
    await addAccessLink(view, { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Bob' })
  })
  await expect(assigned(writer, { assignee: 'Nobody' })).rejects.toMatchObject({ code: -32602 })
  await expect(assigned(writer, { member: 'me' })).rejects.toMatchObject({ code: -32602 })
})
