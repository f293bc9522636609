/** Who is removed has open work: it is given to somebody else, or stays with the name, but never without a decision. */
import { expect, test } from 'vitest'
import { addAccessLink, getActiveLink } from '../../src/auth/access-links/access-links.ts'
import { endLink, endParticipant, logGivenWork } from '../../src/auth/access-links/ended-members.ts'
import { addGroup } from '../../src/space/members/groups.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../../src/space/model/space.ts'
import type { WorkDecision } from '../../src/space/open-work/give-work.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { collectionOf } from '../collection.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'
import { brokenLaws } from '../sound.ts'

/** Anna and an agent have one of each kind of open work, and work that is closed. Bob is there to get it. */
async function opened() {
  const full = await connect()
  const { call, space } = full
  const write = <T>(work: (view: Space) => Promise<T>) => space.write(OPERATOR_LINK, work)
  const robo = await write(async (view) => {
    for (const name of ['Anna', 'Bob']) await addParticipant(view, name)
    await addGroup(view, 'Team', { add: ['Anna', 'Bob'] })
    const input = { kind: 'full', access: 'full', documents: [], isBearer: false, participant: 'Anna' } as const
    return (await addAccessLink(view, { ...input, name: 'robo' })).info
  })
  const link = (await space.read(OPERATOR_LINK, (view) => getActiveLink(view, robo.id))) as AccessLink
  const agent = await connect('full', { to: full, caller: { link } })
  const { members } = await call('connection_get')
  const idOf = (name: string): string => members.find((one: Answer) => one.name === name).id
  const mention = (name: string) => `[@${name}](person://${idOf(name)})`
  const collectionId = await collectionOf(full, [
    { name: 'Who', type: 'person' },
    { name: 'Done', type: 'boolean' },
    { name: 'Needs', type: 'relation', config: { dependsOn: true } },
  ])
  const { items } = await call('tasks_add', {
    tasks: [
      { markdown: 'Dig', taskInfo: { assignee: 'Anna' } },
      { markdown: 'Sow', taskInfo: { assignee: 'Anna', state: 'done' } },
      { markdown: 'Rest', taskInfo: { assignee: 'Team' } },
      { markdown: 'Fly', taskInfo: { assignee: 'robo' } },
    ],
  })
  const [dig, sow, rest, fly] = items.map(({ id }: { id: string }) => id)
  await call('items_add', {
    collectionId,
    items: [
      { title: 'a', properties: { who: ['Anna', 'Bob'] } },
      { title: 'b', properties: { who: ['Bob', 'robo', 'Anna'] } },
      { title: 'c', properties: { who: ['Anna'], done: true } },
    ],
  })
  const document = await documentOf(full, `Ask ${mention('Anna')}\n\nplain`)
  const { plain } = await idsOf(full, document)
  await call('comments_add', { comments: [{ blockId: plain, content: `And ${mention('Anna')}?` }] })
  await agent.call('items_claim', { scope: 'inbox', count: 1, set: { scheduleDate: '2030-01-01' } })
  const whoOf = async (id: string) => (await call('blocks_get', { id })).taskInfo.assignee?.name
  const values = async () =>
    (await call('items_list', { collectionId })).items.map(({ properties }: Answer) =>
      properties.who.map(({ name }: Answer) => name),
    )
  const comments = async () => {
    const { content } = await call('blocks_get', { id: document, fetchMetadata: true })
    return content.map(({ metadata }: Answer) => (metadata.comments ?? []).map((one: Answer) => one.content))
  }
  const endAnna = (decision: WorkDecision) =>
    write(async (view) => {
      const { ended, given } = await endParticipant(view, 'Anna', decision)
      return logGivenWork(view, 'participants_remove', ended.id, given, {})
    })
  const endRobo = (decision: WorkDecision) => write(async (view) => endLink(view, robo.id, decision))
  return { full, call, write, idOf, mention, whoOf, values, comments, endAnna, endRobo, dig, sow, rest, fly }
}

test('without a decision, it is refused with what is open, and nothing is changed', async () => {
  const { endAnna, endRobo, whoOf, dig, call } = await opened()
  await expect(endAnna({})).rejects.toThrow(
    'Expected what becomes of the open work of Anna, found 1 open task, 2 values of items and 2 unanswered mentions; give it to another member or leave it with the name.',
  )
  await expect(endRobo({})).rejects.toThrow('found 1 open task, 1 value of an item and 1 claim;')
  await expect(endAnna({ giveTo: 'Bob', keepsWork: true })).rejects.toThrow('found both; choose one.')
  await expect(endAnna({ giveTo: 'Anna' })).rejects.toThrow('Expected another member than Anna to get the open work')
  await expect(endAnna({ giveTo: '@nobody' })).rejects.toThrow('scriptorium members list shows them.')
  expect(await whoOf(dig)).toBe('Anna')
  expect((await call('connection_get')).members.map(({ name }: Answer) => name)).toContain('Anna')
})

test('what is given is one call, which names who has it now and can be undone', async () => {
  const { endAnna, whoOf, values, comments, mention, call, dig, sow, rest, write } = await opened()
  const note = await endAnna({ giveTo: 'Bob' })
  expect(note).toMatch(
    /^Bob has 1 open task, 2 values of items and 2 unanswered mentions now; scriptorium undo --call \d{12} takes that back\.$/,
  )
  // What is done, and what is the group's, stays.
  expect([await whoOf(dig), await whoOf(sow), await whoOf(rest)]).toEqual(['Bob', 'Anna', 'Team'])
  expect(await values()).toEqual([['Bob'], ['Bob', 'robo'], ['Anna']])
  const passed = `${mention('Bob')}: this was for Anna, who left.`
  expect(await comments()).toEqual([[passed], [`And ${mention('Anna')}?`, passed]])
  const [{ callId, author, tool }] = (await call('history_list', { limit: 1 })).items
  expect([author, tool]).toEqual(['scriptorium', 'participants_remove'])
  await call('history_undo', { calls: [callId] })
  expect(await whoOf(dig)).toBe('Anna')
  expect(await values()).toEqual([['Anna', 'Bob'], ['Bob', 'robo', 'Anna'], ['Anna']])
  expect(await comments()).toEqual([[], [`And ${mention('Anna')}?`]])
  expect(await write(({ tx }) => brokenLaws(tx))).toEqual([])
})

test('a claim of a link ends when its work is given, and what it wrote returns', async () => {
  const { endRobo, whoOf, values, call, fly, dig } = await opened()
  expect((await call('blocks_get', { id: dig })).taskInfo.scheduleDate).toBe('2030-01-01')
  const { given } = await endRobo({ giveTo: 'Team' })
  expect(given).toEqual({ to: 'Team', work: '1 open task, 1 value of an item and 1 claim' })
  expect(await whoOf(fly)).toBe('Team')
  expect(await values()).toEqual([['Anna', 'Bob'], ['Bob', 'Team', 'Anna'], ['Anna']])
  expect((await call('blocks_get', { id: dig })).taskInfo.scheduleDate).toBeUndefined()
})

test('what is kept stays with the name, and who has nothing to do is removed without a question', async () => {
  const { endAnna, endRobo, whoOf, values, dig, write } = await opened()
  expect(await endAnna({ keepsWork: true })).toBeUndefined()
  expect(await whoOf(dig)).toBe('Anna')
  expect((await values())[0]).toEqual(['Anna', 'Bob'])
  await endRobo({ giveTo: 'Owner' })
  await write((view) => addParticipant(view, 'Carl'))
  await write((view) => endParticipant(view, 'Carl', {}))
})
