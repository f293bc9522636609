import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import type { JsonSchema } from '../../src/call/input/arguments.ts'
import { CONNECTION_KINDS } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { toolListTokens } from '../bench/tokens.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'

const connectAs = async (kind: (typeof CONNECTION_KINDS)[number], era: '2025' | '2026' = '2026') => {
  const full = await connect()
  return connect(kind, { to: full, documents: kind === 'selected' ? [await documentOf(full)] : [], era })
}

/** Keywords that some host or model API rejects in an input schema. */
const REFUSED = [
  'anyOf',
  'oneOf',
  'allOf',
  'const',
  '$ref',
  '$defs',
  'prefixItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'propertyNames',
  'not',
]

function* nodes(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Record<string, unknown>
  for (const inner of Object.values(schema)) yield* nodes(inner)
}

/** The schemas inside a published schema, with their paths. */
function* schemasIn(schema: JsonSchema, path: string): Generator<[string, JsonSchema]> {
  yield [path, schema]
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`)
  for (const [key, property] of Object.entries(schema.properties ?? {})) yield* schemasIn(property, `${path}.${key}`)
}

const TOOL_NAMES = new Set(endpoints.map(({ name }) => name))
const ESSENTIAL = endpoints.filter(({ isEssential }) => isEssential).map(({ name }) => name)
const namesIn = (text: string): string[] =>
  (text.match(/[a-z]+(?:_[a-z]+)+/g) ?? []).filter((word) => TOOL_NAMES.has(word))

describe.each(CONNECTION_KINDS)('the tools of a %s connection', (kind) => {
  test('match the snapshot, in both generations of the protocol', async () => {
    const { tools } = await (await connectAs(kind)).client.listTools()
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(`../snapshots/tools-${kind}.json`)
    const before = await (await connectAs(kind, '2025')).client.listTools()
    expect(before.tools).toEqual(tools)
  })

  test('are accepted by every host: names, descriptions and schemas are portable', async () => {
    const { tools } = await (await connectAs(kind)).client.listTools()
    for (const { name, description = '', inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,21}$/)
      expect(description.length).toBeLessThanOrEqual(1000)
      expect(inputSchema).toMatchObject({ type: 'object' })
      for (const node of nodes(inputSchema)) {
        for (const keyword of REFUSED) expect(node, `${name} has ${keyword}`).not.toHaveProperty(keyword)
        const [type, ...others] = [node.type ?? []].flat()
        expect(others, `${name} has a union of types`).toEqual(others.length > 0 ? ['null'] : [])
        expect(type, `${name} has a null type`).not.toBe('null')
      }
    }
  })

  test('list the properties of every object, since some hosts drop unlisted ones', async () => {
    const { tools } = await (await connectAs(kind)).client.listTools()
    for (const { name, inputSchema } of tools) {
      for (const [path, node] of schemasIn(inputSchema as JsonSchema, name)) {
        const [type] = [node.type ?? []].flat()
        expect(type, path).toMatch(/^(string|integer|number|boolean|array|object)$/)
        if (node.type === 'array') expect(node, path).toHaveProperty('items')
        if (node.type === 'object') expect(node, path).toHaveProperty('properties')
      }
    }
  })

  test('mention only listed tools, whichever tools a host selects', () => {
    const { list } = toolCatalogFor(endpoints, kind)
    for (const listed of [...list.listings.map(({ name }) => [name]), ESSENTIAL]) {
      for (const tool of list.listed((name) => listed.includes(name))) {
        expect(
          namesIn(JSON.stringify(tool)).filter((name) => !listed.includes(name)),
          tool.name,
        ).toEqual([])
      }
    }
  })

  test('are named in the instructions for those who have them', () => {
    const all = toolCatalogFor(endpoints, kind).names
    for (const access of ['full', 'no-delete', 'read'] as const) {
      const may = toolCatalogFor(endpoints, kind).list.forbidden(access)
      for (const tools of [undefined, new Set<string>(), new Set(ESSENTIAL), ...all.map((name) => new Set([name]))]) {
        const named = namesIn(instructionsFor({ kind, access, tools }))
        expect(named.filter((name) => !all.includes(name) || may.has(name) || tools?.has(name) === false)).toEqual([])
      }
    }
  })

  test('describe every part of a response', async () => {
    const { tools } = await (await connectAs(kind)).client.listTools()
    const emptySchema = /"(?!properties")\w+":\{\}/
    for (const { name, outputSchema } of tools) expect(JSON.stringify({ name, outputSchema })).not.toMatch(emptySchema)
  })

  test('have output schemas without references, which some clients resolve endlessly', async () => {
    const { tools } = await (await connectAs(kind)).client.listTools()
    for (const { name, outputSchema } of tools) {
      for (const node of nodes(outputSchema)) expect(node, name).not.toHaveProperty('$ref')
    }
  })

  test('have instructions under 2,000 characters', async () => {
    const { client } = await connectAs(kind)
    expect(client.getInstructions()?.length).toBeGreaterThan(500)
    expect(client.getInstructions()?.length).toBeLessThan(2000)
  })
})

test('the tools of each kind', async () => {
  const names = async (kind: (typeof CONNECTION_KINDS)[number]) =>
    (await (await connectAs(kind)).client.listTools()).tools.map(({ name }) => name)
  const blocks = ['blocks_get', 'blocks_add', 'blocks_update', 'blocks_move', 'blocks_delete', 'blocks_search']
  const documents = ['documents_list', 'documents_add', 'documents_move', 'documents_delete', 'documents_search']
  const folders = ['folders_list', 'folders_add', 'folders_move', 'folders_update', 'folders_delete']
  const items = ['items_list', 'items_add', 'items_update', 'items_delete', 'items_claim']
  const views = ['views_list', 'views_add', 'views_update', 'views_delete', 'views_activate']
  const collections = ['collections_list', 'collections_add', 'schema_get', 'schema_update', ...items, ...views]
  const tasks = ['tasks_list', 'tasks_add', 'tasks_update', 'tasks_delete']
  const reminders = ['reminders_list', 'reminders_add', 'reminders_update', 'reminders_delete']
  const elements = ['elements_list', 'elements_add', 'elements_update', 'elements_delete']
  const last = [
    ...reminders,
    'comments_list',
    'comments_add',
    'comments_update',
    'connection_get',
    'files_add',
    'whiteboards_add',
    ...elements,
    'history_list',
    'history_undo',
    'batch',
    'proposals_list',
  ]
  expect(await names('full')).toEqual([...blocks, ...documents, ...folders, ...collections, ...tasks, ...last])
  expect(await names('selected')).toEqual([...blocks, 'documents_list', 'documents_search', ...collections, ...last])
  expect(await names('daily')).toEqual([...blocks, 'daily_notes_search', ...collections, ...tasks, ...last])
})

test('a tool list may be cached, and says so', async () => {
  const { client } = await connect()
  expect(await client.listTools()).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' })
})

test('the list uses no more tokens than before', () => {
  // Increase a figure only together with the tools that need it: the whole set must stay below 6,300, 5,000 and 5,500.
  const bounds = { full: 6299, selected: 4839, daily: 5349 }
  const more = Object.entries(bounds).filter(([kind, bound]) => toolListTokens(kind as keyof typeof bounds) > bound)
  expect(more).toEqual([])
})

test('with output schemas the list uses fewer than 10,000 tokens', () => {
  const { listings } = toolCatalogFor(endpoints, 'full').list
  expect(countTokens(JSON.stringify(listings))).toBeLessThan(10_000)
})

test('an object is returned twice: as structured content, and as equal compact JSON', async () => {
  const { client } = await connect()
  const { content, structuredContent } = await client.callTool({ name: 'connection_get', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
})

test('clients of 2025 get the same responses', async () => {
  const connected = await connectAs('full', '2025')
  const id = await documentOf(connected, 'words')
  expect((await connected.call('blocks_get', { id })).content).toMatchObject([{ markdown: 'words' }])
  expect(await connected.refused('blocks_get', {})).toMatch(/^Expected id or date, found neither/)
})
