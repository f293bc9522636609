/** What waits for a member: found within reach, once, until it is done, and read by the member, not by a browser. */
import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink, type NewAccessLink } from '../../src/auth/access-links/access-links.ts'
import { pageLinkOf } from '../../src/auth/browser-sessions/session-link.ts'
import { FOR_ME_PER_CONNECTION } from '../../src/base/limits.ts'
import { addGroup } from '../../src/space/members/groups.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { callerOf } from '../bench/workbench.ts'
import { type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { countStatements } from '../support/count-statements.ts'

interface Item {
  kind: string
  id: string
  [field: string]: unknown
}
interface ForMe {
  items: Item[]
  unread: number
  more?: number
}

/** A space with Anna, who uses the pages, and Robot, a program, each with their connection and their ID. */
async function opened(era: '2025' | '2026' = '2026') {
  const full = await connect('full', { era })
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  const connectedAs = async (id: string, author?: string, documents: readonly string[] = []) => {
    const found = (await full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, id))) as AccessLink
    const link = author === undefined ? found : { ...found, author }
    const connected = await connect(link.kind, { to: full, documents, era, caller: { link } })
    const again = () => connect(link.kind, { to: full, caller: { link } })
    return { ...connected, again, rest: callerOf(full.space, link) }
  }
  const linked = async (name: string, more: Partial<NewAccessLink> = {}) => {
    const made: NewAccessLink = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Owner' }
    const { info } = await write((view) => addAccessLink(view, { ...made, ...more, name }))
    return connectedAs(info.id, undefined, more.documents)
  }
  const { id } = await write((view) => addParticipant(view, 'Anna'))
  const anna = await connectedAs(await write((view) => pageLinkOf(view, id)), 'Anna')
  const robot = await linked('Robot')
  const { members } = await full.call('connection_get')
  const mention = (name: string) =>
    `[@${name}](person://${members.find((one: { name: string }) => one.name === name).id})`
  return { full, anna, robot, linked, mention }
}

const forMe = async (connected: Connected): Promise<ForMe> =>
  (await connected.call('connection_get')).forMe ?? { items: [], unread: 0 }
const briefly = async (connected: Connected) =>
  (await forMe(connected)).items.map(({ kind, text, isRead }) => `${kind}: ${text}${isRead ? ' (read)' : ''}`)
const comment = async (connected: Connected, blockId: string, content: string): Promise<string> =>
  (await connected.call('comments_add', { comments: [{ blockId, content }] })).commentId

test('tasks wait until they are done, and each item says where it is and who wrote it', async () => {
  const { full, anna, robot } = await opened()
  const tasks = ['Dig', 'Sow'].map((markdown) => ({ markdown, taskInfo: { assignee: 'Anna' } }))
  const { items } = await robot.call('tasks_add', { tasks })
  full.clock.now += 1_000
  expect(await briefly(robot)).toEqual([])
  expect((await forMe(anna)).items[1]).toEqual({
    ...{ kind: 'task', id: items[0].id, blockId: items[0].id, documentId: expect.any(String), title: 'Inbox' },
    ...{ text: 'Dig', author: 'Robot', at: '2026-11-20T09:00:00.000Z' },
  })
  await anna.call('tasks_update', { tasksToUpdate: [{ id: items[0].id, taskInfo: { state: 'done' } }] })
  await anna.call('tasks_update', { tasksToUpdate: [{ id: items[1].id, taskInfo: { assignee: null } }] })
  expect(await briefly(anna)).toEqual([])
})

test('mentions and answers in comments wait until the member answers, or they are resolved', async () => {
  const { full, anna, robot, mention } = await opened()
  const document = await documentOf(full, 'one\n\ntwo')
  const { one = '', two = '' } = await idsOf(full, document)
  const asked = await comment(robot, one, `${mention('Anna')} which **year**?`)
  expect((await forMe(anna)).items).toMatchObject([
    { kind: 'mention', id: asked, blockId: one, documentId: document, text: '@Anna which year?', author: 'Robot' },
  ])
  await comment(robot, two, 'Nobody is named here.')
  expect(await briefly(anna)).toEqual(['mention: @Anna which year?'])
  await comment(anna, one, '1900')
  expect(await briefly(anna)).toEqual([])
  // Her answer waits for who asked, and his next one for her.
  expect(await briefly(robot)).toEqual(['comment: 1900'])
  const thanks = await comment(robot, one, 'Thank you')
  expect(await briefly(robot)).toEqual([])
  expect(await briefly(anna)).toEqual(['comment: Thank you'])
  await robot.call('comments_update', { comments: [{ commentId: thanks, resolved: true }] })
  expect(await briefly(anna)).toEqual([])
})

test('comments on what the member wrote wait, and a mention in code or of another member does not', async () => {
  const { full, anna, robot, mention } = await opened()
  const own = await documentOf(anna, 'mine')
  const { mine = '' } = await idsOf(full, own)
  await comment(robot, mine, `${mention('Robot')} says: good`)
  expect(await briefly(anna)).toEqual(['comment: @Robot says: good'])
  expect(await briefly(robot)).toEqual([])
})

test('texts, titles and cells that name the member wait until the member writes there', async () => {
  const { full, anna, robot, mention } = await opened()
  const document = await documentOf(robot, `Ask ${mention('Anna')} today.\n\nother`)
  const block = Object.entries(await idsOf(full, document)).find(([text]) => text.startsWith('Ask'))?.[1] ?? ''
  const { items } = await robot.call('documents_add', { documents: [{ title: 'For' }] })
  const url = mention('Anna').match(/person:[^)]*/)?.[0]
  const title = { value: 'For @Anna', attributes: [{ type: 'link', start: 4, end: 9, url }] }
  await robot.call('blocks_update', { blocks: [{ id: items[0].id, title }] })
  await documentOf(robot, `\`${mention('Anna')}\``)
  const position = { position: 'end', pageId: document }
  const properties = [{ name: 'Note', type: 'text' }]
  const { collectionBlockId: collectionId } = await robot.call('collections_add', {
    schema: { name: 'Jobs', properties },
    position,
  })
  const added = await robot.call('items_add', {
    collectionId,
    items: [{ title: 'Job', properties: { note: `see ${mention('Anna')}` } }],
  })
  expect((await briefly(anna)).sort()).toEqual([
    'mention: Ask @Anna today.',
    'mention: For @Anna',
    'mention: see @Anna',
  ])
  // Somebody else's change leaves it waiting; her own change, or a comment, answers.
  full.clock.now += 1_000
  await anna.call('blocks_update', { blocks: [{ id: block, markdown: `Ask ${mention('Anna')} tomorrow.` }] })
  await comment(anna, items[0].id, 'Seen')
  await comment(anna, added.items[0].id, 'Seen')
  expect(await briefly(anna)).toEqual([])
  full.clock.now += 1_000
  await robot.call('blocks_update', { blocks: [{ id: block, markdown: `Ask ${mention('Anna')} at once.` }] })
  expect(await briefly(anna)).toEqual(['mention: Ask @Anna at once.'])
})

test('proposals wait for people who may decide, and claims are shown to who holds them', async () => {
  const { full, anna, robot, linked } = await opened()
  const proposer = await linked('Proposer', { access: 'propose' })
  const document = await documentOf(full, 'one')
  await proposer.call('blocks_add', { markdown: 'two', position: { position: 'end', pageId: document } })
  expect((await forMe(anna)).items).toMatchObject([
    { kind: 'proposal', text: '"Document": 1 block added', author: 'Proposer', documentId: document },
  ])
  expect([await briefly(robot), await briefly(proposer)]).toEqual([[], []])
  await full.call('tasks_add', { tasks: [{ markdown: 'Dig' }] })
  await robot.call('items_claim', { scope: 'inbox' })
  expect(await briefly(robot)).toEqual(['claim: Dig (read)'])
  expect((await forMe(robot)).unread).toBe(0)
})

test('what names a group of the member, or is given to it, waits for each of its members', async () => {
  const { full, anna, robot } = await opened()
  await full.space.write(OPERATOR_LINK, (view) => addGroup(view, 'Reviewers', { add: ['Anna'] }))
  const { members } = await full.call('connection_get')
  const group = members.find(({ name }: { name: string }) => name === 'Reviewers').id
  await robot.call('tasks_add', { tasks: [{ markdown: 'Dig', taskInfo: { assignee: 'Reviewers' } }] })
  await documentOf(robot, `Ask [@Reviewers](person://${group}).`)
  expect((await briefly(anna)).sort()).toEqual(['mention: Ask @Reviewers.', 'task: Dig'])
  expect(await briefly(robot)).toEqual([])
})

test('what is out of reach or in the trash does not wait', async () => {
  const { full, linked, mention } = await opened()
  const [shown, hidden] = [await documentOf(full, 'shown'), await documentOf(full, 'hidden')]
  const guest = await linked('Guest', { kind: 'selected', documents: [shown] })
  const { members } = await full.call('connection_get')
  const name = members.find((one: { name: string }) => one.name === 'Guest')
  const named = `[@Guest](person://${name.id})`
  for (const document of [shown, hidden]) {
    const [id = ''] = Object.values(await idsOf(full, document))
    await comment(full, id, `${named} in ${document}, ${mention('Anna')}`)
    await full.call('blocks_add', { markdown: `- [ ] ${named} task`, position: { position: 'end', pageId: document } })
  }
  const { items } = await forMe(guest)
  expect(new Set(items.map(({ documentId }) => documentId))).toEqual(new Set([shown]))
  expect(items.map(({ text }) => text).sort()).toEqual(['@Guest task', `@Guest in ${shown}, @Anna`].sort())
  await full.call('documents_delete', { documentIds: [shown] })
  expect(await briefly(guest)).toEqual([])
})

test('read marks belong to the member, and end when it is about something new', async () => {
  const { full, anna, robot } = await opened()
  const tasks = ['Dig', 'Sow'].map((markdown) => ({ markdown, taskInfo: { assignee: 'Anna' } }))
  const { items } = await robot.call('tasks_add', { tasks })
  const [dig, sow] = items.map(({ id }: { id: string }) => id)
  expect(await anna.rest('for_me_update', { ids: [dig] })).toEqual({ unread: 1 })
  expect(await briefly(await anna.again())).toEqual(['task: Sow', 'task: Dig (read)'])
  full.clock.now += 1_000
  await robot.call('tasks_update', { tasksToUpdate: [{ id: dig, markdown: 'Dig deeper' }] })
  expect(await briefly(anna)).toEqual(['task: Dig deeper', 'task: Sow'])
  expect(await anna.rest('for_me_update', {})).toEqual({ unread: 0 })
  expect(await anna.rest('for_me_update', { ids: [sow], read: false })).toEqual({ unread: 1 })
  // Marks of what no longer waits are forgotten.
  await anna.call('tasks_update', { tasksToUpdate: [{ id: dig, taskInfo: { state: 'done' } }] })
  await anna.rest('for_me_update', { ids: [sow] })
  await anna.call('tasks_update', { tasksToUpdate: [{ id: dig, taskInfo: { state: 'todo' } }] })
  expect((await briefly(anna)).sort()).toEqual(['task: Dig deeper', 'task: Sow (read)'])
})

test('an answer is bounded, and says how many were left off', async () => {
  const { anna, robot } = await opened()
  const count = FOR_ME_PER_CONNECTION + 5
  const tasks = Array.from({ length: count }, (_, at) => ({ markdown: `Dig ${at}`, taskInfo: { assignee: 'Anna' } }))
  await robot.call('tasks_add', { tasks })
  const { items, unread, more } = await forMe(anna)
  expect([items.length, unread, more]).toEqual([FOR_ME_PER_CONNECTION, count, 5])
  expect((await anna.rest<ForMe>('for_me_list', {})).items).toHaveLength(count)
})

test('the number of statements does not grow with what waits', async () => {
  // A client of 2026 watches for changes and polls at arbitrary times, so these are of 2025.
  const { full, anna, robot, linked } = await opened('2025')
  const proposer = await linked('Proposer', { access: 'propose' })
  const document = await documentOf(full, 'one')
  const [block = ''] = Object.values(await idsOf(anna, document))
  const counter = countStatements()
  const counts: number[] = []
  for (const rows of [2, 3, 20]) {
    const texts = Array.from({ length: rows }, (_, at) => `${rows} ${at}`)
    await robot.call('tasks_add', { tasks: texts.map((markdown) => ({ markdown, taskInfo: { assignee: 'Anna' } })) })
    await robot.call('comments_add', { comments: texts.map((content) => ({ blockId: block, content })) })
    for (const markdown of texts.slice(0, 8)) {
      await proposer.call('blocks_add', { markdown, position: { position: 'end', pageId: document } })
    }
    for (const [tool, args] of [['for_me_list'], ['for_me_update', {}]] as const) {
      counter.reset()
      await anna.rest(tool, args ?? {})
      counts.push(counter.count)
    }
  }
  expect(counts.slice(4)).toEqual(counts.slice(2, 4))
  // Three of them give the entry of the log its hashes.
  expect(Math.max(...counts.slice(2))).toBeLessThanOrEqual(18)
})

test('a daily line is written once a day for a person who wants one, in their name, and is a call of its own', async () => {
  const { full, anna, robot } = await opened()
  const listen = async () => {
    const listening = full.space.watch(() => {}, { includesFeed: true })
    await listening.ready
    await listening.stop()
  }
  const linesOf = async (date: string): Promise<string[]> =>
    (await full.call('blocks_get', { date })).content?.map(({ markdown }: { markdown: string }) => markdown) ?? []
  const tasks = ['Dig', 'Sow'].map((markdown) => ({ markdown, taskInfo: { assignee: 'Anna' } }))
  await robot.call('tasks_add', { tasks })
  full.clock.now = Date.parse('2026-11-21T09:00:00Z')
  await listen()
  expect((await full.call('history_list', { format: 'json', limit: 1 })).items[0].tool).toBe('tasks_add')
  await anna.rest('for_me_update', { dailyLine: true })
  full.clock.now = Date.parse('2026-11-21T22:59:59Z')
  await listen()
  // Midnight in Budapest.
  full.clock.now = Date.parse('2026-11-21T23:00:00Z')
  for (const _ of [1, 2]) await listen()
  expect(await linesOf('2026-11-22')).toEqual(['For Anna: 2 tasks.'])
  const calls = (await full.call('history_list', { format: 'json' })).items
  expect(calls.map(({ author, tool }: Record<string, string>) => `${author} ${tool}`)).toEqual([
    'Anna daily_line',
    'Robot tasks_add',
  ])
  // It is hers, and calls no one.
  expect((await briefly(anna)).sort()).toEqual(['task: Dig', 'task: Sow'])
  expect(await anna.rest<{ dailyLine: boolean }>('for_me_list', {})).toMatchObject({ dailyLine: true })
  await anna.rest('for_me_update', {})
  full.clock.now = Date.parse('2026-11-23T09:00:00Z')
  await listen()
  await anna.rest('for_me_update', { dailyLine: false })
  await robot.call('tasks_add', { tasks })
  full.clock.now = Date.parse('2026-11-24T09:00:00Z')
  await listen()
  expect(await full.call('documents_list', { location: 'daily_notes' })).toMatchObject({
    items: [{ title: expect.any(String) }],
  })
  await expect(robot.rest('for_me_update', { dailyLine: true })).rejects.toThrow(
    'Expected a person, who can have a line in the daily note, found a connection that is none; leave dailyLine out.',
  )
})

test('a connection that is no member has nothing', async () => {
  const { full } = await opened()
  expect(await forMe(full)).toEqual({ items: [], unread: 0 })
})
