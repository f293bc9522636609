/** Proposals in the feed: their creation and their outcome. */
import { expect, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { agreement } from '../call/serve-proposals.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'
import { cursorNow, readAll, withoutCursors } from './reading-feed.ts'

async function serveProposals() {
  const serving = await serveBuilt()
  const [person, owner] = [await serving.link({ name: 'Anna' }), await serving.link({ name: 'Owner' })]
  const agent = await serving.link({ name: 'Robot', access: 'propose' })
  const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Plan' }, { title: 'Other' }] })
  const [plan, other] = json.items.map(({ id }: { id: string }) => id) as [string, string]
  const propose = async (pageId = plan, by: TestLink = agent): Promise<string> => {
    const position = { position: 'end', pageId }
    const response = await by.ask('POST /blocks?ids=short', { markdown: 'A line.', position })
    return response.json.proposal.proposalId
  }
  return { ...serving, person, owner, agent, plan, other, propose }
}

test('a waiting proposal is an event for deciders and the proposer, and so is its decision, after its call', async () => {
  const { person, owner, agent, plan, propose } = await serveProposals()
  const [cursor, own] = [await cursorNow(owner.ask), await cursorNow(agent.ask)]
  const id = await propose()
  const agreed = await agreement(person, id)
  const { callId } = (await person.ask(`POST /proposals/${id}/approve?ids=short`, agreed)).json
  const proposed = {
    at: expect.any(String),
    proposalId: id,
    author: 'Robot',
    linkId: expect.any(String),
    tool: 'blocks_add',
    summary: '"Plan": 1 block added',
    documents: [{ documentId: plan, title: 'Plan' }],
  }
  const response = withoutCursors(await readAll(owner.ask, cursor))
  expect(response).toEqual([
    { type: 'proposal.waiting', ...proposed },
    expect.objectContaining({ type: 'call.committed', callId, author: 'Robot', approvedBy: 'Anna' }),
    { type: 'proposal.decided', ...proposed, state: 'approved', decidedBy: 'Anna', callId },
  ])
  expect(withoutCursors(await readAll(agent.ask, own))).toEqual(response)
})

test('a proposal that is rejected, or ends with its link, has that state', async () => {
  const { person, owner, agent, plan, propose, space, link } = await serveProposals()
  const cursor = await cursorNow(owner.ask)
  const [rejected, ended] = [await propose(), await propose()]
  await person.ask(`POST /proposals/${rejected}/reject`, { note: 'Not now.' })
  await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, agent.info.id))
  // Expired ones are noticed at the next proposal.
  const another = await propose(plan, await link({ access: 'propose' }))
  const response = (await readAll(owner.ask, cursor)).filter(({ type }) => type !== 'call.committed')
  expect(response.map(({ type, proposalId, state }) => [type, proposalId, state])).toEqual([
    ['proposal.waiting', rejected, undefined],
    ['proposal.waiting', ended, undefined],
    ['proposal.decided', rejected, 'rejected'],
    ['proposal.decided', ended, 'ended'],
    ['proposal.waiting', another, undefined],
  ])
})

test('links that do not see a proposal get no event', async () => {
  const { person, plan, other, propose, link } = await serveProposals()
  const agent = await link({ kind: 'selected', documents: [plan, other], access: 'propose' })
  const whole = await link({ kind: 'selected', documents: [plan, other] })
  const narrow = await link({ kind: 'selected', documents: [plan] })
  const stranger = await link({ access: 'propose' })
  const from = new Map(
    await Promise.all([whole, narrow, stranger].map(async (one) => [one, await cursorNow(one.ask)] as const)),
  )
  const id = await propose(plan, agent)
  await person.ask(`POST /proposals/${id}/reject`, {})
  const typesTo = async (one: TestLink) =>
    (await readAll(one.ask, from.get(one) ?? '')).map(({ type, proposalId, tool }) => [type, proposalId ?? tool])
  expect(await typesTo(whole)).toEqual([
    ['proposal.waiting', id],
    ['proposal.decided', id],
  ])
  expect(await typesTo(narrow)).toEqual([])
  expect(await typesTo(stranger)).toEqual([['call.committed', 'proposals_reject']])
})
