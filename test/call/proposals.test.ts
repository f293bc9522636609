/** Proposals: a write over a link that may only propose waits until a person approves it. */
import { describe, expect, test, vi } from 'vitest'
import { type Answer, connect } from '../connect.ts'
import { agreement, proposalOf, REST_IDS, serveProposals } from './serve-proposals.ts'

describe('a proposal', () => {
  test('says what would change and what it would create, and changes nothing', async () => {
    const { agent, read, write, owner } = await serveProposals()
    const before = await read()
    const response = await write(agent, 'three')
    expect(response.status).toBe(202)
    expect(response.json).toMatchObject({
      proposal: { proposalId: expect.stringMatching(/^\d{12}$/), summary: '"Plan": 1 block added' },
      items: [{ id: expect.any(String), markdown: 'three' }],
    })
    expect(response.json.proposal.diff).toContain('+three')
    expect(response.headers.get('x-scriptorium-note')).toBe(
      `Nothing was written yet: this waits for approval as proposal ${proposalOf(response)}.`,
    )
    expect(await read()).toBe(before)
    expect((await owner.ask('GET /history')).json.items).toHaveLength(1)
  })

  test('is carried out as shown, with the promised IDs, and credited to both', async () => {
    const { agent, person, read, write, approve, owner } = await serveProposals()
    const proposed = await write(agent, 'three')
    const approved = await approve(person, proposalOf(proposed))
    expect(approved.json).toMatchObject({ proposalId: proposalOf(proposed), summary: '"Plan": 1 block added' })
    expect(await read()).toContain('three')
    const block = await owner.ask(`GET /blocks?id=${proposed.json.items[0].id}&ids=short`)
    expect(block.json).toMatchObject({ markdown: 'three' })
    const [call] = (await owner.ask('GET /history?ids=short')).json.items
    expect(call).toMatchObject({
      callId: approved.json.callId,
      author: 'Robot',
      approvedBy: 'Anna',
      tool: 'blocks_add',
    })
  })

  test('says in a dry run and when it is approved which newer changes of others it replaces', async () => {
    const { agent, person, owner, plan, approve, clock } = await serveProposals()
    const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    const [{ id }, { id: other }] = json.content
    const reword = (link: typeof owner, block: string, markdown: string) =>
      link.ask('PUT /blocks?ids=short', { blocks: [{ id: block, markdown }] })
    // What was changed before, the proposal has been made with.
    await reword(owner, other, 'TWO')
    clock.now += 1_000
    const proposed = proposalOf(await reword(agent, id, 'ONE'))
    await reword(agent, other, 'two again')
    await reword(owner, id, 'first')
    const dry = await person.ask(`POST /proposals/${proposed}/approve?ids=short`, {}, { prefer: 'dry-run' })
    const note = `text of ${id}, which "Owner" changed at 2026-11-20T09:00:01.000Z.`
    expect(dry.headers.get('x-scriptorium-note')).toContain(`Would replace ${note}`)
    const { fingerprint } = dry.json
    const approved = await person.ask(`POST /proposals/${proposed}/approve?ids=short`, { fingerprint })
    expect(approved.headers.get('x-scriptorium-note')).toBe(`Replaced ${note}`)
    const [second] = (await person.ask('GET /proposals?ids=short')).json.items
    expect((await approve(person, second.proposalId)).headers.get('x-scriptorium-note')).toBeNull()
  })

  test('can be undone like any other call', async () => {
    const { agent, person, read, write, approve, owner } = await serveProposals()
    const before = await read()
    const { json } = await approve(person, proposalOf(await write(agent, 'three')))
    await owner.ask('POST /history/undo', { calls: [json.callId] })
    expect(await read()).toBe(before)
  })

  test('can build on one that waits, and is approved after it', async () => {
    const { agent, person, read, write, approve } = await serveProposals()
    const first = await agent.ask('POST /documents?ids=short', { documents: [{ title: 'New' }] })
    const [{ id: page }] = first.json.items
    const second = await write(agent, 'inside', page)
    expect(second.json.proposal.summary).toBe('"New": 1 block added')
    expect((await approve(person, proposalOf(second))).json).toEqual({
      error: `Expected all that proposal ${proposalOf(second)} needs to be there, found that ${page} waits in proposal ${proposalOf(first)}; decide on that one first.`,
      code: 'CONFLICT',
    })
    await approve(person, proposalOf(first))
    expect((await approve(person, proposalOf(second))).status).toBe(200)
    expect(await read()).not.toContain('inside')
    const there = await person.ask(`GET /blocks?id=${page}&ids=short`)
    expect(there.json.content).toMatchObject([{ markdown: 'inside' }])
  })

  test('of a schema keeps what others have added since, also what its connection has seen meanwhile', async () => {
    const { agent, person, owner, plan, approve } = await serveProposals()
    const status = { name: 'Status', type: 'text' }
    const { json } = await owner.ask('POST /collections?ids=short', {
      ...{ schema: { name: 'Board', properties: [status] }, position: { position: 'end', pageId: plan } },
    })
    const path = `/collections/${json.collectionBlockId}/schema`
    const read = async (link = owner) => (await link.ask(`GET ${path}?format=schema`)).json
    const keys = async () => (await read()).properties.map(({ key }: { key: string }) => key)
    await read(agent)
    const add = (link: typeof owner, name: string) =>
      link.ask(`PUT ${path}`, { schema: { name: 'Board', properties: [status, { name, type: 'text' }] } })
    const proposed = await add(agent, 'Due')
    await add(owner, 'Owner')
    await read(agent)
    await approve(person, proposalOf(proposed))
    expect(await keys()).toEqual(['status', 'due', 'owner'])
    // The answer of the approved call did not reach the agent, but it has read the property.
    await approve(person, proposalOf(await add(agent, 'Due')))
    expect(await keys()).toEqual(['status', 'due'])
  })

  test('leaves out those that can no longer be carried out, in one transaction', async () => {
    const { agent, owner, plan, space, write } = await serveProposals()
    const page = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    const [{ id: one }] = page.json.content
    const change = (markdown: string) => agent.ask('PUT /blocks', { blocks: [{ id: one, markdown }] })
    for (const text of ['a', 'b', 'c', 'd']) await change(text)
    await write(agent, 'three')
    await owner.ask('DELETE /blocks', { blockIds: [one] })
    const transactions = vi.spyOn(space, 'writeAndRollBack')
    expect((await write(agent, 'four')).json.proposal.diff).toContain(' two\n \n three\n+\n+four')
    expect(transactions).toHaveBeenCalledTimes(1)
  })

  test('promises IDs whose errors name the waiting proposal', async () => {
    const { agent, write } = await serveProposals()
    const proposed = await write(agent, 'three')
    const { id } = proposed.json.items[0]
    expect((await agent.ask(`GET /blocks?id=${id}&ids=short`)).json).toEqual({
      error: `Expected something that is there, found ${id}, which waits in proposal ${proposalOf(proposed)}; it can be read once a person has approved that.`,
      code: 'NOT_FOUND_ERROR',
    })
  })

  test('has all steps of a batch, and the bytes of a file', async () => {
    const { agent, person, plan, read, approve, owner } = await serveProposals()
    const position = { position: 'end', pageId: plan }
    const proposed = await agent.ask('POST /batch?ids=short', {
      steps: [
        { tool: 'blocks_add', as: 'three', arguments: { markdown: 'three', position } },
        { tool: 'blocks_update', arguments: { blocks: [{ id: '$three', markdown: 'third' }] } },
        { tool: 'files_add', arguments: { text: 'what the contract says', fileName: 'contract.txt', position } },
      ],
    })
    const listed = await person.ask(`GET /proposals?proposalId=${proposalOf(proposed)}&ids=short`)
    expect(listed.json.items[0].steps).toMatchObject([
      { tool: 'blocks_add', as: 'three' },
      { tool: 'blocks_update' },
      { tool: 'files_add', arguments: { position, fileName: 'contract.txt' } },
    ])
    expect((await approve(person, proposalOf(proposed))).status).toBe(200)
    expect(await read()).toContain('third')
    const page = await owner.ask(`GET /blocks?id=${plan}`)
    const { url } = page.json.content.at(-1)
    expect(await (await fetch(url, REST_IDS)).text()).toBe('what the contract says')
  })

  test('that is retried with its key is stored once', async () => {
    const { agent, person, plan } = await serveProposals()
    const body = { markdown: 'three', position: { position: 'end', pageId: plan } }
    const send = () => agent.ask('POST /blocks?ids=short', body, { 'idempotency-key': 'k' })
    const first = await send()
    expect((await send()).json).toEqual(first.json)
    expect((await person.ask('GET /proposals')).json.items).toHaveLength(1)
  })

  test('is approved once, and a retried approval gets the same response', async () => {
    const { agent, person, write } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    const agreed = await agreement(person, id)
    const approve = (key: string) =>
      person.ask(`POST /proposals/${id}/approve?ids=short`, agreed, { 'idempotency-key': key })
    const first = await approve('k')
    expect(first.status).toBe(200)
    expect((await approve('k')).json).toEqual(first.json)
    expect((await approve('other')).status).toBe(409)
  })

  test('is rejected as the call would be', async () => {
    const { agent } = await serveProposals()
    const response = await agent.ask('DELETE /blocks', { blockIds: ['123456789012'] })
    expect(response.json).toEqual({
      error:
        'Expected the ID of a block within reach, found 123456789012; read IDs with blocks_get and name one of those.',
      code: 'NOT_FOUND_ERROR',
    })
  })
})
test('programs over stdio share proposals only if their reach is the same', async () => {
  const built = await connect()
  const { items } = await built.call('documents_add', { documents: [{ title: 'Plan' }, { title: 'Hidden' }] })
  const [plan, hidden] = items.map(({ id }: { id: string }) => id)
  const propose = async (kind: 'full' | 'selected', documents: string[], pageId: string) => {
    const { call } = await connect(kind, { to: built, access: 'propose', documents })
    await call('blocks_add', { markdown: 'words', position: { position: 'end', pageId } })
    return (await call('proposals_list', {})).items.map(({ summary }: { summary: string }) => summary)
  }
  expect(await propose('full', [], hidden)).toEqual(['"Hidden": 1 block added'])
  expect(await propose('selected', [plan], plan)).toEqual(['"Plan": 1 block added'])
  expect(await propose('full', [], plan)).toEqual(['"Plan": 1 block added', '"Hidden": 1 block added'])
})

test('a proposal about a document that has left reach is hidden, even from its link', async () => {
  const { owner, link, plan, write } = await serveProposals()
  const near = await link({ kind: 'selected', access: 'propose', documents: [plan] })
  await write(near, 'three')
  await owner.ask('DELETE /documents', { documentIds: [plan] })
  expect((await near.ask('GET /proposals')).json.items).toEqual([])
})

test('over MCP all tools are listed, and a write reports that it waits', async () => {
  const built = await connect()
  const { call, client } = await connect('full', { to: built, access: 'propose' })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('proposals_approve')
  const response = await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'Plan' }] } })
  const { proposal, items } = response.structuredContent as Answer
  expect(items).toMatchObject([{ id: expect.any(String) }])
  expect((response.content as { text: string }[])[1]?.text).toBe(
    `Nothing was written yet: this waits for approval as proposal ${proposal.proposalId}.`,
  )
  const list = await client.callTool({ name: 'proposals_list', arguments: {} })
  expect((list.content as { text: string }[])[0]?.text).toBe(
    `2026-11-20T09:00:00Z tester (tester) documents_add "Plan": added (proposal ${proposal.proposalId}, waiting)`,
  )
  expect((await call('documents_list', {})).items).toEqual([])
})
