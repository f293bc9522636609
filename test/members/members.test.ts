/** Members: who is one, how they are named, and which of them a connection knows. */
import { expect, test } from 'vitest'
import {
  addAccessLink,
  getActiveLink,
  type NewAccessLink,
  revokeAccessLink,
} from '../../src/auth/access-links/access-links.ts'
import { pageLinkOf } from '../../src/auth/browser-sessions/session-link.ts'
import { updateMember } from '../../src/space/members/update-member.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

const NEW: NewAccessLink = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Owner' }

/** A space with a connection that knows all members. */
async function opened() {
  const full = await connect()
  const write = <T>(work: (view: Space) => Promise<T>) => full.space.write(OPERATOR_LINK, work)
  const names = async (connected = full) =>
    (await connected.call('connection_get')).members.map(({ name }: { name: string }) => name)
  /** Adds a link, and connects with it. */
  const linked = async (name: string, more: Partial<NewAccessLink> = {}) => {
    const { info } = await write((view) => addAccessLink(view, { ...NEW, name, ...more }))
    const link = (await full.space.read(OPERATOR_LINK, (view) => getActiveLink(view, info.id))) as AccessLink
    return { info, ...(await connect(link.kind, { to: full, documents: more.documents ?? [], caller: { link } })) }
  }
  return { full, write, names, linked }
}

test('participants, and links of programs, are members until they are removed or expire', async () => {
  const { full, write, names, linked } = await opened()
  expect(await names()).toEqual(['Owner'])
  const anna = await write((view) => addParticipant(view, 'Anna', { handle: '@Anna', picture: '🦊' }))
  // With this link she uses the pages: what it writes is hers.
  await write((view) => pageLinkOf(view, anna.id))
  const researcher = await linked('researcher', { handle: 'researcher' })
  await linked('visitor', { expiresAt: full.clock.now + 1_000 })
  const { members } = await full.call('connection_get')
  const id = expect.stringMatching(/^\d{12}$/)
  expect(members).toEqual([
    { id, kind: 'person', name: 'Anna', handle: 'anna', picture: '🦊' },
    { id, kind: 'person', name: 'Owner' },
    { id, kind: 'agent', name: 'researcher', handle: 'researcher' },
    { id, kind: 'agent', name: 'visitor' },
  ])
  expect(new Set(members.map(({ id }: { id: string }) => id)).size).toBe(4)
  expect((await researcher.call('connection_get')).link.memberId).toBe(members[2].id)

  full.clock.now += 1_000
  await write((view) => revokeAccessLink(view, researcher.info.id))
  await write((view) => removeParticipant(view, 'Anna'))
  expect(await names()).toEqual(['Owner'])
  // A handle of somebody who was removed can be given again, and a name as well.
  await write((view) => addParticipant(view, 'Anna', { handle: 'researcher' }))
  expect((await full.call('connection_get')).members[0]).toMatchObject({ name: 'Anna', handle: 'researcher' })
})

test('the name, the handle and the picture can be changed, and no two have the same handle', async () => {
  const { full, write, linked } = await opened()
  await write((view) => addParticipant(view, 'Anna', { handle: 'anna' }))
  await linked('bot')
  await linked('bot')
  const update = (reference: string, change: Parameters<typeof updateMember>[2]) =>
    write((view) => updateMember(view, reference, change))
  await update('@anna', { name: 'Anna B.', picture: 'AB' })
  const { members } = await full.call('connection_get')
  expect(members[0]).toMatchObject({ name: 'Anna B.', handle: 'anna', picture: 'AB' })
  await expect(update('bot', { handle: 'x' })).rejects.toThrow(
    `Expected one member, found 2 with the name bot; name one by its ID: ${members[1].id}, ${members[2].id}.`,
  )
  await update(members[1].id, { name: 'Scout' })
  expect((await full.call('connection_get')).members.map(({ name }: { name: string }) => name)).toEqual([
    ...['Anna B.', 'bot', 'Owner', 'Scout'],
  ])
  const refusals: [Parameters<typeof updateMember>[2], string][] = [
    [{ handle: 'ANNA' }, 'Expected a handle that no member has, found @anna, which is that of Anna B..'],
    [
      { handle: 'two words' },
      'Expected a handle of 1 to 30 letters, digits, - and _ that begins with a letter or digit, found "two words".',
    ],
    [{ picture: 'long' }, 'Expected an emoji, or up to 3 letters, as the picture, found "long".'],
    [{ name: ' ' }, 'Expected the name of a link, found none; give it.'],
  ]
  for (const [change, refusal] of refusals) await expect(update('Scout', change)).rejects.toThrow(refusal)
  await expect(update('Owner', { name: 'Anna B.' })).rejects.toThrow('Expected a name that no participant has')
  await expect(update('@nobody', {})).rejects.toThrow(
    'Expected a member by ID, @handle or name, found "@nobody"; scriptorium members list shows them.',
  )
  await update('@anna', { handle: null, picture: null })
  const [cleared] = (await full.call('connection_get')).members
  expect([cleared.name, cleared.handle, cleared.picture]).toEqual(['Anna B.', undefined, undefined])
})

test('a narrow link knows those who wrote or commented within its reach, and itself', async () => {
  const { full, write, names, linked } = await opened()
  await write((view) => addParticipant(view, 'Anna'))
  const [writer, commenter, away] = [await linked('writer'), await linked('commenter'), await linked('away')]
  const shown = await documentOf(writer, 'shown words')
  const hidden = await documentOf(away, 'hidden words')
  await commenter.call('comments_add', { comments: [{ blockId: shown, content: 'Yes.' }] })
  const guest = await linked('guest', { kind: 'selected', documents: [shown] })
  expect(await names(guest)).toEqual(['commenter', 'guest', 'writer'])
  expect(await names(await linked('diary', { kind: 'daily' }))).toEqual(['diary'])
  await full.call('documents_delete', { documentIds: [shown] })
  expect(await names(guest)).toEqual(['guest'])
  const other = await linked('other guest', { kind: 'selected', documents: [hidden] })
  expect(await names(other)).toEqual(['away', 'other guest'])
  expect(await names()).toEqual([...['Anna', 'away', 'commenter', 'diary', 'guest', 'other guest', 'Owner', 'writer']])
})

test('a space with many members tells the first hundred, and how many more there are', async () => {
  const { full, write } = await opened()
  await write(async (view) => {
    for (let n = 0; n < 120; n++) await addAccessLink(view, { ...NEW, name: `agent ${String(n).padStart(3, '0')}` })
  })
  const { members, moreMembers } = await full.call('connection_get')
  expect([members.length, moreMembers, members[99].name]).toEqual([100, 21, 'agent 099'])
})
