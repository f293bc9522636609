/** Several calls in one: either all of them run or none. */
import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../connect.ts'

const add = (title: string, as?: string) => ({
  tool: 'documents_add',
  arguments: { documents: [{ title }] },
  ...(as !== undefined && { as }),
})
const write = (pageId: string, markdown: string, as?: string) => ({
  tool: 'blocks_add',
  arguments: { markdown, position: { position: 'end', pageId } },
  ...(as !== undefined && { as }),
})
const markdownOf = (call: (name: string, args?: object) => Promise<Answer>, id: string) =>
  call('blocks_get', { id, format: 'markdown' })

describe('batch', () => {
  test('later steps can reference what earlier ones create, and reading steps see it', async () => {
    const { call } = await connect()
    const { items } = await call('batch', {
      steps: [
        add('Plan', 'plan'),
        write('$plan', 'a\n\nb\n\nc', 'lines'),
        { tool: 'blocks_get', arguments: { id: '$plan', format: 'markdown' } },
        { tool: 'blocks_delete', arguments: { blockIds: ['$lines.1'] } },
        {
          tool: 'blocks_move',
          arguments: { blockIds: ['$lines.2'], position: { position: 'before', siblingId: '$lines' } },
        },
      ],
    })
    const [plan] = items[0].ids
    const [a, b, c] = items[1].ids
    expect(items).toEqual([
      { tool: 'documents_add', as: 'plan', ids: [plan] },
      { tool: 'blocks_add', as: 'lines', ids: [a, b, c] },
      { tool: 'blocks_get', answer: expect.stringContaining('a\n\nb\n\nc') },
      { tool: 'blocks_delete', ids: [b] },
      { tool: 'blocks_move', ids: [c] },
    ])
    expect(await markdownOf(call, plan)).toContain('c\n\na')
  })

  test('steps that search find what earlier ones wrote', async () => {
    const { call } = await connect()
    const { items } = await call('batch', {
      steps: [
        { tool: 'documents_add', arguments: { documents: [{ title: 'Plan', markdown: 'a quagga' }] } },
        { tool: 'documents_search', arguments: { include: ['quagga'], format: 'json' } },
      ],
    })
    expect(items[1].answer.items).toMatchObject([{ title: 'Plan' }])
  })

  test('references also work in values of items, and generated IDs are returned', async () => {
    const { call } = await connect()
    const schema = { name: 'Jobs', properties: [{ name: 'Next job', type: 'relation' }] }
    const item = (title: string, next?: string) => ({
      title,
      ...(next && { properties: { next_job: { relations: [{ blockId: next }] } } }),
    })
    const { items } = await call('batch', {
      steps: [
        add('Plan', 'plan'),
        { tool: 'collections_add', as: 'jobs', arguments: { schema, position: { position: 'end', pageId: '$plan' } } },
        { tool: 'items_add', as: 'dig', arguments: { collectionId: '$jobs', items: [item('Dig')] } },
        { tool: 'items_add', arguments: { collectionId: '$jobs', items: [item('Pour', '$dig')] } },
      ],
    })
    expect(items[1].answer).toEqual({ keys: { Jobs: 'jobs', 'Next job': 'next_job' } })
    const { items: jobs } = await call('items_list', { collectionId: items[1].ids[0] })
    expect(jobs[1].properties.next_job).toEqual({ relations: [{ blockId: items[2].ids[0] }] })
  })

  test('a dollar sign in a text is text', async () => {
    const { call } = await connect()
    const { items } = await call('batch', { steps: [add('$plan', 'plan'), write('$plan', '$plan costs $5')] })
    expect(await markdownOf(call, items[0].ids[0])).toContain('$plan costs $5')
  })

  test('arguments as JSON text and aliases of the fields of a step are accepted', async () => {
    const { call } = await connect()
    const { items } = await call('batch', {
      steps: JSON.stringify([{ name: 'documents_add', args: '{"documents":[{"title":"Plan"}]}' }]),
    })
    expect(items).toMatchObject([{ tool: 'documents_add', ids: [expect.any(String)] }])
  })

  test('is one call in the history, and can be undone at once', async () => {
    const { call } = await connect()
    const { items } = await call('documents_add', { documents: [{ title: 'Plan', markdown: 'a' }] })
    const { id } = items[0]
    await call('batch', { steps: [write(id, 'b'), write(id, 'c'), add('Other')] })
    const { items: calls } = await call('history_list', { format: 'json' })
    expect(calls).toMatchObject([{ tool: 'batch', summary: '"Plan": 2 blocks added; "Other": added' }, {}])
    await call('history_undo', { calls: [calls[0].callId] })
    expect(await markdownOf(call, id)).not.toContain('b')
  })

  test('steps that only read need no write lock and leave nothing in the history', async () => {
    const { call } = await connect()
    const { items } = await call('batch', { steps: [{ tool: 'documents_list' }, { tool: 'folders_list' }] })
    expect(items).toMatchObject([{ tool: 'documents_list' }, { tool: 'folders_list' }])
    expect((await call('history_list', { format: 'json' })).items).toEqual([])
  })
})

describe('a batch is rejected as a whole', () => {
  test.each([
    [
      'an unknown tool',
      [{ tool: 'documents_make', arguments: {} }],
      'At steps[1]: Expected a tool of this connection, found documents_make; did you mean documents_add with { documents, destination?, answer? }?',
    ],
    [
      'a wrong argument',
      [{ tool: 'folders_add', arguments: { folders: [{ name: 7, color: 'red' }] } }],
      'At steps[1].arguments.folders[0]: Expected one of name, parentFolderId, documentCount, folders, found the unknown key "color"; use one of these instead.',
    ],
    [
      'an ID that leads nowhere',
      [write('123456789012', 'x')],
      'At steps[1].arguments.position.pageId: Expected the ID of a block within reach, found 123456789012; read IDs with blocks_get and name one of those.',
    ],
    [
      'a reference to a later step',
      [write('$next', 'x'), add('Next', 'next')],
      'At steps[1].arguments.position.pageId: Expected a reference to an earlier step, found $next; no step before this one is called next, or it made nothing.',
    ],
    [
      'a reference to more than was made',
      [write('$first.1', 'x')],
      'At steps[1].arguments.position.pageId: Expected a reference to one of the 1 things that the step first made, found $first.1; the first is $first, the second $first.1.',
    ],
    [
      'a name that is given twice',
      [add('Second', 'first')],
      'At steps[1].as: Expected a name of its own, found first again; name each step otherwise.',
    ],
    [
      'a batch in a batch',
      [{ tool: 'batch', arguments: { steps: [add('x')] } }],
      'At steps[1]: Expected a tool that can be a step, found batch; call it by itself.',
    ],
    [
      'an undo',
      [{ tool: 'history_undo', arguments: { since: '2026-01-01T00:00:00Z' } }],
      'At steps[1]: Expected a tool that can be a step, found history_undo; call it by itself.',
    ],
    [
      'an upload that waits for its bytes',
      [{ tool: 'files_add', arguments: { position: { position: 'end', pageId: '$first' } } }],
      'At steps[1]: Expected text, data or path, found none; a step brings the bytes of its file with it.',
    ],
    [
      'the past',
      [{ tool: 'blocks_get', arguments: { id: '$first', at: '2026-11-20T09:00:00Z' } }],
      'At steps[1]: Expected a step that reads the present, found blocks_get of the past; call it by itself.',
    ],
  ])('for %s', async (_, steps, message) => {
    const { call, refused } = await connect()
    const found = await refused('batch', { steps: [add('First', 'first'), ...steps] })
    expect(found).toContain(message)
    expect((await call('documents_list', {})).items).toEqual([])
    expect((await call('history_list', { format: 'json' })).items).toEqual([])
  })

  test('for a link that may not do what one of the steps does', async () => {
    const built = await connect()
    const { items } = await built.call('documents_add', { documents: [{ title: 'Plan', markdown: 'a' }] })
    const { refused } = await connect('full', { to: built, access: 'no-delete' })
    const steps = [write(items[0].id, 'b'), { tool: 'documents_delete', arguments: { documentIds: [items[0].id] } }]
    expect(await refused('batch', { steps })).toBe(
      'At steps[1]: Expected a link that may delete, found one with access no-delete, which documents_delete is not for; ask the person who made the link for another.',
    )
    expect(await markdownOf(built.call, items[0].id)).not.toContain('b')
  })

  test('for a connection that was not offered the tool of a step', async () => {
    const { refused } = await connect('full', { caller: { tools: new Set(['batch', 'documents_list']) } })
    expect(await refused('batch', { steps: [add('Plan')] })).toBe(
      'At steps[0]: Expected one of the tools that this connection asks for (batch, documents_list), found documents_add; connect with documents_add among them.',
    )
  })

  test('with more than 50 steps, before any of them is parsed', async () => {
    const { refused } = await connect()
    const steps = Array.from({ length: 51 }, () => ({ tool: 'nothing' }))
    expect(await refused('batch', { steps })).toBe('At steps: Expected at most 50 entries, found 51.')
  })
})
