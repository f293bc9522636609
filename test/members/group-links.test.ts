/** Links that are given to a group: each person in it has one of their own, as long as they are in it. */
import { expect, test } from 'vitest'
import {
  addAccessLink,
  allowEvents,
  authenticateAccessLink,
  exposeDocuments,
  listAccessLinkInfos,
  pauseAccessLink,
  revokeAccessLink,
} from '../../src/auth/access-links/access-links.ts'
import { addGroupLink, giveToNewcomers, type PersonalLink } from '../../src/auth/access-links/group-links.ts'
import { addGroup, removeGroup, updateGroup } from '../../src/space/members/groups.ts'
import { updateMember } from '../../src/space/members/update-member.ts'
import { OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../src/space/participants/participants.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { brokenLaws } from '../sound.ts'

/** Two documents, the first of which is given to the group Clients of Anna, Bob and an agent. */
async function opened() {
  const full = await connect()
  const read = <T>(work: (view: Space) => Promise<T>) => full.space.read(OPERATOR_LINK, work)
  const write = async <T>(work: (view: Space) => Promise<T>) => {
    const done = await full.space.write(OPERATOR_LINK, work)
    expect(await read(({ tx }) => brokenLaws(tx))).toEqual([])
    return done
  }
  const [shown, hidden] = [await documentOf(full, 'shown words'), await documentOf(full, 'hidden words')]
  const { given, people } = await write(async (view) => {
    for (const name of ['Anna', 'Bob', 'Carl']) await addParticipant(view, name)
    const agent = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Anna' } as const
    await addAccessLink(view, { ...agent, name: 'robo' })
    await addGroup(view, 'Clients', { add: ['Anna', 'Bob', 'robo'] })
    const link = { kind: 'selected', access: 'no-delete', documents: [shown], isBearer: false } as const
    const { info, people } = await addGroupLink(view, { ...link, group: 'Clients' })
    return { given: info, people }
  })
  /** The link that an address opens. */
  const open = ({ secret }: PersonalLink) => read((view) => authenticateAccessLink(view, secret, undefined))
  const change = (add: string[], remove: string[] = []) =>
    write(async (view) => {
      const { id } = await updateGroup(view, 'Clients', { add, remove })
      return giveToNewcomers(view, id)
    })
  const linkOf = async (one: PersonalLink) => {
    const link = await open(one)
    return connect('selected', { to: full, documents: [shown], caller: { link } })
  }
  const [anna, bob] = people as [PersonalLink, PersonalLink]
  return { full, read, write, open, change, linkOf, given, people, anna, bob, shown, hidden }
}

const REFUSED = 'found an invalid, revoked or expired one'

test('each person in a group reaches what is given to it, under their own name', async () => {
  const { full, read, given, people, anna, bob, linkOf, shown, hidden } = await opened()
  expect(people.map(({ info }) => [info.name, info.participant, info.group, info.givenWith])).toEqual(
    ['Anna', 'Bob'].map((name) => [name, name, 'Clients', given.id]),
  )
  expect(anna.secret).not.toBe(bob.secret)
  const connected = await linkOf(anna)
  expect(await connected.call('blocks_get', { id: shown, format: 'markdown' })).toContain('shown words')
  expect(await connected.refused('blocks_get', { id: hidden })).toContain('Expected')
  expect((await connected.call('connection_get')).link).toMatchObject({ name: 'Anna', access: 'no-delete' })
  await connected.call('blocks_add', {
    blocks: [{ type: 'text', markdown: 'Anna was here' }],
    position: { position: 'end', pageId: shown },
  })
  // She is one member, as a participant and with this link.
  const { link, members } = await connected.call('connection_get')
  const own = members.filter(({ name }: { name: string }) => name === 'Anna')
  expect(own.map(({ id, kind }: { id: string; kind: string }) => [id, kind])).toEqual([[link.memberId, 'person']])
  expect((await full.call('history_list', { limit: 1 })).items[0].author).toBe('Anna')
  // No one opens the link of the group itself, and it is no member.
  const links = await read(listAccessLinkInfos)
  expect(links.find(({ id }) => id === given.id)).toMatchObject({ group: 'Clients', name: 'Clients' })
  expect((await full.call('connection_get')).members.map(({ name }: { name: string }) => name)).toEqual([
    ...['Anna', 'Bob', 'Carl', 'Clients', 'Owner', 'robo'],
  ])
})

test('who leaves the group reaches it no more, at once, and who joins it does', async () => {
  const { change, open, anna, bob, write } = await opened()
  expect(await change([], ['Anna'])).toEqual([])
  await expect(open(anna)).rejects.toThrow(REFUSED)
  expect((await open(bob)).author).toBe('Bob')
  const [again, carl, ...others] = await change(['Anna', 'Carl', 'Bob'])
  expect(others).toEqual([])
  expect([(await open(again as PersonalLink)).author, (await open(carl as PersonalLink)).author]).toEqual([
    ...['Anna', 'Carl'],
  ])
  await expect(open(anna)).rejects.toThrow(REFUSED)
  await write((view) => removeParticipant(view, 'Carl'))
  await expect(open(carl as PersonalLink)).rejects.toThrow(REFUSED)
  await write((view) => removeGroup(view, 'Clients'))
  for (const one of [again, bob]) await expect(open(one as PersonalLink)).rejects.toThrow(REFUSED)
})

test('what becomes of the link of the group becomes of those of its people', async () => {
  const { given, anna, bob, open, write, change, linkOf, shown, hidden } = await opened()
  await write((view) => exposeDocuments(view, given.id, [hidden]))
  const connected = await linkOf(anna)
  expect(await connected.call('blocks_get', { id: hidden, format: 'markdown' })).toContain('hidden words')
  expect(await connected.refused('blocks_get', { id: shown })).toContain('Expected')
  await expect(write((view) => exposeDocuments(view, anna.info.id, [shown]))).rejects.toThrow(
    `Expected a link with documents of its own, found ${anna.info.id}, which has those of a link that is given to a group; expose them on that one.`,
  )
  await write((view) => allowEvents(view, given.id, false))
  await write((view) => pauseAccessLink(view, given.id))
  const [carl] = await change(['Carl'])
  expect([carl?.info.documents, carl?.info.noEvents, carl?.info.pausedAt !== undefined]).toEqual([[hidden], true, true])
  await write((view) => updateMember(view, 'Anna', { name: 'Anna B.' }))
  expect((await open(anna)).author).toBe('Anna B.')
  await write((view) => revokeAccessLink(view, anna.info.id))
  await expect(open(anna)).rejects.toThrow(REFUSED)
  expect((await open(bob)).author).toBe('Bob')
  await write((view) => revokeAccessLink(view, given.id))
  await expect(open(bob)).rejects.toThrow(REFUSED)
  expect(await change(['Anna B.'], [])).toEqual([])
})
