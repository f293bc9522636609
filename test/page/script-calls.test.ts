/** Tool calls from scripts of the pages. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let anna: Program
let plan: string

beforeEach(async () => {
  serving = await servePages()
  anna = program(serving.space, 'editor')
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'First words.' }] })
  plan = items[0].id
})

const words = async () => {
  const { content } = await anna('blocks_get', { id: plan })
  return (content as { markdown: string }[]).map(({ markdown }) => markdown)
}

const add = (markdown: string) => ({
  tool: 'blocks_add',
  arguments: { markdown, position: { position: 'end', pageId: plan }, answer: 'ids' },
})

/** Sends a request like a script of the page. @param more  headers that replace its own */
async function send(visitor: Visitor, body: unknown, more: Record<string, string> = {}, query = '') {
  const page = await visitor.get(`/d/${plan}`)
  const token = /<body[^>]* data-token="([^"]*)"/.exec(page.text)?.[1] ?? ''
  const response = await fetch(`${visitor.base}/calls${query}`, {
    method: 'POST',
    headers: {
      cookie: visitor.cookie,
      origin: new URL(visitor.base).origin,
      'x-form-token': token,
      'content-type': 'application/json',
      ...more,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

describe('a call from a script', () => {
  test('is carried out, with a JSON response', async () => {
    const sent = await send(await visitAsOperator(serving), add('Second.'))
    expect(sent).toMatchObject({
      status: 200,
      body: { answer: { items: [{ id: expect.stringMatching(/^\d{12}$/) }] } },
    })
    expect(sent.headers.get('cache-control')).toBe('no-store')
    expect(await words()).toEqual(['First words.', 'Second.'])
  })

  test('that is retried with its key is carried out once', async () => {
    const visitor = await visitAsOperator(serving)
    const first = await send(visitor, add('Second.'), { 'idempotency-key': 'one' })
    const { callId, ...answer } = first.body.answer
    expect(await send(visitor, add('Second.'), { 'idempotency-key': 'one' })).toMatchObject({ body: { answer } })
    await send(visitor, add('Third.'), { 'idempotency-key': 'two' })
    expect(await words()).toEqual(['First words.', 'Second.', 'Third.'])
  })

  test('has its ID in the answer, by which the page undoes it', async () => {
    const visitor = await visitAsOperator(serving)
    const { body } = await send(visitor, add('Second.'))
    const undo = { tool: 'history_undo', arguments: { calls: [body.answer.callId] } }
    expect(await send(visitor, undo)).toMatchObject({ status: 200 })
    expect(await words()).toEqual(['First words.'])
  })

  test('can be a dry run', async () => {
    const { body } = await send(await visitAsOperator(serving), { ...add('Second.'), dryRun: true })
    expect(body.answer.dryRun.summary).toBe('"Plan": 1 block added')
    expect(await words()).toEqual(['First words.'])
  })

  test('can add a file from its bytes', async () => {
    const visitor = await visitAsOperator(serving)
    const input = JSON.stringify({ position: 'end', pageId: plan, fileName: 'note.txt' })
    const query = `?${new URLSearchParams({ tool: 'files_add', arguments: input })}`
    const { body } = await send(visitor, 'A note.', { 'content-type': 'text/plain' }, query)
    const { content } = await anna('blocks_get', { id: plan })
    expect(content[1]).toMatchObject({ id: body.answer.blockId, type: 'file', fileName: 'note.txt', fileSize: 7 })
  })

  test('of a list is carried out in order, each once, with IDs of earlier ones', async () => {
    const visitor = await visitAsOperator(serving)
    const first = { key: 'one', names: { 'new-1': 'items.0.id' }, ...add('Second.') }
    const refused = { key: 'two', tool: 'blocks_delete', arguments: { blockIds: ['100000000099'] } }
    const change = { blocks: [{ id: 'new-1', markdown: 'Changed.', base: 'Second.' }], answer: 'ids' }
    const last = { key: 'three', tool: 'blocks_update', arguments: change }
    const { body } = await send(visitor, { calls: [first, refused, last] })
    const id = body.answers[0].answer.items[0].id
    expect(body.answers).toEqual([
      { answer: { items: [{ id }], callId: expect.any(String) } },
      { error: expect.stringContaining('100000000099'), code: 'NOT_FOUND_ERROR' },
      { answer: { items: [{ id }], callId: expect.any(String) } },
    ])
    expect(await words()).toEqual(['First words.', 'Changed.'])
    // The page that sends the last call again knows the ID.
    const again = { tool: 'blocks_update', arguments: { ...change, blocks: [{ ...change.blocks[0], id }] } }
    expect(await send(visitor, again, { 'idempotency-key': 'three' })).toMatchObject({ status: 200 })
    expect(await words()).toEqual(['First words.', 'Changed.'])
  })

  test('of a list needs a key, and a list has an end', async () => {
    const visitor = await visitAsOperator(serving)
    const refusal = async (calls: unknown) => (await send(visitor, { calls })).body.error
    expect(await refusal([add('Second.')])).toBe(
      'Expected { key, tool, arguments } as each call, found another; name the tool, and give a key.',
    )
    expect(await refusal([])).toBe('Expected 1 to 500 calls, found 0; send them one by one.')
    const many = Array.from({ length: 501 }, (_, index) => ({ key: `${index}`, ...add('Second.') }))
    expect(await refusal(many)).toBe('Expected 1 to 500 calls, found 501; send them one by one.')
    expect(await words()).toEqual(['First words.'])
  })

  test('is rejected with the words of the tool', async () => {
    const visitor = await visitAsOperator(serving)
    const missing = { tool: 'blocks_delete', arguments: { blockIds: ['100000000099'] } }
    expect(await send(visitor, missing)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND_ERROR' } })
    expect(await send(visitor, '{ "tool": 1 }')).toMatchObject({
      status: 400,
      body: {
        error: 'Expected { tool, arguments } as the body, found another; name the tool, and give its arguments.',
      },
    })
    // Endpoints for decisions are not tools of a link.
    const approval = { tool: 'proposals_approve', arguments: { proposalId: '100000000099' } }
    expect(await send(visitor, approval)).toMatchObject({ status: 404, body: { code: 'NOT_AVAILABLE' } })
  })
})

describe('a request that is not from our own scripts', () => {
  test('is rejected without the token, and from elsewhere', async () => {
    const visitor = await visitAsOperator(serving)
    for (const more of [{ 'x-form-token': 'x'.repeat(43) }, { origin: 'http://elsewhere.example' }]) {
      expect((await send(visitor, add('Second.'), more)).status).toBe(403)
    }
    const form = await visitor.post('/calls', { tool: 'blocks_add' })
    expect(form.status).toBe(403)
    expect(JSON.parse(form.text)).toEqual({
      error: 'Expected the token of the page in x-form-token, found none; open the page again.',
      code: 'FORBIDDEN',
    })
    expect(await words()).toEqual(['First words.'])
  })

  test('has no more access and reach than its link', async () => {
    const { items } = await anna('documents_add', { documents: [{ title: 'Secret' }] })
    const operator = await visitAsOperator(serving)
    const reader = await visitByLink(serving, { access: 'read' })
    const page = await reader.get(`/d/${plan}`)
    expect(page.text).not.toMatch(/data-token|page\/edit-/)
    expect((await operator.get(`/d/${plan}`)).text).toMatch(/<script src="\/page\/edit-[^"]+" type="module">/)
    const token = /name="token" value="([^"]+)"/.exec((await reader.get('/')).text)?.[1] ?? ''
    expect(await send(reader, add('Second.'), { 'x-form-token': token })).toMatchObject({ status: 403 })
    const selected = await visitByLink(serving, { kind: 'selected', documents: [plan] })
    const position = { position: 'end', pageId: items[0].id }
    const beyond = { tool: 'blocks_add', arguments: { markdown: 'Out.', position } }
    expect(await send(selected, beyond)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND_ERROR' } })
    expect(await send(selected, add('In.'))).toMatchObject({ status: 200 })
  })
})
