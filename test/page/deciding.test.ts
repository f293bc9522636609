/** Approving, changing and rejecting proposals of agents, in a browser without scripts. */
import { beforeEach, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: Program
let research: Program
let plan: string
let first: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  research = program(serving.space, 'research', { author: 'Robot', access: 'propose' })
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'Permits take six weeks.' }] })
  plan = items[0].id
  const { content } = await anna('blocks_get', { id: plan })
  first = content[0].id
})

const propose = (markdown: string) => research('blocks_update', { blocks: [{ id: first, markdown }] })
const text = async () => (await anna('blocks_get', { id: first })).markdown
const callsOf = async () => (await anna('history_list')).items

test('a proposal is shown with its changes, and carried out once it is approved', async () => {
  await propose('Permits take nine weeks.')
  const waiting = await visitor.get('/waiting')
  expect(textOf(waiting)).toContain('research proposes')
  expect(textOf(waiting)).toContain('− Removed: Permits take six weeks. + Added: Permits take nine weeks.')
  expect(await text()).toBe('Permits take six weeks.')
  const after = await visitor.press(waiting, 'Approve')
  expect(textOf(after)).toContain('Approved.')
  expect(await text()).toBe('Permits take nine weeks.')
  expect((await callsOf())[0]).toMatchObject({ author: 'Robot', client: 'research' })
  expect(textOf(await visitor.get('/waiting?state=decided'))).toContain('approved by')
})

test('it is approved with changes by a person, after these were shown', async () => {
  await propose('Permits take nine weeks.')
  const { proposalId } = (await anna('proposals_list')).items[0]
  const form = await visitor.get(`/waiting/${proposalId}/edit`)
  const path = '0.arguments.blocks.0.markdown'
  const shown = await visitor.press(form, 'Show what it changes', { [path]: 'Permits take ten weeks.' })
  expect(textOf(shown)).toContain('+ Added: Permits take ten weeks.')
  expect(await text()).toBe('Permits take six weeks.')
  await visitor.press(shown, 'Approve as edited')
  expect(await text()).toBe('Permits take ten weeks.')
})

test('changed text that cannot be written is rejected, and stays in the form', async () => {
  await research('documents_add', { documents: [{ title: 'Notes' }] })
  const { proposalId } = (await anna('proposals_list')).items[0]
  const form = await visitor.get(`/waiting/${proposalId}/edit`)
  const title = 'Long '.repeat(500)
  const refused = await visitor.press(form, 'Show what it changes', { '0.arguments.documents.0.title': title })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('role="alert"')
  expect(refused.text).toContain(`>${title}</textarea>`)
})

test('it is rejected with a note to the agent', async () => {
  await propose('Permits take nine weeks.')
  const after = await visitor.press(await visitor.get('/waiting'), 'Reject', { note: 'Ask the port first' })
  expect(textOf(after)).toContain('Rejected.')
  expect(await text()).toBe('Permits take six weeks.')
  const { items } = await research('proposals_list', { state: 'all' })
  expect(items[0]).toMatchObject({ state: 'rejected', note: 'Ask the port first' })
})

test('what was changed since is shown again, both as proposed and as it would be now', async () => {
  await propose('Permits take nine weeks.')
  const waiting = await visitor.get('/waiting')
  await anna('blocks_update', { blocks: [{ id: first, markdown: 'Permits take long.' }] })
  const refused = await visitor.press(waiting, 'Approve')
  expect(refused.status).toBe(409)
  expect(await text()).toBe('Permits take long.')
  expect(textOf(refused)).toContain('− Removed: Permits take six weeks.')
  expect(textOf(refused)).toContain('− Removed: Permits take long. + Added: Permits take nine weeks.')
  const replaced = (verb: string) => new RegExp(`${verb} text of ${first}, which "[^"]+" changed at `)
  expect(textOf(refused)).toMatch(replaced('Would replace'))
  const approved = await visitor.press(refused, 'Approve what it would change now')
  expect(textOf(approved)).toMatch(replaced('Replaced'))
  expect(await text()).toBe('Permits take nine weeks.')
})

test('all proposals of one agent are approved in order', async () => {
  await propose('Permits take nine weeks.')
  await research('blocks_add', { markdown: 'Source: the port.', position: { position: 'end', pageId: plan } })
  const waiting = await visitor.get('/waiting')
  expect(textOf(waiting)).not.toContain('Can be approved after')
  await visitor.press(waiting, 'Approve all 2 of research')
  expect(
    (await anna('blocks_get', { id: plan })).content.map(({ markdown }: { markdown: string }) => markdown),
  ).toEqual(['Permits take nine weeks.', 'Source: the port.'])
})

test('a proposal that needs another one leads to it', async () => {
  const { items } = await research('documents_add', { documents: [{ title: 'Notes' }] })
  await research('blocks_add', { markdown: 'Source: the port.', position: { position: 'end', pageId: items[0].id } })
  const waiting = await visitor.get('/waiting')
  expect(textOf(waiting)).toContain('Can be approved after what it needs.')
  const [second] = (await anna('proposals_list')).items
  const alone = await visitor.get(`/waiting/${second.proposalId}`)
  expect(offers(alone, 'Approve')).toBe(false)
})

test('parts are accepted and rejected one by one, each as it was shown', async () => {
  const position = { position: 'end', pageId: plan }
  await research('blocks_add', { markdown: 'Source: the port.\n\nAsked on Monday.\n\nAnswered.', position })
  const { proposalId } = (await anna('proposals_list')).items[0]
  expect(textOf(await visitor.get('/waiting'))).toContain('Its 3 parts')
  const page = await visitor.get(`/waiting/${proposalId}`)
  expect(textOf(page)).toContain('1. Add to “Plan” + Added: Source: the port.')
  const accepted = await visitor.press(page, 'Accept')
  expect(textOf(accepted)).toContain('Accepted.')
  expect(textOf(accepted)).toContain('1. Add to “Plan” + Added: Asked on Monday.')
  const { parts } = (await anna('proposals_list', { proposalId, format: 'json' })).items[0]
  const rejected = await visitor.send(`/waiting/${proposalId}/reject-part`, { part: parts[1].part })
  expect(textOf(rejected)).toContain('Rejected.')
  const done = await visitor.press(await visitor.get(`/waiting/${proposalId}`), 'Approve')
  expect(textOf(done)).toContain('Approved.')
  const { content } = await anna('blocks_get', { id: plan })
  expect(content.map(({ markdown }: { markdown: string }) => markdown)).toEqual([
    ...['Permits take six weeks.', 'Source: the port.', 'Answered.'],
  ])
})

test('a part whose words are gone shows both texts', async () => {
  const position = { position: 'end', pageId: plan }
  await research('batch', {
    steps: [
      { tool: 'blocks_update', arguments: { blocks: [{ id: first, markdown: 'Permits take nine weeks.' }] } },
      { tool: 'blocks_add', arguments: { markdown: 'Source: the port.', position } },
    ],
  })
  await anna('blocks_update', { blocks: [{ id: first, markdown: 'Nobody knows.' }] })
  const { proposalId } = (await anna('proposals_list')).items[0]
  const page = await visitor.get(`/waiting/${proposalId}`)
  expect(textOf(page)).toContain(
    'It was made from “Permits take six weeks.”, and the text is “Nobody knows.” now. Accepting it puts the proposed text in its place.',
  )
  await visitor.press(page, 'Accept')
  expect(await text()).toBe('Permits take nine weeks.')
})

test('all proposals are approved up to the first that would now change something else', async () => {
  await propose('Permits take nine weeks.')
  await research('blocks_add', { markdown: 'Source: the port.', position: { position: 'end', pageId: plan } })
  const waiting = await visitor.get('/waiting')
  await anna('blocks_update', { blocks: [{ id: first, markdown: 'Permits take long.' }] })
  const refused = await visitor.press(waiting, 'Approve all 2 of research')
  expect(refused.status).toBe(409)
  expect(
    (await anna('blocks_get', { id: plan })).content.map(({ markdown }: { markdown: string }) => markdown),
  ).toEqual(['Permits take long.'])
  expect((await anna('proposals_list', { state: 'waiting' })).items).toHaveLength(2)
})

test('the panel offers no approval of a file, which it does not show', async () => {
  await research('files_add', {
    text: 'Six weeks.',
    fileName: 'permits.txt',
    position: { position: 'end', pageId: plan },
  })
  const panel = await visitor.get('/activity')
  expect(textOf(panel)).toContain('research proposes')
  expect(offers(panel, 'Approve')).toBe(false)
  expect(offers(panel, 'Read all of it')).toBe(true)
  expect(offers(await visitor.get('/waiting'), 'Approve')).toBe(true)
})

test.each(['read', 'propose'] as const)('a link with access %s cannot decide', async (access) => {
  await propose('Permits take nine weeks.')
  const { proposalId } = (await anna('proposals_list')).items[0]
  const other = await visitByLink(serving, { access })
  for (const path of ['/activity', '/waiting', `/waiting/${proposalId}`]) {
    expect(offers(await other.get(path), 'Approve')).toBe(false)
  }
  for (const path of ['approve', 'reject', 'edit']) {
    const { status } = await other.post(`/waiting/${proposalId}/${path}`, { do: 'approve' })
    expect([403, 404, 409], path).toContain(status)
  }
  expect(await text()).toBe('Permits take six weeks.')
})
