/** A condition of a call holds for one of several callers that make the same change, however they call. */
import { expect, test } from 'vitest'
import { buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { contentOf, documentOf, outline } from '../document.ts'
import type { Ask } from '../http/serving.ts'
import { serveProposals } from './serve-proposals.ts'

const AGENTS = 10
const FREE = 'lock: free'
const TAKEN = 'lock: taken'

interface Lock {
  page: string
  block: string
  revision: string
}

/** A call of an agent that takes the lock. */
type Take = (lock: Lock) => { tool: string; args: object }

const change = ({ block }: Lock) => ({ id: block, markdown: TAKEN, expectedMarkdown: FREE })
const steps = (lock: Lock) => [
  { tool: 'blocks_update', arguments: { blocks: [change(lock)] } },
  { tool: 'blocks_add', arguments: { markdown: 'mine', position: { position: 'end', pageId: lock.page } } },
]

const TAKES: Record<string, Take> = {
  'the text of a block': (lock) => ({ tool: 'blocks_update', args: { blocks: [change(lock)] } }),
  'the text of a block, in a batch': (lock) => ({ tool: 'batch', args: { steps: steps(lock) } }),
  'the revision of a block': ({ block, revision }) => ({
    tool: 'blocks_update',
    args: { blocks: [{ id: block, markdown: TAKEN, revision }] },
  }),
  'the revision of a page': ({ page, revision }) => ({
    tool: 'blocks_update',
    args: { pageId: page, markdown: TAKEN, revision },
  }),
  'a passage of a page': ({ page }) => ({
    tool: 'blocks_update',
    args: { pageId: page, replace: [{ old: FREE, new: TAKEN }] },
  }),
}

async function lockOf(agent: Connected): Promise<Lock> {
  const page = await documentOf(agent, FREE)
  const [{ id: block }] = await contentOf(agent, page)
  const { revision } = await agent.call('blocks_get', { id: page })
  return { page, block, revision }
}

test.each(Object.entries(TAKES))('%s: one of ten agents takes a lock', async (_, take) => {
  const built = await buildSpace()
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => connect('full', { to: built })))
  const [first] = agents as [Connected]
  const lock = await lockOf(first)
  const { tool, args } = take(lock)
  const results = await Promise.allSettled(agents.map((agent) => agent.call(tool, args)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const content = await contentOf(first, lock.page)
  expect(content[0].markdown).toBe(TAKEN)
  // What follows the condition in a batch happened once.
  expect(content).toHaveLength(tool === 'batch' ? 2 : 1)
})

test('a block whose text is already as it would be written is refused if it is not as expected', async () => {
  const agent = await connect()
  const lock = await lockOf(agent)
  await agent.call('blocks_update', { blocks: [change(lock)] })
  expect(await agent.refused('blocks_update', { blocks: [change(lock)] })).toBe(
    `Expected block ${lock.block} with markdown "lock: free", found "lock: taken"; nothing was written, since it was changed: read it again.`,
  )
  expect(await agent.refused('batch', { steps: steps(lock) })).toContain(
    'At steps[0].arguments.blocks[0].expected.markdown: Expected block',
  )
  expect(await contentOf(agent, lock.page)).toHaveLength(1)
})

test('a condition without a change is checked, and so is that the block is empty', async () => {
  const agent = await connect()
  const { page, block } = await lockOf(agent)
  await agent.call('blocks_update', { blocks: [{ id: block, expectedMarkdown: FREE }] })
  for (const expectedMarkdown of [TAKEN, '']) {
    await agent.refused('blocks_update', { blocks: [{ id: block, expectedMarkdown }] })
    await agent.refused('blocks_update', { blocks: [{ id: block, markdown: FREE, expectedMarkdown }] })
  }
  await agent.call('blocks_update', { blocks: [{ id: block, markdown: '' }] })
  await agent.call('blocks_update', { blocks: [{ id: block, markdown: 'a', expectedMarkdown: '' }] })
  expect(outline(await contentOf(agent, page))).toEqual(['a'])
})

test('a later change of the same block in one call is checked against the earlier one', async () => {
  const agent = await connect()
  const lock = await lockOf(agent)
  await agent.refused('blocks_update', { blocks: [change(lock), change(lock)] })
  await agent.refused('batch', { steps: [steps(lock)[0], steps(lock)[0]] })
  expect((await contentOf(agent, lock.page))[0].markdown).toBe(FREE)
})

test('over REST, the others get 409 and nothing of their calls is written', async () => {
  const { owner, agent, plan, read } = await serveProposals()
  const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
  const block = json.content[0].id
  const take = (ask: Ask) => ask('PUT /blocks', { blocks: [{ id: block, markdown: TAKEN, expectedMarkdown: 'one' }] })
  const answers = await Promise.all(Array.from({ length: AGENTS }, () => take(owner.ask)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(AGENTS - 1).fill(409)])
  const before = await read()
  // A change that is refused is not proposed either.
  expect((await take(agent.ask)).status).toBe(409)
  expect(await read()).toBe(before)
})

test('of proposals that take the same lock, one is carried out', async () => {
  const { owner, person, plan, link, approve, read } = await serveProposals()
  const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
  const update = { blocks: [{ id: json.content[0].id, markdown: TAKEN, expectedMarkdown: 'one' }] }
  const add = { markdown: 'mine', position: { position: 'end', pageId: plan } }
  const proposals: { proposalId: string; fingerprint: string }[] = []
  for (const name of ['first', 'second']) {
    const robot = await link({ name, access: 'propose' })
    const proposed = await robot.ask('POST /batch?ids=short', {
      steps: [
        { tool: 'blocks_update', arguments: update },
        { tool: 'blocks_add', arguments: add },
      ],
    })
    const { proposalId } = proposed.json.proposal
    const listed = await person.ask(`GET /proposals?proposalId=${proposalId}&ids=short`)
    proposals.push({ proposalId, fingerprint: listed.json.items[0].fingerprint })
  }
  const answers = await Promise.all(
    proposals.map(({ proposalId, fingerprint }) => approve(person, proposalId, { fingerprint })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await read()).match(/mine/g)).toHaveLength(1)
})
