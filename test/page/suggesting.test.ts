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

async function suggest(visitor: Visitor, text: string, suggest: unknown = {}) {
  const page = await visitor.get(`/d/${plan}`)
  const token =
    /<body[^>]* data-token="([^"]*)"/.exec(page.text)?.[1] ?? /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const body = { tool: 'blocks_update', arguments: { blocks: [{ id: first, markdown: text }] }, suggest }
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

test('a link that only reads suggests nothing', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect(await suggest(reader, 'Other words.')).toMatchObject({ code: 'FORBIDDEN' })
  expect(await waiting()).toEqual([])
})

test('another shape is refused', async () => {
  expect(await suggest(operator, 'Other words.', { replaces: 5 })).toMatchObject({ code: 'VALIDATION_ERROR' })
  expect(await markdown()).toBe('First words.')
})
