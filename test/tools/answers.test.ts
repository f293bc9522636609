/** A call that answers a comment resolves its thread, and nothing else, together with what it changes. */
import { describe, expect, test } from 'vitest'
import { proposalOf, serveProposals } from '../call/serve-proposals.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'

async function commented() {
  const person = await connect()
  const link = await person.space.createAccessLink('full', [], 'Robot')
  const agent = await connect('full', { to: person, caller: { link } })
  const document = await documentOf(person, 'one\n\ntwo')
  const { one = '', two = '' } = await idsOf(person, document)
  const comment = async (connected: Connected, blockId: string, content: string): Promise<string> =>
    (await connected.call('comments_add', { comments: [{ blockId, content }] })).commentId
  const open = async (blockId: string): Promise<string[]> => {
    const { metadata } = await person.call('blocks_get', { id: blockId, fetchMetadata: true, maxDepth: 0 })
    return (metadata?.comments ?? []).flatMap((one: Answer) => (one.resolvedAt === undefined ? [one.content] : []))
  }
  return { person, agent, document, one, two, comment, open }
}

describe('answers', () => {
  test('resolves the comment, those before it and own ones, and one undo takes all of it back', async () => {
    const { person, agent, one, two, comment, open } = await commented()
    await comment(person, one, 'first')
    const asked = await comment(person, one, 'change this')
    await comment(agent, one, 'I will')
    await comment(person, one, 'and one more thing')
    await comment(person, two, 'elsewhere')
    await agent.call('blocks_update', { blocks: [{ id: one, markdown: 'ONE' }], answers: asked })
    expect([await open(one), await open(two)]).toEqual([['and one more thing'], ['elsewhere']])
    const [{ callId }] = (await person.call('history_list', { format: 'json', limit: 1 })).items
    await person.call('history_undo', { calls: [callId] })
    expect(await open(one)).toEqual(['first', 'change this', 'I will', 'and one more thing'])
  })

  test('is a key of every call that writes, also of a batch, and of a call that deletes the block', async () => {
    const { person, agent, document, one, two, comment, open } = await commented()
    const asked = await comment(person, one, 'add a line')
    const position = { position: 'end', pageId: document }
    await agent.call('batch', {
      answers: asked,
      steps: [
        { tool: 'blocks_add', arguments: { markdown: 'more', position } },
        { tool: 'comments_add', arguments: { comments: [{ blockId: one, content: 'Done' }] } },
      ],
    })
    expect(await open(one)).toEqual([])
    const gone = await comment(person, two, 'delete this')
    await agent.call('blocks_delete', { blockIds: [two], answers: gone })
    expect(await agent.refused('blocks_get', { id: document, answers: asked })).toContain('answers')
  })

  test('refuses what is no comment within reach, or is in a document that the call does not change', async () => {
    const { person, agent, document, one, comment, open } = await commented()
    const asked = await comment(person, one, 'change this')
    const other = await documentOf(person, 'other')
    const position = { position: 'end', pageId: other }
    expect(await agent.refused('blocks_add', { markdown: 'x', position, answers: asked })).toBe(
      `Expected answers to name a comment in a document that the call changes, found ${asked}, which is in another; leave it out, and resolve the comment with comments_update.`,
    )
    expect(await agent.refused('blocks_add', { markdown: 'x', position, answers: document })).toBe(
      `Expected the ID of a comment, found ${document}, which is a block's; blocks_get with fetchMetadata shows its comments.`,
    )
    expect(await agent.refused('blocks_add', { markdown: 'x', position, answers: [asked] })).toBe(
      'At answers: Expected the ID of the comment that this call answers, found a list; name one comment.',
    )
    const narrow = await connect('selected', { to: person, documents: [other] })
    const [hidden, none] = await Promise.all(
      [asked, '999999999999'].map((answers) => narrow.refused('blocks_add', { markdown: 'x', position, answers })),
    )
    expect(hidden?.replace(asked, '')).toBe(none?.replace('999999999999', ''))
    expect(hidden).toContain('Expected the ID of a comment within reach')
    expect(await open(one)).toEqual(['change this'])
    expect((await person.call('blocks_get', { id: other })).content).toHaveLength(1)
  })

  test('of a proposal resolves the thread when it is approved, and not when it is rejected', async () => {
    const { agent, person, owner, plan, approve, reject } = await serveProposals()
    const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    const blockId = json.content[0].id
    const comment = async () =>
      (await owner.ask('POST /comments?ids=short', { comments: [{ blockId, content: 'Change this' }] })).json.commentId
    const resolved = async () => {
      const { json } = await owner.ask(`GET /blocks?id=${blockId}&fetchMetadata=true&ids=short`)
      return json.metadata.comments.map((one: Answer) => one.resolvedBy)
    }
    const propose = (answers: string) =>
      agent.ask('PUT /blocks?ids=short', { blocks: [{ id: blockId, markdown: `for ${answers}` }], answers })
    const rejected = await propose(await comment())
    await reject(person, proposalOf(rejected))
    expect(await resolved()).toEqual([undefined])
    const asked = await comment()
    const proposed = await propose(asked)
    expect(proposed.status).toBe(202)
    expect(proposed.json.proposal.diff).toContain('resolved')
    expect(await resolved()).toEqual([undefined, undefined])
    // A later comment neither is resolved nor stands in the way of the approval.
    await comment()
    expect((await approve(person, proposalOf(proposed))).status).toBe(200)
    expect(await resolved()).toEqual(['Robot', 'Robot', undefined])
  })
})
