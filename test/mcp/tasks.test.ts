/** Calls that wait for approval, as tasks of MCP (io.modelcontextprotocol/tasks). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { TASK_RESPONSE_LENGTH } from '../../src/base/limits.ts'
import { serveProposals } from '../call/serve-proposals.ts'
import { connect } from '../connect.ts'
import type { TestLink } from '../http/serving.ts'
import { request, TASKS } from './task-wire.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** A server, and functions that propose over MCP and follow the task. */
async function serveTasks() {
  const serving = await serveProposals()
  const { agent, plan } = serving
  const propose = async (markdown: string, more: object = {}) =>
    (
      await request(agent, 'tools/call', {
        name: 'blocks_add',
        arguments: { markdown, position: { position: 'end', pageId: plan } },
        ...more,
      })
    ).result
  const get = async (taskId: string, link: TestLink = agent) => request(link, 'tasks/get', { taskId })
  const cancel = async (taskId: string, link: TestLink = agent) => request(link, 'tasks/cancel', { taskId })
  const states = async () => (await agent.ask('GET /proposals')).json.items.map(({ state }: { state: string }) => state)
  return { ...serving, propose, get, cancel, states }
}

const proposalOf = (task: { _meta: Record<string, { proposalId: string }> }): string =>
  task._meta['scriptorium/proposal']?.proposalId ?? ''

describe('a call that waits for approval', () => {
  test('is answered with a task, which says what waits', async () => {
    const { propose, get, read, clock } = await serveTasks()
    const before = await read()
    const task = await propose('three')
    const at = new Date(clock.now).toISOString()
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{40,}$/),
      status: 'working',
      statusMessage: `Waits for a person's approval as proposal ${proposalOf(task)}: "Plan": 1 block added.`,
      createdAt: at,
      lastUpdatedAt: at,
      ttlMs: 30 * DAY_MS,
      pollIntervalMs: 10_000,
      content: [{ type: 'text', text: task.statusMessage }],
      _meta: {
        'scriptorium/proposal': {
          proposalId: expect.stringMatching(/^\d{12}$/),
          summary: '"Plan": 1 block added',
          diff: expect.stringContaining('+three'),
          isDiffComplete: true,
        },
        'io.modelcontextprotocol/serverInfo': expect.anything(),
      },
    })
    const { _meta: _, resultType: __, content: ___, ...state } = task
    expect((await get(task.taskId)).result).toMatchObject({ ...state, resultType: 'complete' })
    expect(await read()).toBe(before)
  })

  test('completes with the result that the same call has at once', async () => {
    const { agent, owner, person, plan, propose, get, approve, read } = await serveTasks()
    const { taskId, ...task } = await propose('three')
    const approved = await approve(person, proposalOf(task as never))
    const { result: done } = await get(taskId)
    expect(done).toMatchObject({ status: 'completed', resultType: 'complete' })
    const { content, structuredContent, isError, _meta } = done.result
    expect(isError).toBeUndefined()
    const [{ id }] = structuredContent.items
    expect(content).toEqual([
      { type: 'text', text: JSON.stringify({ items: [{ id }] }) },
      { type: 'text', text: `Proposal ${proposalOf(task as never)} was approved by Anna.` },
    ])
    expect(_meta['scriptorium/proposal']).toMatchObject({
      ...{ state: 'approved', decidedBy: 'Anna', callId: approved.json.callId },
    })
    expect(await read()).toContain('three')
    expect((await owner.ask(`GET /blocks?id=${id}&ids=short`)).json.markdown).toBe('three')
    const direct = await request(owner, 'tools/call', {
      ...{ name: 'blocks_add', arguments: { markdown: 'four', position: { position: 'end', pageId: plan } } },
    })
    expect(Object.keys(direct.result.structuredContent)).toEqual(Object.keys(structuredContent))
    expect((await get(taskId, agent)).result).toEqual(done)
  })

  test('that is rejected completes with an error for the model', async () => {
    const { person, propose, get, reject } = await serveTasks()
    const task = await propose('three')
    await reject(person, proposalOf(task), { note: 'Not before Monday' })
    const { result: done } = await get(task.taskId)
    const sentence = `Expected a person to approve proposal ${proposalOf(task)}, found it rejected by Anna: "Not before Monday"; nothing was written, propose something else or ask them.`
    expect(done).toMatchObject({ status: 'completed', statusMessage: sentence })
    expect(done.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: sentence }],
      _meta: { 'scriptorium/error': { code: 'FORBIDDEN' }, 'scriptorium/proposal': { state: 'rejected' } },
    })
    expect(done).not.toHaveProperty('error')
  })

  test('completes with the last of its parts, and says which were not written', async () => {
    const { agent, person, propose, get } = await serveTasks()
    const task = await propose('three\n\nfour')
    const parts = async () => (await person.ask(`GET /proposals/parts?proposalId=${proposalOf(task)}`)).json.items
    const [first, second] = await parts()
    const decide = (how: string, body: object) => person.ask(`POST /proposals/${proposalOf(task)}/${how}`, body)
    await decide('approve', { parts: [first.part], fingerprint: first.fingerprint })
    const { result: half } = await get(task.taskId)
    expect(half).toMatchObject({ status: 'working', statusMessage: expect.stringContaining('Accepted: 1 of 2.') })
    expect(half).not.toHaveProperty('result')
    await decide('reject', { parts: [second.part] })
    const { result: done } = await get(task.taskId)
    expect(done.status).toBe('completed')
    expect(done.result.structuredContent.items).toHaveLength(2)
    expect(done.result.content[1].text).toBe(
      `Proposal ${proposalOf(task)} was approved by Anna. Accepted: 1 of 2. Not written: ${second.part}.`,
    )
    expect((await agent.ask(`GET /blocks?id=${first.part}`)).status).toBe(200)
    expect((await agent.ask(`GET /blocks?id=${second.part}`)).status).toBe(404)
  })

  test('promises nothing about other calls that a person has approved in its place', async () => {
    const { person, plan, propose, get, approve, read } = await serveTasks()
    const task = await propose('three')
    const args = { markdown: 'THREE', position: { position: 'end', pageId: plan } }
    const { json } = await approve(person, proposalOf(task), { steps: [{ tool: 'blocks_add', arguments: args }] })
    const { result } = (await get(task.taskId)).result
    expect(result).toMatchObject({ isError: true })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content[0].text).toBe(
      `Expected proposal ${proposalOf(task)} to be carried out as proposed, found that other calls were approved in its place by Anna; read what they wrote with history_list, call ${json.callId}.`,
    )
    expect(await read()).toContain('THREE')
  })

  test('is cancelled if nobody decides in time', async () => {
    const { propose, get, clock, states } = await serveTasks()
    const task = await propose('three')
    const end = clock.now + 30 * DAY_MS
    clock.now = end + 1
    expect((await get(task.taskId)).result).toMatchObject({
      status: 'cancelled',
      statusMessage: `Proposal ${proposalOf(task)} ended, since no one decided in time; nothing was written.`,
      lastUpdatedAt: new Date(end).toISOString(),
    })
    expect(await states()).toEqual(['ended'])
  })

  test('is answered with the same task if it is repeated with its idempotency key', async () => {
    const { propose, states } = await serveTasks()
    const again = { _meta: { 'scriptorium/idempotencyKey': 'k' } }
    const task = await propose('three', again)
    expect(await propose('three', again)).toMatchObject({ resultType: 'task', taskId: task.taskId })
    expect(await states()).toEqual(['waiting'])
  })

  test('is answered at once if its response is too long to be kept', async () => {
    const { agent, plan } = await serveTasks()
    const long = 'x'.repeat(1_000)
    const markdown = Array.from({ length: TASK_RESPONSE_LENGTH / 1_000 }, () => long).join('\n\n')
    const { result } = await request(agent, 'tools/call', {
      name: 'blocks_add',
      arguments: { markdown, position: { position: 'end', pageId: plan }, answer: 'full' },
    })
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { proposal: expect.anything() } })
  })
})

describe('tasks/cancel', () => {
  test('withdraws what waits', async () => {
    const { person, propose, get, cancel, states, reject } = await serveTasks()
    const task = await propose('three')
    const { result } = await cancel(task.taskId)
    expect(Object.keys(result).toSorted()).toEqual(['_meta', 'resultType'])
    expect((await get(task.taskId)).result).toMatchObject({
      status: 'cancelled',
      statusMessage: `Proposal ${proposalOf(task)} was withdrawn; nothing was written.`,
    })
    expect(await states()).toEqual(['ended'])
    expect((await reject(person, proposalOf(task))).status).toBe(409)
  })

  test('is acknowledged, and changes nothing, once all is decided', async () => {
    const { person, propose, get, cancel, approve, read } = await serveTasks()
    const task = await propose('three')
    await approve(person, proposalOf(task))
    const done = (await get(task.taskId)).result
    expect((await cancel(task.taskId)).result.resultType).toBe('complete')
    expect((await get(task.taskId)).result).toEqual(done)
    expect(await read()).toContain('three')
  })

  test('leaves the accepted parts, and ends the rest', async () => {
    const { person, propose, get, cancel, read } = await serveTasks()
    const task = await propose('three\n\nfour')
    const { json } = await person.ask(`GET /proposals/parts?proposalId=${proposalOf(task)}`)
    const [{ part, fingerprint }] = json.items
    await person.ask(`POST /proposals/${proposalOf(task)}/approve`, { parts: [part], fingerprint })
    await cancel(task.taskId)
    const { result: done } = await get(task.taskId)
    expect(done.status).toBe('completed')
    expect(done.result.content[1].text).toContain('Accepted: 1 of 2. Not written: ')
    expect(await read()).not.toContain('four')
  })
})

test('tasks/update acknowledges answers to questions that were never asked', async () => {
  const { agent, propose } = await serveTasks()
  const { taskId } = await propose('three')
  const { result } = await request(agent, 'tasks/update', { taskId, inputResponses: { unknown: { action: 'accept' } } })
  expect(Object.keys(result).toSorted()).toEqual(['_meta', 'resultType'])
})

describe('a task of another connection', () => {
  test.each(['tasks/get', 'tasks/cancel', 'tasks/update'])('is as unknown to %s as none', async (method) => {
    const { server: _, person, owner, propose, states, link } = await serveTasks()
    const other = await link({ name: 'Other robot', access: 'propose' })
    const task = await propose('three')
    const errorOf = async (from: TestLink, taskId: string) =>
      (await request(from, method, { taskId, inputResponses: {} })).error
    for (const from of [other, person, owner]) {
      for (const taskId of [task.taskId, proposalOf(task), 'none', '']) {
        expect(await errorOf(from, taskId)).toEqual({
          code: -32602,
          message: `Expected the ID of a task of this connection, found ${JSON.stringify(taskId)}; a call that waits for approval is answered with one.`,
        })
      }
    }
    expect(await states()).toEqual(['waiting'])
  })

  test('is unknown over another space, and over a link that was revoked', async () => {
    const { agent, propose, space } = await serveTasks()
    const { taskId } = await propose('three')
    const elsewhere = await serveTasks()
    expect((await elsewhere.get(taskId)).error?.code).toBe(-32602)
    const { revokeAccessLink } = await import('../../src/auth/access-links/access-links.ts')
    const { OPERATOR_LINK } = await import('../../src/space/model/space.ts')
    await space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, agent.info.id))
    expect((await request(agent, 'tasks/get', { taskId })).status).toBe(401)
  })

  test('is unknown once a document of it has left the reach of its link', async () => {
    const { space, owner, plan, link } = await serveTasks()
    const narrow = await link({ name: 'Narrow', access: 'propose', kind: 'selected', documents: [plan] })
    const { result: task } = await request(narrow, 'tools/call', {
      ...{ name: 'blocks_add', arguments: { markdown: 'three', position: { position: 'end', pageId: plan } } },
    })
    expect((await request(narrow, 'tasks/get', { taskId: task.taskId })).result.status).toBe('working')
    const { exposeDocuments } = await import('../../src/auth/access-links/access-links.ts')
    const { OPERATOR_LINK } = await import('../../src/space/model/space.ts')
    const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Other' }] })
    await space.write(OPERATOR_LINK, (view) => exposeDocuments(view, narrow.info.id, [json.items[0].id]))
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect((await request(narrow, method, { taskId: task.taskId })).error?.code).toBe(-32602)
    }
    const [item] = (await owner.ask('GET /proposals')).json.items
    expect(item.state).toBe('waiting')
  })
})

describe('a client that does not declare the extension', () => {
  test('is told at once that the call waits, and has no tasks', async () => {
    const { agent, plan } = await serveTasks()
    const call = { name: 'blocks_add', arguments: { markdown: 'three', position: { position: 'end', pageId: plan } } }
    const { result } = await request(agent, 'tools/call', call, {})
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { proposal: { proposalId: expect.any(String) }, items: [{ id: expect.any(String) }] },
    })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { status, error } = await request(agent, method, { taskId: 'any', inputResponses: {} }, {})
      expect([status, error?.code, error?.data]).toEqual([400, -32021, { requiredCapabilities: TASKS }])
    }
    const listen = await request(agent, 'subscriptions/listen', { notifications: { taskIds: ['any'] } }, {})
    expect([listen.status, listen.error?.code]).toEqual([400, -32021])
  })

  test.each(['2025', '2026'] as const)('hears the same over standard input and output, also of %s', async (era) => {
    const link = await connect('full', { access: 'propose', era, capabilities: era === '2025' ? TASKS : {} })
    const { proposal, items } = await link.call('documents_add', { documents: [{ title: 'New' }] })
    expect([proposal.summary, items.length]).toEqual(['"New": added', 1])
    const { extensions = {} } = link.client.getServerCapabilities() ?? {}
    expect('io.modelcontextprotocol/tasks' in extensions).toBe(era === '2026')
  })

  test('of 2025 finds no method for tasks, whatever it declares', async () => {
    const { agent } = await serveTasks()
    const client = new Client({ name: 'tester', version: '1' }, { capabilities: TASKS })
    await client.connect(new StreamableHTTPClientTransport(new URL(agent.mcp)))
    onTestFinished(() => client.close())
    const { z } = await import('zod')
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const asked = client.request({ method, params: { taskId: 'any' } } as never, z.looseObject({}))
      await expect(asked).rejects.toMatchObject({ code: -32601 })
    }
  })
})

test('a call that a person need not approve is never a task', async () => {
  const { owner, agent, plan } = await serveTasks()
  const write = { name: 'blocks_add', arguments: { markdown: 'x', position: { position: 'end', pageId: plan } } }
  expect((await request(owner, 'tools/call', write)).result.resultType).toBe('complete')
  const read = { name: 'blocks_get', arguments: { id: plan } }
  expect((await request(agent, 'tools/call', read)).result.resultType).toBe('complete')
  const refused = { ...write, arguments: { markdown: 'x', position: { position: 'end', pageId: 'none' } } }
  expect((await request(agent, 'tools/call', refused)).result).toMatchObject({ resultType: 'complete', isError: true })
  const dry = { ...write, _meta: { 'scriptorium/dryRun': true } }
  expect((await request(agent, 'tools/call', dry)).result.structuredContent).toHaveProperty('dryRun')
})
