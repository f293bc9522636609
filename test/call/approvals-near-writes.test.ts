/** Only changes to what a proposal reads or writes stand in the way of its approval. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import type { TestLink } from '../http/serving.ts'
import { agreement, proposalOf, serveProposals } from './serve-proposals.ts'

const LINES = ['# Plan', 'one', 'two', '- [ ] three', 'four']

/** A document of lines, and the IDs of its blocks. */
async function setUpApproval() {
  const serving = await serveProposals()
  const { owner } = serving
  const { json } = await owner.ask('POST /documents?ids=short', {
    documents: [{ title: 'Near', markdown: LINES.join('\n\n') }],
  })
  const page: string = json.items[0].id
  const content = async (): Promise<Answer[]> => (await owner.ask(`GET /blocks?id=${page}&ids=short`)).json.content
  const ids = (await content()).map(({ id }) => id)
  const [heading = '', one = '', two = '', three = '', four = ''] = ids
  return { ...serving, content, blocks: { page, heading, one, two, three, four } }
}

type ApprovalSetup = Awaited<ReturnType<typeof setUpApproval>>
type Blocks = ApprovalSetup['blocks']
type Send = (link: TestLink, blocks: Blocks) => Promise<Answer>

const PROPOSED: Record<string, Send> = {
  'a changed text': ({ ask }, { two }) => ask('PUT /blocks?ids=short', { blocks: [{ id: two, markdown: 'second' }] }),
  'a condition and a changed text': ({ ask }, { two }) =>
    ask('PUT /blocks?ids=short', { blocks: [{ id: two, markdown: 'second', expectedMarkdown: 'two' }] }),
  'a changed passage': ({ ask }, { page }) =>
    ask('PUT /blocks?ids=short', { pageId: page, replace: [{ old: 'two', new: 'second' }] }),
  'a line at the end': ({ ask }, { page }) =>
    ask('POST /blocks?ids=short', { markdown: 'last', position: { position: 'end', pageId: page } }),
  'a line beside another': ({ ask }, { two }) =>
    ask('POST /blocks?ids=short', { markdown: 'beside', position: { position: 'after', siblingId: two } }),
  'a moved line': ({ ask }, { two, four }) =>
    ask('PUT /blocks/move?ids=short', { blockIds: [two], position: { position: 'after', siblingId: four } }),
  'a deleted line': ({ ask }, { two }) => ask('DELETE /blocks?ids=short', { blockIds: [two] }),
  'a comment': ({ ask }, { two }) =>
    ask('POST /comments?ids=short', { comments: [{ blockId: two, content: 'Who says so?' }] }),
}

const NEAR: Record<string, Send> = {
  'a line before it': ({ ask }, { one }) => ask('PUT /blocks', { blocks: [{ id: one, markdown: 'first' }] }),
  'a line after it': ({ ask }, { three }) => ask('PUT /blocks', { blocks: [{ id: three, markdown: '- [x] third' }] }),
  'the title': ({ ask }, { page }) => ask('PUT /blocks', { blocks: [{ id: page, markdown: 'Nearer' }] }),
  'a new first line': ({ ask }, { page }) =>
    ask('POST /blocks', { markdown: 'new', position: { position: 'start', pageId: page } }),
  'a new last line': ({ ask }, { page }) =>
    ask('POST /blocks', { markdown: 'new', position: { position: 'end', pageId: page } }),
  'many new lines beside it': ({ ask }, { two }) =>
    ask('POST /blocks', {
      markdown: Array.from({ length: 40 }, (_, index) => `new ${index}`).join('\n\n'),
      position: { position: 'before', siblingId: two },
    }),
  'another line, deleted': ({ ask }, { one }) => ask('DELETE /blocks', { blockIds: [one] }),
  'other lines, moved': ({ ask }, { heading, three, four }) =>
    ask('PUT /blocks/move', { blockIds: [heading, three], position: { position: 'after', siblingId: four } }),
  'a comment beside it': ({ ask }, { three }) =>
    ask('POST /comments', { comments: [{ blockId: three, content: 'Near' }] }),
  'another document': ({ ask }) => ask('POST /documents', { documents: [{ title: 'Far' }] }),
}

describe.each(Object.entries(PROPOSED))('%s that is proposed', (_, propose) => {
  test('can be approved after writes around it', async () => {
    const { agent, owner, person, approve, blocks } = await setUpApproval()
    const proposal = proposalOf(await propose(agent, blocks))
    // As a person agrees to it before anything else changes.
    const agreed = await agreement(person, proposal)
    for (const near of Object.values(NEAR)) expect((await near(owner, blocks)).status).toBe(200)
    expect(await approve(person, proposal, agreed)).toMatchObject({ status: 200 })
  })

  test('can be approved while others write around it', async () => {
    const { agent, owner, person, approve, blocks } = await setUpApproval()
    const proposal = proposalOf(await propose(agent, blocks))
    const agreed = await agreement(person, proposal)
    const writes = Array.from({ length: 2 }, async () => {
      for (const near of Object.values(NEAR)) await near(owner, blocks)
    })
    const [approved] = await Promise.all([approve(person, proposal, agreed), ...writes])
    expect(approved.status).toBe(200)
  })
})

/** Writes that change what the proposal would do. */
const IN_THE_WAY: Record<string, { propose: Send; write: Send }> = {
  'the text that would be changed': {
    propose: PROPOSED['a changed text'] as Send,
    write: ({ ask }, { two }) => ask('PUT /blocks', { blocks: [{ id: two, markdown: 'two, and more' }] }),
  },
  'the color of what would be deleted': {
    propose: PROPOSED['a deleted line'] as Send,
    write: ({ ask }, { two }) => ask('PUT /blocks', { blocks: [{ id: two, color: '#aa0000' }] }),
  },
  'a block in what would be deleted': {
    propose: ({ ask }, { page }) => ask('DELETE /blocks?ids=short', { blockIds: [page] }),
    write: ({ ask }, { page }) =>
      ask('POST /blocks', { markdown: 'unread', position: { position: 'end', pageId: page } }),
  },
  'the text that would be commented on': {
    propose: PROPOSED['a comment'] as Send,
    // The name of a block in what a person reads is its beginning, and is the same after this.
    write: ({ ask }, { two }) =>
      ask('PUT /blocks', { blocks: [{ id: two, markdown: `two${' '.repeat(80)}, or three` }] }),
  },
  'the page of what would be moved': {
    propose: PROPOSED['a moved line'] as Send,
    write: async ({ ask }, { two }) => {
      const { json } = await ask('POST /documents?ids=short', { documents: [{ title: 'Other' }] })
      const position = { position: 'end', pageId: json.items[0].id }
      return ask('PUT /blocks/move', { blockIds: [two], position })
    },
  },
}

test.each(Object.entries(IN_THE_WAY))('%s, changed by others, is shown before it is approved', async (_, way) => {
  const { agent, owner, person, plan, approve, blocks } = await setUpApproval()
  const inPlan = await owner.ask('POST /blocks?ids=short', {
    blocks: [{ type: 'page', title: 'Inner', content: [{ type: 'text', markdown: 'inside' }] }],
    position: { position: 'end', pageId: plan },
  })
  const target = _.startsWith('a block in') ? { ...blocks, page: inPlan.json.items[0].id } : blocks
  const proposal = proposalOf(await way.propose(agent, target))
  const agreed = await agreement(person, proposal)
  expect((await way.write(owner, target)).status).toBe(200)
  const refused = await approve(person, proposal, agreed)
  const [, fingerprint] = /approve it with fingerprint ([0-9a-f]{16})\.$/.exec(refused.json.error) ?? []
  expect(refused).toMatchObject({ status: 409, json: { details: [{ path: 'diff', message: expect.any(String) }] } })
  expect(fingerprint).not.toBe(agreed.fingerprint)
  expect((await approve(person, proposal, { fingerprint })).status).toBe(200)
})

test('an agreement is to the calls that were read, not to others with the same effect', async () => {
  const { agent, person, approve, blocks } = await setUpApproval()
  const move = (siblingId: string) => ({ blockIds: [blocks.two], position: { position: 'after', siblingId } })
  const proposal = proposalOf(await agent.ask('PUT /blocks/move?ids=short', move(blocks.four)))
  const agreed = await agreement(person, proposal)
  const steps = [{ tool: 'blocks_move', arguments: move(blocks.heading) }]
  expect((await approve(person, proposal, { ...agreed, steps })).status).toBe(409)
})
