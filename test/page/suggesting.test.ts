/** What people suggest from the pages: a call of a script that becomes a proposal, whatever the link may do. */
import { beforeEach, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let anna: Program
let operator: Visitor
let plan: string
let first: string

beforeEach(async () => {
  serving = await servePages()
  anna = program(serving.space, 'editor')
  operator = await visitAsOperator(serving)
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'First words.\n\nMore.' }] })
  plan = items[0].id
  first = (await anna('blocks_get', { id: plan })).content[0].id
})

const markdown = async () => (await anna('blocks_get', { id: first })).markdown
const waiting = async () => (await anna('proposals_list', { state: 'waiting' })).items
const shown = async (proposalId: string) => (await anna('proposals_list', { proposalId })).items[0]

const suggest = (visitor: Visitor, text: string, suggest: unknown = {}) =>
  suggestCall(visitor, 'blocks_update', { blocks: [{ id: first, markdown: text }] }, suggest)

async function suggestCall(visitor: Visitor, tool: string, args: object, suggest: unknown = {}) {
  const page = await visitor.get(`/d/${plan}`)
  const token =
    /<body[^>]* data-token="([^"]*)"/.exec(page.text)?.[1] ?? /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const body = { tool, arguments: args, suggest }
  const headers = { 'x-form-token': token, 'content-type': 'application/json' }
  const response = await fetch(`${visitor.base}/calls`, {
    method: 'POST',
    headers: { cookie: visitor.cookie, origin: new URL(visitor.base).origin, ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { answer: { proposal: { proposalId: string } }; error?: string; code?: string }
}

test('a person who may write suggests, and nothing is written', async () => {
  const bea = await visitByLink(serving, { access: 'full', name: 'Bea' })
  const { answer } = await suggest(bea, 'Other words.')
  expect(await markdown()).toBe('First words.')
  expect(await waiting()).toMatchObject([{ proposalId: answer.proposal.proposalId, tool: 'blocks_update' }])
})

test('what is typed on takes the place of what was suggested before', async () => {
  const bea = await visitByLink(serving, { access: 'full' })
  const { answer } = await suggest(bea, 'Other w')
  const { proposalId } = answer.proposal
  const again = await suggest(bea, 'Other words.', { replaces: proposalId })
  expect(again.answer.proposal.proposalId).toBe(proposalId)
  expect(await waiting()).toHaveLength(1)
  expect((await shown(proposalId)).diff).toContain('+Other words.')
  expect((await shown(proposalId)).diff).not.toContain('+Other w\n')
  await operator.send(`/waiting/${proposalId}/approve`, { fingerprint: (await shown(proposalId)).fingerprint })
  expect(await markdown()).toBe('Other words.')
})

test('what was read before it was replaced is not carried out', async () => {
  const bea = await visitByLink(serving, { access: 'full' })
  const { proposalId } = (await suggest(bea, 'Other words.')).answer.proposal
  const { fingerprint } = await shown(proposalId)
  await suggest(bea, 'Evil words.', { replaces: proposalId })
  const refused = await operator.post(`/waiting/${proposalId}/approve`, { fingerprint })
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('Evil') })
  expect(await markdown()).toBe('First words.')
})

test('only an own suggestion that waits is replaced', async () => {
  const bea = await visitByLink(serving, { access: 'full' })
  const carl = await visitByLink(serving, { access: 'no-delete' })
  const { proposalId } = (await suggest(bea, 'Of Bea.')).answer.proposal
  const other = await suggest(carl, 'Of Carl.', { replaces: proposalId })
  expect(other.answer.proposal.proposalId).not.toBe(proposalId)
  expect((await shown(proposalId)).diff).toContain('+Of Bea.')
  await operator.send(`/waiting/${proposalId}/reject`)
  const after = await suggest(bea, 'Of Bea again.', { replaces: proposalId })
  expect(after.answer.proposal.proposalId).not.toBe(proposalId)
})

/** The page as it was suggested, for the script that goes on. */
const suggested = async (visitor: Visitor, id = plan) =>
  JSON.parse((await visitor.get(`/d/${id}/suggested?suggest=yes`)).text)

test('what somebody suggested is read as the page with it, and only by them', async () => {
  const [bea, carl] = [
    await visitByLink(serving, { access: 'full', name: 'Bea' }),
    await visitByLink(serving, { access: 'full', name: 'Carl' }),
  ]
  const { proposalId } = (await suggest(bea, 'Other words.', { replaces: [], version: 'a', seen: [] })).answer.proposal
  expect(await suggested(bea)).toMatchObject({
    ...{ proposals: [proposalId], versions: ['a'], added: [], removed: [] },
    blocks: [{ id: first, fields: { type: 'text' }, markdown: 'Other words.' }],
  })
  const none = { proposals: [], versions: [], order: [], blocks: [], added: [], removed: [] }
  expect(await suggested(carl)).toEqual(none)
  expect(JSON.parse((await bea.get(`/d/${plan}/suggested`)).text)).toEqual(none)
  expect(await markdown()).toBe('First words.')
  await operator.send(`/waiting/${proposalId}/reject`)
  expect(await suggested(bea)).toEqual(none)
})

test('what is not text of the page alone is not read so, since it would be lost with the next change', async () => {
  const bea = await visitByLink(serving, { access: 'propose', name: 'Bea' })
  const text = { markdown: 'Words', position: { position: 'end', pageId: plan } }
  await suggestCall(bea, 'documents_add', { documents: [{ title: 'Other' }] })
  await suggestCall(bea, 'blocks_update', { blocks: [{ id: first, color: '#1a7f37' }] })
  await suggestCall(bea, 'batch', {
    steps: [
      { tool: 'blocks_add', arguments: text },
      { tool: 'documents_add', arguments: { documents: [{ title: 'Third' }] } },
    ],
  })
  expect((await waiting()).length).toBe(3)
  expect((await suggested(bea)).proposals).toEqual([])
  await suggestCall(bea, 'blocks_add', text)
  expect(await suggested(bea)).toMatchObject({ proposals: [expect.any(String)], blocks: [{ markdown: 'Words' }] })
})

test('several suggestions make way for one', async () => {
  const bea = await visitByLink(serving, { access: 'full' })
  const one = (await suggest(bea, 'One.')).answer.proposal.proposalId
  const two = (await suggest(bea, 'Two.')).answer.proposal.proposalId
  const both = await suggest(bea, 'Both.', { replaces: [two, one] })
  expect(both.answer.proposal.proposalId).toBe(one)
  expect(await waiting()).toMatchObject([{ proposalId: one }])
})

test('what another page has changed since is not replaced', async () => {
  const bea = await visitByLink(serving, { access: 'full' })
  const { proposalId } = (await suggest(bea, 'One.', { replaces: [], version: 'a', seen: [] })).answer.proposal
  await suggest(bea, 'Two.', { replaces: [proposalId], version: 'b', seen: ['a'] })
  const late = await suggest(bea, 'Three.', { replaces: [proposalId], version: 'c', seen: ['a'] })
  expect(late).toEqual({
    code: 'CONFLICT',
    error: `Expected proposal ${proposalId} as this page has read it, found that another page has changed it since; nothing was proposed, read it again.`,
  })
  expect((await shown(proposalId)).diff).toContain('+Two.')
  await suggest(bea, 'Two, and three.', { replaces: [proposalId], version: 'c', seen: ['a', 'b'] })
  expect((await shown(proposalId)).diff).toContain('+Two, and three.')
})

test('a link that only reads suggests nothing', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect(await suggest(reader, 'Other words.')).toMatchObject({ code: 'FORBIDDEN' })
  expect(await waiting()).toEqual([])
})

test('another shape is refused', async () => {
  for (const shape of [{ replaces: 5 }, { replaces: [5] }, { seen: 'a' }, { version: 'a'.repeat(65) }])
    expect(await suggest(operator, 'Other words.', shape)).toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await markdown()).toBe('First words.')
})
