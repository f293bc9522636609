/** A connection that selects some tools is shown only those and can call no others. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { selectTools } from '../../src/call/catalog/tool-selection.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { connect } from '../connect.ts'
import { callTool, clientAt, serveBuilt } from '../http/serving.ts'

const namesOf = (kind: ConnectionKind) => toolCatalogFor(endpoints, kind).names
const chosen = (...lists: string[]) => [...(selectTools(namesOf('full'), lists).tools ?? ['all'])]

describe('the words of a list', () => {
  test('are names of tools, or nouns for all tools of a resource', () => {
    expect(chosen('blocks_get, comments')).toEqual(['blocks_get', 'comments_list', 'comments_add', 'comments_update'])
    expect(chosen('folders')).toEqual([
      'folders_list',
      'folders_add',
      'folders_move',
      'folders_update',
      'folders_delete',
    ])
    expect(selectTools(namesOf('daily'), ['daily_notes']).tools).toEqual(new Set(['daily_notes_search']))
    expect(chosen('all')).toEqual(namesOf('full'))
  })

  test('count once, also from several lists', () => {
    expect(chosen('comments,comments_add', 'comments')).toEqual(['comments_list', 'comments_add', 'comments_update'])
  })

  test('select all tools if there is no list, and none if it is empty', () => {
    expect(chosen()).toEqual(['all'])
    expect(chosen('', ' , ', 'comments_add')).toEqual(['comments_add'])
    expect(() => chosen('', ' , ')).toThrow(
      'Expected names or nouns of tools, found none; leave the list out, or give all, for all tools.',
    )
  })

  test.each([
    ['block', 'Expected tools of this connection, found "block"; did you mean blocks?'],
    ['blocks_gett', 'Expected tools of this connection, found "blocks_gett"; did you mean blocks_get?'],
    [
      'everything',
      'Expected tools of this connection, found "everything"; give some of blocks, documents, folders, collections, schema, items, views, tasks, reminders, comments, connection, files, whiteboards, elements, history, batch, proposals, or tools by name.',
    ],
  ])('that match nothing are rejected: %s', (word, message) => {
    expect(() => chosen(word)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', message }))
  })
})

const refusal =
  'Expected one of the tools that this connection asks for (connection_get, comments_list, comments_add, comments_update), found blocks_add; connect with blocks_add among them.'

test('in memory, as over stdio', async () => {
  const { client, call, unknownTool } = await connect('full', {
    caller: selectTools(namesOf('full'), ['connection_get,comments']),
  })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'comments_list',
    'comments_add',
    'comments_update',
    'connection_get',
  ])
  expect(await unknownTool('blocks_add')).toBe(refusal)
  expect(await call('connection_get')).toHaveProperty('space')
})

test('a noun that only another kind of connection has is unknown', () => {
  expect(() => chosen('daily_notes')).toThrow('found "daily_notes"; give some of blocks, documents, ')
})

describe('over HTTP the address selects tools', () => {
  test.each(['2025', '2026'] as const)('to a client of %s', async (era) => {
    const serving = await serveBuilt()
    const client = await clientAt(`${(await serving.link()).mcp}?tools=connection_get&tools=comments`, era)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'comments_list',
      'comments_add',
      'comments_update',
      'connection_get',
    ])
    await expect(callTool(client, 'blocks_add')).rejects.toMatchObject({ code: -32602, message: refusal })
    expect(await callTool(client, 'connection_get')).toMatchObject({ isRefused: false })
  })

  test.each(['2025', '2026'] as const)('and typed answers, to a client of %s', async (era) => {
    const serving = await serveBuilt()
    const client = await clientAt(`${(await serving.link()).mcp}?tools=documents&answers=typed`, era)
    const { tools } = await client.listTools()
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([])
    const { structuredContent } = await client.callTool({ name: 'documents_list', arguments: {} })
    expect(structuredContent).toEqual({ items: [] })
  })

  test('a link does not get a tool that it may not use by naming it', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ access: 'read' })
    const client = await clientAt(`${link.mcp}?tools=blocks`)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['blocks_get', 'blocks_search'])
  })

  test.each([
    ['tools=block', 'Expected tools of this connection, found "block"; did you mean blocks?'],
    ['tools=', 'Expected names or nouns of tools, found none; leave the list out, or give all, for all tools.'],
    ['tool=blocks', 'Expected the parameter tools in the address, found tool; did you mean tools?'],
    ['answers=json', 'Expected typed as answers, found "json"; leave answers out for short ones.'],
    ['Tools=blocks', 'Expected the parameter tools in the address, found Tools; did you mean tools?'],
  ])('?%s is rejected', async (query, error) => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const response = await ping(`${link.mcp}?${query}`)
    expect([response.status, await response.json()]).toEqual([400, { error, code: 'VALIDATION_ERROR' }])
  })

  test('parameters of others are ignored', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    expect((await ping(`${link.mcp}?utm_source=a&token=b`)).status).toBe(200)
  })
})

const ping = (address: string): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })

test.each(['full', 'selected', 'daily'] as const)(
  'the essential tools of a %s connection use few tokens',
  async (kind) => {
    const { names, essentialNames, list } = toolCatalogFor(endpoints, kind)
    const { tools, hasBriefTools } = selectTools(names, ['essential'], essentialNames)
    expect(tools).toEqual(new Set(essentialNames))
    const listed = list.listed((name) => essentialNames.includes(name), hasBriefTools)
    const read = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    const instructions = instructionsFor({ kind, access: 'full', tools })
    expect(countTokens(JSON.stringify(read)) + countTokens(instructions)).toBeLessThanOrEqual(3_000)
  },
)

test('rare inputs are left out of the essential tools alone, and accepted there', async () => {
  const { names, essentialNames, list } = toolCatalogFor(endpoints, 'full')
  const inputsOf = (selection: string) => {
    const { tools, hasBriefTools } = selectTools(names, selection.split(','), essentialNames)
    const listed = list.listed((name) => tools?.has(name) !== false, hasBriefTools)
    return Object.keys(listed.find(({ name }) => name === 'blocks_add')?.inputSchema.properties ?? {})
  }
  expect(inputsOf('essential')).toEqual(['markdown', 'position', 'answer'])
  expect(inputsOf('blocks')).toContain('blocks')
  expect(inputsOf('essential,all')).toContain('blocks')
  const selection = selectTools(names, ['essential'], essentialNames)
  const { call } = await connect('full', { caller: selection })
  const { items } = await call('documents_add', { documents: [{ title: 'A' }] })
  const blocks = [{ type: 'text', markdown: 'b' }]
  await call('blocks_add', { blocks, position: { position: 'end', pageId: items[0].id } })
  expect((await call('blocks_get', { id: items[0].id })).content).toMatchObject([{ markdown: 'b' }])
})
