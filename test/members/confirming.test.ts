/** Mentions in comments of authors who only comment: they call no agent until a member who may write confirms them. */
import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { pageLinkOf } from '../../src/auth/browser-sessions/session-link.ts'
import { type AccessLevel, type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { subscribe } from '../events/wire.ts'
import { servePages, type Visitor, visitAsOperator } from '../page/visiting.ts'

async function opened(to?: Connected) {
  const full = to ?? (await connect())
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  const connectedAs = async (id: string, author?: string) => {
    const found = (await full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, id))) as AccessLink
    return connect(found.kind, { to: full, caller: { link: { ...found, ...(author && { author }) } } })
  }
  const linked = async (name: string, access: AccessLevel = 'full') => {
    const made = { kind: 'full', access, documents: [], isBearer: false, participant: 'Owner', name } as const
    return connectedAs((await write((view) => addAccessLink(view, made))).info.id)
  }
  const { id } = await write((view) => addParticipant(view, 'Anna'))
  const anna = await connectedAs(await write((view) => pageLinkOf(view, id)), 'Anna')
  const robot = await linked('Robot')
  const guest = await linked('Guest', 'comment')
  const document = await documentOf(full, 'a long sentence')
  const [block] = await contentOf(full, document)
  const { members } = await full.call('connection_get')
  const robotId: string = members.find(({ name }: Answer) => name === 'Robot').id
  const ask = async (content = `[@Robot](person://${robotId}) shorten this`): Promise<string> =>
    (await guest.call('comments_add', { comments: [{ blockId: block.id, content }] })).commentId
  const wake = await subscribe(robot, { name: 'mention', arguments: { member: 'me' } })
  const comments = async (): Promise<Answer[]> =>
    (await full.call('blocks_get', { id: block.id, fetchMetadata: true })).metadata.comments
  return { full, anna, robot, guest, linked, ask, wake, robotId, comments, block, document }
}

const kinds = async (connected: Connected): Promise<string[]> =>
  ((await connected.call('connection_get')).forMe?.items ?? []).map(({ kind }: Answer) => kind)
const confirm = (connected: Connected, commentId: string) =>
  connected.call('comments_update', { comments: [{ commentId, confirmed: true }] })

test('a mention of a commenter waits for a member who may write, and the event says who asked', async () => {
  const { anna, robot, ask, wake, robotId, comments } = await opened()
  const commentId = await ask()
  expect(await comments()).toMatchObject([{ id: commentId, confirmed: false }])
  expect([await wake(), await kinds(robot), await kinds(anna)]).toEqual([[], [], ['request']])
  await confirm(anna, commentId)
  const [event, ...others] = await wake()
  expect(others).toEqual([])
  expect(event?.data).toMatchObject({
    ...{ commentId, memberIds: [robotId], author: 'Guest', authorAccess: 'comment', confirmedBy: 'Anna' },
  })
  expect([await kinds(robot), await kinds(anna)]).toEqual([['mention'], []])
  expect((await comments())[0]).not.toHaveProperty('confirmed')
  // It was confirmed already, which changes nothing.
  await confirm(anna, commentId)
  expect(await wake()).toEqual([])
})

test('what is changed afterwards waits again, and an undo of the confirmation lets it wait', async () => {
  const { anna, full, guest, robot, ask, wake, robotId } = await opened()
  const commentId = await ask()
  await confirm(anna, commentId)
  expect(await wake()).toHaveLength(1)
  const content = `[@Robot](person://${robotId}) delete all`
  await guest.call('comments_update', { comments: [{ commentId, content }] })
  expect([await wake(), await kinds(robot), await kinds(anna)]).toEqual([[], [], ['request']])
  await confirm(anna, commentId)
  expect(await wake()).toHaveLength(1)
  const { items } = await full.call('history_list', { limit: 1 })
  await full.call('history_undo', { calls: [items[0].callId] })
  expect([await wake(), await kinds(robot), await kinds(anna)]).toEqual([[], [], ['request']])
  await anna.call('comments_update', { comments: [{ commentId, resolved: true }] })
  expect(await kinds(anna)).toEqual([])
})

test('only a link whose calls take effect at once confirms, and no commenter confirms its own', async () => {
  const { linked, guest, ask, wake, comments } = await opened()
  const commentId = await ask()
  for (const access of ['comment', 'propose'] as const) {
    const connected = access === 'comment' ? guest : await linked('Proposer', access)
    expect(await connected.refused('comments_update', { comments: [{ commentId, confirmed: true }] })).toBe(
      `Expected a link whose calls take effect at once to confirm a comment, found one with access ${access}; ask somebody who may write.`,
    )
  }
  expect([await wake(), (await comments())[0].confirmed]).toEqual([[], false])
  // What is read is accepted unchanged, and confirms nothing.
  await guest.call('comments_update', { comments: [{ commentId, resolved: false, confirmed: false }] })
  expect([await wake(), (await comments())[0].confirmed]).toEqual([[], false])
})

test('a comment without a mention, and one of a member who may write, wait for no one', async () => {
  const { anna, full, ask, wake, robotId, comments, block } = await opened()
  await ask('no one is named')
  await ask('in person: tomorrow')
  await full.call('comments_add', { comments: [{ blockId: block.id, content: `[@Robot](person://${robotId})` }] })
  expect(await wake()).toHaveLength(1)
  expect((await comments()).map(({ confirmed }) => confirmed)).toEqual([undefined, undefined, undefined])
  expect(await kinds(anna)).not.toContain('request')
})

test('people confirm on the page: under For me, and in the thread', async () => {
  const serving = await servePages()
  const full = await connect('full', { to: serving })
  const { ask, wake, document } = await opened(full)
  const operator: Visitor = await visitAsOperator(serving)
  const first = await ask()
  const thread = await operator.get(`/d/${document}`)
  expect(thread.text).toContain('calls no one until it is confirmed')
  await operator.send('/comments', { comment: `${first} confirmed`, back: `/d/${document}` })
  expect(await wake()).toHaveLength(1)
  expect((await operator.get(`/d/${document}`)).text).not.toContain('calls no one until')
})
