/** Dry runs: they report what a call would change, and change nothing. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'

const PLAN = { documents: [{ title: 'Plan', markdown: 'one\n\ntwo' }] }

test('over MCP it is requested in _meta, and the response has the diff', async () => {
  const { call, client } = await connect()
  const { items } = await call('documents_add', PLAN)
  const page = await call('blocks_get', { id: items[0].id })
  const dry = await client.callTool({
    name: 'blocks_delete',
    arguments: { blockIds: [page.content[0].id] },
    _meta: { 'scriptorium/dryRun': true },
  })
  expect(dry.structuredContent).toEqual({
    dryRun: { summary: '"Plan": 1 block deleted', diff: expect.stringContaining('-one'), isDiffComplete: true },
    items: [{ id: page.content[0].id }],
  })
  expect(await call('blocks_get', { id: items[0].id })).toEqual(page)
})

test('over MCP a value that is not a boolean is rejected, since the call would be carried out', async () => {
  const { client } = await connect()
  const response = await client.callTool({
    name: 'documents_add',
    arguments: PLAN,
    _meta: { 'scriptorium/dryRun': 'yes' },
  })
  expect(response.content).toEqual([
    {
      type: 'text',
      text: 'Expected true or false as scriptorium/dryRun, found "yes"; leave it out to carry the call out.',
    },
  ])
})

test('over REST it is requested with Prefer, and the response confirms it', async () => {
  const { link } = await serveBuilt()
  const { ask: request } = await link()
  const dry = await request('POST /documents', PLAN, { Prefer: 'respond-async, Dry-Run;x=1' })
  expect(dry.headers.get('preference-applied')).toBe('dry-run')
  expect(dry.json).toMatchObject({ dryRun: { summary: '"Plan": added, 2 blocks added' }, items: [{ title: 'Plan' }] })
  expect((await request('GET /documents')).json.items).toEqual([])
  const read = await request('GET /documents', undefined, { Prefer: 'dry-run' })
  expect(read.headers.has('preference-applied')).toBe(false)
})

test('a batch has dryRun as an argument', async () => {
  const { call } = await connect()
  const answer = await call('batch', { steps: [{ tool: 'documents_add', arguments: PLAN }], dryRun: true })
  expect(answer).toMatchObject({
    dryRun: { summary: '"Plan": added, 2 blocks added' },
    items: [{ ids: [expect.any(String)] }],
  })
  expect((await call('documents_list', {})).items).toEqual([])
})

test('what would be rejected is rejected with the same words', async () => {
  const { refused, client } = await connect()
  const args = { blockIds: ['123456789012'] }
  const dry = await client.callTool({ name: 'blocks_delete', arguments: args, _meta: { 'scriptorium/dryRun': true } })
  expect((dry.content as { text: string }[])[0]?.text).toBe(await refused('blocks_delete', args))
})
