import { describe, expect, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf, outlineOf } from '../document.ts'

describe('common variations of hosts and models are accepted', () => {
  test('objects and arrays as JSON strings, numbers and booleans as strings, null as absent', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'a')
    const { call } = connected
    const blocks = JSON.stringify([{ type: 'text', markdown: 'b', indentationLevel: '1', color: null }])
    await call('blocks_add', {
      blocks,
      position: JSON.stringify({ position: 'end', pageId: id, siblingId: null }),
      markdown: null,
    })
    expect(await outlineOf(connected, id)).toEqual(['a', '  b'])
    const page = await call('blocks_get', { id, maxDepth: '0', fetchMetadata: 'true', date: null })
    expect(page.metadata).toBeDefined()
    expect(page).not.toHaveProperty('content')
  })

  test('a single string where a list is expected', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'a')
    expect((await connected.call('documents_list', { documentIds: id })).items).toHaveLength(1)
    expect(await connected.call('documents_delete', { documentIds: `["${id}"]` })).toEqual({ items: [id] })
  })

  test.each(['true', 'True', 'TRUE', 'yes', 'on', '1', 1, ' y '])('%j as true', async (given) => {
    const { call } = await connect()
    const id = (await call('documents_add', { documents: [{ title: 'D' }] })).items[0].id
    expect((await call('blocks_get', { id, fetchMetadata: given })).metadata).toBeDefined()
    const position = { position: 'end', pageId: id }
    const schema = { name: 'C', properties: [{ name: 'ok', type: 'boolean' }] }
    const { collectionBlockId: collectionId } = await call('collections_add', { schema, position })
    const value = typeof given === 'string' ? given : 'yes'
    await call('items_add', { collectionId, items: [{ title: 'a', properties: { ok: value } }, { title: 'b' }] })
    const filters = [{ property: 'ok', filterType: 'equals', filterValue: value }]
    const found = (await call('items_list', { collectionId, filters })).items
    expect(found).toMatchObject([{ title: 'a', properties: { ok: true } }])
  })

  test.each(['false', 'False', 'no', 'OFF', '0', 0])('%j as false', async (given) => {
    const { call } = await connect()
    const id = (await call('documents_add', { documents: [{ title: 'D' }] })).items[0].id
    expect(await call('blocks_get', { id, fetchMetadata: given })).not.toHaveProperty('metadata')
    await call('tasks_add', { tasks: [{ markdown: 'a', done: given }] })
    const { items } = await call('tasks_list', { scope: 'inbox' })
    expect(items).toMatchObject([{ taskInfo: { state: 'todo' } }])
  })

  test('an empty text as absent where it cannot mean more', async () => {
    const { call } = await connect()
    const documents = [{ title: 'D', markdown: '', templateId: '', folderId: '' }]
    const id = (await call('documents_add', { documents })).items[0].id
    const read = { id, date: '', at: '', cursor: '', maxDepth: '', fetchMetadata: '', format: '' }
    expect(await call('blocks_get', read)).toContain(`<page id="${id}">`)
    const filter = { location: '', folderId: '', documentIds: '', createdDateGte: '', fetchMetadata: '' }
    expect((await call('documents_list', filter)).items).toHaveLength(1)
    expect((await call('documents_search', { include: 'D', regexps: '', ...filter })).items).toHaveLength(1)
    const tasks = [
      { markdown: 'a', taskInfo: { state: '', scheduleDate: '', deadlineDate: '' }, location: '', repeat: '' },
    ]
    expect((await call('tasks_add', { tasks })).items).toMatchObject([
      { taskInfo: { state: 'todo' }, location: { type: 'inbox' } },
    ])
    const blocks = [{ type: 'text', markdown: 'x', color: '', listStyle: '', url: '', textStyle: '' }]
    const [{ id: block }] = (await call('blocks_add', { blocks, position: { position: 'end', pageId: id } })).items
    expect((await call('reminders_add', { reminders: [{ blockId: block, remindAt: '' }] })).items).toHaveLength(1)
    await call('blocks_update', { blocks: [{ id: block, markdown: '' }] })
    expect((await call('blocks_get', { id: block })).markdown).toBe('')
  })

  test('but not in a change, which would then do more than was asked for, or nothing', async () => {
    const { call, refused } = await connect()
    const [one, other] = (await call('documents_add', { documents: [{ title: 'One' }, { title: 'Other' }] })).items
    for (const key of ['documentId', 'connection', 'dryRun']) {
      expect(await refused('history_undo', { since: '2000-01-01T00:00:00Z', [key]: '' })).toContain(`At ${key}`)
    }
    expect((await call('documents_list')).items.map(({ id }: { id: string }) => id).sort()).toEqual([one.id, other.id])
    const [{ id }] = (await call('blocks_add', { markdown: '# a', position: { position: 'end', pageId: one.id } }))
      .items
    for (const key of ['textStyle', 'listStyle', 'color']) {
      expect(await refused('blocks_update', { blocks: [{ id, [key]: '' }] })).toContain(`At blocks[0].${key}`)
    }
  })

  test('but not where it could be meant to clear, and not where a value is required', async () => {
    const { call, refused } = await connect()
    const [{ id }] = (await call('tasks_add', { tasks: [{ markdown: 'a', taskInfo: { deadlineDate: 'today' } }] }))
      .items
    expect(await refused('tasks_update', { tasksToUpdate: [{ id, taskInfo: { deadlineDate: '' } }] })).toBe(
      'At tasksToUpdate[0].taskInfo.deadlineDate: Expected a date as YYYY-MM-DD or in words such as today, tomorrow, next friday or in 3 days, or null to clear it, found none; leave it out to keep what is there.',
    )
    await call('tasks_update', { tasksToUpdate: [{ id, taskInfo: { deadlineDate: null } }] })
    expect((await call('tasks_list', { scope: 'inbox' })).items[0].taskInfo).not.toHaveProperty('deadlineDate')
    expect(await refused('blocks_delete', { blockIds: '' })).toContain('At blockIds')
    expect(await refused('tasks_list', { scope: '' })).toContain('At scope')
  })

  test('text that looks like JSON stays text', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const position = { position: 'end', pageId: id }
    await connected.call('blocks_add', {
      blocks: [
        { type: 'code', rawCode: '{"a": 5}' },
        { type: 'code', rawCode: '5' },
      ],
      position,
    })
    expect(await outlineOf(connected, id)).toEqual(['```\n{"a": 5}\n```', '```\n5\n```'])
  })
})

test.each(['blocks_add', 'files_add'])(
  '%s: a position beside a block that names a day as well is refused',
  async (tool) => {
    const connected = await connect()
    const id = await documentOf(connected, 'a')
    const { content } = await connected.call('blocks_get', { id })
    const position = { position: 'before', siblingId: content[0].id, date: 'today' }
    const added = tool === 'files_add' ? { text: 'x', fileName: 'x.txt' } : { markdown: 'x' }
    expect(await connected.refused(tool, { ...added, position })).toContain('give exactly one form.')
    expect(await outlineOf(connected, id)).toEqual(['a'])
  },
)

describe('bad input returns a clear error and changes nothing', () => {
  const deep = (levels: number): object =>
    levels === 1 ? { type: 'page', title: 'p' } : { type: 'page', title: 'p', content: [deep(levels - 1)] }
  const text = (markdown: string) => ({ blocks: [{ type: 'text', markdown }] })

  test.each([
    [
      '20,001 blocks',
      { blocks: Array.from({ length: 20_001 }, () => ({ type: 'line' })) },
      'At blocks: Expected at most 20,000 entries, found 20,001.',
    ],
    [
      '20,001 blocks in Markdown',
      { markdown: '---\n\n'.repeat(20_001) },
      'Expected at most 20,000 blocks in one call, found more; add them in several calls.',
    ],
    [
      '5 MiB',
      text('x'.repeat(5 * 1024 * 1024)),
      'Expected a call of less than 5 MiB, found more; split it into several calls.',
    ],
    [
      'nesting of 65 levels',
      { blocks: [deep(65)] },
      'Expected blocks nested at most 64 levels deep in one call, found more; add the inner ones to their page by a further call.',
    ],
    [
      'nesting of 5,000 levels',
      { blocks: [deep(5000)] },
      'Expected blocks nested at most 64 levels deep in one call, found more; add the inner ones to their page by a further call.',
    ],
    [
      'half a surrogate pair',
      text('a😀\ud83d'),
      'Expected Unicode text at blocks[0].markdown, found half of a surrogate pair at character 2; write the whole character.',
    ],
    ['NUL', text('a\0b'), 'Expected text at blocks[0].markdown, found the character NUL at 1; leave it out.'],
    [
      '__proto__ as a key',
      { blocks: JSON.parse('[{"type":"text","markdown":"a","__proto__":{"color":"#000000"}}]') },
      'Expected the name of a field at blocks[0].__proto__, found __proto__; leave it out.',
    ],
    ['an unknown key', { markdown: 'a', positon: 1 }, 'Expected a known key, found "positon"; did you mean position?'],
    [
      'an unknown key far from all',
      { markdown: 'a', constructor: 1 },
      'Expected one of position, markdown, blocks, answer, found the unknown key "constructor"; use one of these instead.',
    ],
  ])('%s', async (_, args, message) => {
    const connected = await connect()
    const id = await documentOf(connected)
    const position = { position: 'end', pageId: id }
    expect(await connected.refused('blocks_add', { ...args, position })).toBe(message)
    expect(await outlineOf(connected, id)).toEqual([])
  })

  test('64 levels are accepted', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    const args = { blocks: [deep(64)], position: { position: 'end', pageId: id }, answer: 'ids' }
    expect((await connected.call('blocks_add', args)).items).toHaveLength(1)
  })

  test('an unknown tool: the error names the nearest one', async () => {
    const { unknownTool } = await connect()
    expect(await unknownTool('block_get')).toBe(
      'Expected a tool of this connection, found block_get; did you mean blocks_get with { id?, date?, maxDepth?, fetchMetadata?, format?, ids? }?',
    )
  })
})

describe('for a value that may have several types', () => {
  test.each([
    [
      'files_add',
      { text: 'x', position: 'up' },
      'At position: Expected an object, or one of start, end, before, after, found "up".',
    ],
    [
      'files_add',
      { text: 'x', position: { position: 'up' } },
      'At position.position: Expected one of start, end, before, after, found "up".',
    ],
    ['folders_move', { folderIds: ['x'], destination: 5 }, 'At destination: Expected root, or an object, found 5.'],
    [
      'blocks_add',
      { blocks: [{ type: 'text', decorations: ['x'] }], position: { position: 'end' } },
      'At blocks[0].decorations[0]: Expected one of callout, quote, found "x".',
    ],
  ])('%s reports what is wrong with the intended one', async (name, args, sentence) => {
    const { refused } = await connect()
    expect(await refused(name, args)).toBe(sentence)
  })
})

test.each([
  ['a length', { toString: 1, valueOf: null }, 'length'],
  ['a list as a length', [[{ toString: 1 }]], 'length[0][0]'],
])('%s that cannot be compared is rejected, wherever it occurs', async (_, length, place) => {
  const { space } = await buildSpace()
  const link = await space.createAccessLink('full', [], 'tester')
  const tools = toolCatalogFor(endpoints, 'full')
  const odd = { length }
  const codes: Record<string, string | undefined> = {}
  for (const name of tools.names) {
    const tool = tools.get(name)
    for (const key of Object.keys(tool.schema.properties ?? {})) {
      const failure = await runCall(tool, { [key]: odd }, { space, link }).catch((error: unknown) => error)
      codes[`${name} ${key}`] = failure instanceof ScriptoriumError ? failure.code : String(failure)
    }
  }
  const rule = { collectionId: 'a', sortBy: [{ property: odd }] }
  const failure = await runCall(tools.get('items_list'), rule, { space, link }).catch((error: Error) => error)
  expect(failure).toHaveProperty(
    'message',
    `Expected the name of a field at sortBy[0].property.${place}.toString, found toString; leave it out.`,
  )
  expect(Object.keys(codes).length).toBeGreaterThan(130)
  expect(Object.entries(codes).filter(([, code]) => code !== 'VALIDATION_ERROR')).toEqual([])
})
