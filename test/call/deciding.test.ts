/** A person decides on proposals: approves them, with or without changes, or rejects them. */
import { describe, expect, test } from 'vitest'
import { exposeDocuments, revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { proposalOf, serveProposals } from './serve-proposals.ts'

describe('a decision', () => {
  test('that rejects a proposal tells the agent why', async () => {
    const { agent, person, read, write, reject } = await serveProposals()
    const before = await read()
    const proposed = await write(agent, 'three')
    await reject(person, proposalOf(proposed), { note: 'Not before Monday' })
    expect(await read()).toBe(before)
    expect((await agent.ask('GET /proposals?ids=short')).json.items).toMatchObject([
      { proposalId: proposalOf(proposed), state: 'rejected', decidedBy: 'Anna', note: 'Not before Monday' },
    ])
  })

  test.each(['approve', 'reject'] as const)('happens once: %s after it was decided is rejected', async (decide) => {
    const serving = await serveProposals()
    const { agent, person, write, approve } = serving
    const id = proposalOf(await write(agent, 'three'))
    await approve(person, id)
    expect((await serving[decide](person, id)).json).toEqual({
      error: `Expected a proposal that waits, found that ${id} was approved by Anna; read those that wait with proposals_list.`,
      code: 'CONFLICT',
    })
  })

  test('happens once if two approve at the same time', async () => {
    const { agent, person, owner, write, approve, read } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    const responses = await Promise.all([approve(person, id), approve(owner, id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await read()).match(/three/g)).toHaveLength(1)
  })

  test('happens once if it is approved and rejected at the same time', async () => {
    const { agent, person, owner, write, approve, reject, read } = await serveProposals()
    for (let turns = 0; turns < 6; turns++) {
      const id = proposalOf(await write(agent, `line ${turns}`))
      const approved = approve(person, id)
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      const responses = [(await reject(owner, id)).status, (await approved).status]
      expect(responses.toSorted()).toEqual([200, 409])
      expect((await read()).includes(`line ${turns}`)).toBe(responses[1] === 200)
    }
  })

  test('happens once if it is approved while the link ends', async () => {
    const { person, space, write, approve, read, link } = await serveProposals()
    for (let turns = 0; turns < 6; turns++) {
      const other = await link({ name: `Robot ${turns}`, access: 'propose' })
      const id = proposalOf(await write(other, `line ${turns}`))
      const approved = approve(person, id)
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, other.info.id))
      const { status, json } = await approved
      expect((await read()).includes(`line ${turns}`)).toBe(status === 200)
      if (status !== 200) expect(json.error).toMatch(/was ended; read those that wait with proposals_list\.$/)
    }
  })

  test('may come while the connection proposes something else', async () => {
    const { agent, person, write, approve, read } = await serveProposals()
    for (let turns = 0; turns < 6; turns++) {
      const first = await write(agent, `first ${turns}`)
      const approved = approve(person, proposalOf(first))
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      const second = await write(agent, `second ${turns}`)
      expect([turns, (await approved).status, second.json]).toEqual([turns, 200, expect.anything()])
      expect((await approve(person, proposalOf(second))).status).toBe(200)
    }
    expect((await read()).match(/first|second/g)).toHaveLength(12)
  })

  test('is rejected if something else would change by now, and possible with what is shown', async () => {
    const { agent, person, owner, plan, approve, read } = await serveProposals()
    const page = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    const [{ id: one }] = page.json.content
    const proposed = await agent.ask('DELETE /blocks?ids=short', { blockIds: [one] })
    await owner.ask('PUT /blocks', { blocks: [{ id: one, markdown: 'one, and more' }] })
    const refused = await approve(person, proposalOf(proposed))
    const [, fingerprint] = /fingerprint ([0-9a-f]{16})\.$/.exec(refused.json.error) ?? []
    expect(refused.json).toEqual({
      error: `Expected proposal ${proposalOf(proposed)} to change what was agreed to, found that it would now change something else: "Plan": 1 block deleted. Nothing was written; to agree to this, approve it with fingerprint ${fingerprint}.`,
      code: 'CONFLICT',
      details: [{ path: 'diff', message: expect.stringContaining('-one, and more') }],
    })
    expect((await approve(person, proposalOf(proposed), { fingerprint })).status).toBe(200)
    expect(await read()).not.toContain('one, and more')
  })

  test('is possible with what is shown if more IDs are needed than were promised', async () => {
    const { agent, person, owner, approve } = await serveProposals()
    const note = { position: 'end', date: '2026-12-01' }
    const line = await owner.ask('POST /blocks?ids=short', { markdown: 'one', position: note })
    const { json: page } = await owner.ask(`GET /blocks?id=${line.json.items[0].id}&ids=short&fetchMetadata=true`)
    const proposed = await agent.ask('POST /collections?ids=short', {
      schema: { name: 'Jobs', properties: [] },
      position: note,
    })
    await owner.ask('DELETE /documents', { documentIds: [page.pageBlockPath[0].id] })
    const refused = await approve(person, proposalOf(proposed))
    const [, fingerprint] = /fingerprint ([0-9a-f]{16})\.$/.exec(refused.json.error) ?? []
    expect(refused.json.details[0].message).toMatch(/^\+.*\d{12}/m)
    expect(await approve(person, proposalOf(proposed), { fingerprint })).toMatchObject({ status: 200 })
  })

  test('can change the calls first, and preview the effect', async () => {
    const { agent, person, plan, read, write, approve } = await serveProposals()
    const before = await read()
    const id = proposalOf(await write(agent, 'threee'))
    const steps = [
      { tool: 'blocks_add', arguments: { markdown: 'three', position: { position: 'end', pageId: plan } } },
    ]
    const dry = await person.ask(`POST /proposals/${id}/approve`, { steps }, { prefer: 'dry-run' })
    expect(dry.json.dryRun).toEqual({
      summary: '"Plan": 1 block added',
      diff: expect.stringContaining('+three\n'),
      isDiffComplete: true,
    })
    expect(await read()).toBe(before)
    expect((await approve(person, id, { steps })).status).toBe(200)
    expect(await read()).toMatch(/three\n/)
    const wrong = [{ tool: 'blocks_delete', arguments: { blockIds: ['123456789012'] } }]
    const other = proposalOf(await write(agent, 'four'))
    expect((await approve(person, other, { steps: wrong })).json.error).toBe(
      'At steps[0].arguments.blockIds[0]: Expected the ID of a block within reach, found 123456789012; read IDs with blocks_get and name one of those.',
    )
  })

  test('accepts the same changed calls as a batch', async () => {
    const { agent, person, approve } = await serveProposals()
    const steps = [{ tool: 'documents_add', arguments: { documents: [{ title: 'New' }] } }]
    const proposed = await agent.ask('POST /batch', { steps })
    const nested = [
      { tool: 'batch', arguments: { steps } },
      { tool: 'batch', arguments: { steps } },
    ]
    expect((await approve(person, proposalOf(proposed), { steps: nested })).json.error).toBe(
      'At steps[0]: Expected a tool that can be a step, found batch; call it by itself.',
    )
  })

  test('is not open to the proposing link, whatever it may do by now, nor to read-only links', async () => {
    const { agent, link, write, approve } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    expect((await approve(agent, id)).json).toEqual({
      error:
        'Expected a link that may decide on proposals, found one with access propose, which proposals_approve is not for; ask the person who made the link for another.',
      code: 'FORBIDDEN',
    })
    const reader = await link({ access: 'read' })
    expect((await approve(reader, id)).json).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('needs the fingerprint of what is agreed to', async () => {
    const { agent, person, write } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    expect((await person.ask(`POST /proposals/${id}/approve`, {})).json).toEqual({
      error:
        'Expected the fingerprint of what is agreed to, found none; read all of the proposal, the last part of which has it, or approve it as a dry run to see what it would change now.',
      code: 'VALIDATION_ERROR',
    })
  })

  test('needs the access that its deletions need', async () => {
    const { agent, person, owner, plan, approve } = await serveProposals({ access: 'no-delete' as never })
    const page = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    const proposed = await agent.ask('DELETE /blocks?ids=short', { blockIds: [page.json.content[0].id] })
    expect((await approve(person, proposalOf(proposed))).json).toMatchObject({
      error: `At steps[0]: Expected a link that may delete, found one with access no-delete, which blocks_delete is not for; ask the person who made the link for another.`,
      code: 'FORBIDDEN',
    })
  })

  test('needs the reach of the proposing link, since the diff shows what that link sees', async () => {
    const { agent, owner, link, plan, write, approve, read } = await serveProposals()
    const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Other' }] })
    const [{ id: other }] = json.items
    const narrow = await link({ kind: 'selected', documents: [plan] })
    const within = await link({ kind: 'selected', documents: [plan], access: 'propose' })
    const beyond = await link({ kind: 'selected', documents: [plan, other], access: 'propose' })
    const ofFull = proposalOf(await write(agent, 'by a full link'))
    const ofBeyond = proposalOf(await write(beyond, 'by a wider link'))
    const ofWithin = proposalOf(await write(within, 'three'))
    expect((await narrow.ask('GET /proposals?ids=short')).json.items).toMatchObject([{ proposalId: ofWithin }])
    for (const id of [ofFull, ofBeyond]) {
      expect((await approve(narrow, id)).json).toEqual({
        error: `Expected the ID of a proposal that this connection sees, found ${id}; read IDs with proposals_list and name one of those.`,
        code: 'NOT_FOUND_ERROR',
      })
    }
    expect((await approve(narrow, ofWithin)).status).toBe(200)
    expect(await read()).toContain('three')
  })

  test('about an undo undoes the calls', async () => {
    const { agent, person, read, write, approve, owner } = await serveProposals()
    const before = await read()
    await write(owner, 'three')
    const [call] = (await owner.ask('GET /history?ids=short')).json.items
    const proposed = await agent.ask('POST /history/undo', { calls: [call.callId] })
    expect(proposed.json.proposal.summary).toBe('"Plan": 1 block deleted')
    expect((await approve(person, proposalOf(proposed))).status).toBe(200)
    expect(await read()).toBe(before)
  })

  test('is made in the order of the proposals that the deciding link sees', async () => {
    const { owner, space, link, plan, write, approve } = await serveProposals()
    const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Other' }] })
    const [{ id: other }] = json.items
    const near = await link({ kind: 'selected', access: 'propose', documents: [plan, other] })
    const narrow = await link({ kind: 'selected', documents: [plan] })
    await write(near, 'three', other)
    await space.write(OPERATOR_LINK, (view) => exposeDocuments(view, near.info.id, [plan]))
    const later = proposalOf(await write(near, 'three'))
    expect((await approve(narrow, later)).status).toBe(200)
  })

  test('is impossible once the link has ended', async () => {
    const { agent, person, space, write, approve } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, agent.info.id))
    expect((await approve(person, id)).json.error).toBe(
      `Expected a proposal that waits, found that ${id} was ended; read those that wait with proposals_list.`,
    )
  })

  test('is possible once earlier ones have ended', async () => {
    const { agent, owner, person, clock, write, approve } = await serveProposals()
    const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Other' }] })
    await write(agent, 'three')
    clock.now += 20 * 24 * 3600 * 1000
    const later = proposalOf(await write(agent, 'four', json.items[0].id))
    clock.now += 20 * 24 * 3600 * 1000
    expect((await approve(person, later)).status).toBe(200)
  })

  test('is impossible after thirty days', async () => {
    const { agent, person, clock, write, approve } = await serveProposals()
    const id = proposalOf(await write(agent, 'three'))
    clock.now += 30 * 24 * 3600 * 1000
    expect((await approve(person, id)).status).toBe(409)
    await write(agent, 'four')
    expect((await agent.ask('GET /proposals?state=ended&ids=short')).json.items).toMatchObject([{ proposalId: id }])
  })
})
