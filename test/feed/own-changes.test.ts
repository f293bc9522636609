/** A follower of the feed can leave out what its own link caused, and nothing else. */
import { expect, test } from 'vitest'
import type { NewAccessLink } from '../../src/auth/access-links/access-links.ts'
import { agreement } from '../call/serve-proposals.ts'
import { connect } from '../connect.ts'
import { serveBuilt, type TestLink } from '../http/serving.ts'

/** What a link is told of what happened since, with and without its own. */
async function sent({ ask }: TestLink, cursor: string) {
  const items = async (more: string) =>
    (await ask(`GET /changes?cursor=${cursor}&limit=200${more}`)).json.items.map(
      ({ type, tool, author }: { type: string; tool?: string; author?: string }) => [type, tool, author],
    )
  return { all: await items(''), others: await items('&mine=false') }
}

async function served(access: NewAccessLink['access'] = 'full') {
  const serving = await serveBuilt()
  const agent = await serving.link({ access, name: 'Agent' })
  const { cursor } = (await agent.ask('GET /changes')).json
  return { serving, agent, cursor, person: await connect('full', { to: serving }) }
}

const NOTE = { documents: [{ title: 'Note' }] }

test('its own calls, over REST and MCP; those of another link stay', async () => {
  const { serving, agent, cursor } = await served()
  const other = await serving.link({ name: 'Other' })
  await agent.ask('POST /documents', NOTE)
  await (await agent.client()).callTool({ name: 'documents_add', arguments: NOTE })
  await other.ask('POST /documents', NOTE)
  const { all, others } = await sent(agent, cursor)
  expect(all).toHaveLength(3)
  expect(others).toEqual([all[2]])
})

test('its calls that somebody else undid are changes by others', async () => {
  const { agent, cursor, person } = await served()
  await agent.ask('POST /documents', NOTE)
  await person.call('history_undo', { calls: [(await agent.ask('GET /history')).json.items[0].callId] })
  expect((await sent(agent, cursor)).others).toMatchObject([['call.committed', 'history_undo', 'tester']])
})

test('its proposals, and the calls that carry them out; the decisions stay', async () => {
  const { serving, agent, cursor } = await served('propose')
  const other = await serving.link({ access: 'propose', name: 'Other' })
  const person = await serving.link({ name: 'Anna' })
  for (const link of [agent, other]) {
    const { proposalId } = (await link.ask('POST /documents', NOTE)).json.proposal
    await person.ask(`POST /proposals/${proposalId}/approve`, await agreement(person, proposalId))
  }
  const kinds = (items: (string | undefined)[][]) => items.map(([type, , author]) => `${type} by ${author}`)
  const ofAgent = await sent(agent, cursor)
  expect(kinds(ofAgent.all)).toEqual([
    ...['proposal.waiting by Agent', 'call.committed by Agent', 'proposal.decided by Agent'],
    ...['call.committed by Other'],
  ])
  expect(kinds(ofAgent.others)).toEqual(['proposal.decided by Agent', 'call.committed by Other'])
})
