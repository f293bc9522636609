/** A connection with typed answers: JSON alone, and each answer as its published type says. */
import { expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { connectionOfAddress } from '../../src/call/catalog/tool-selection.ts'
import { CONNECTION_KINDS } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import type { Things } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'
import { compileType } from '../support/output-validator.ts'
import { spaceOfThings } from '../support/space-of-things.ts'

const typed = { caller: { answers: 'typed' as const } }

test.each(CONNECTION_KINDS)(
  'every tool of a %s connection has the type of its answer, and no choice of form',
  async (kind) => {
    const full = await connect()
    const documents = kind === 'selected' ? [await documentOf(full)] : []
    const { client } = await connect(kind, { to: full, documents, ...typed })
    const { tools } = await client.listTools()
    for (const { name, inputSchema, outputSchema } of tools) {
      expect(outputSchema?.type, name).toBe('object')
      compileType(outputSchema)
      expect(inputSchema.properties, name).not.toHaveProperty('answer')
      if (name !== 'schema_get') expect(inputSchema.properties, name).not.toHaveProperty('format')
    }
  },
)

const things = new Proxy({} as Things, { get: () => 'x' })
const calls = validCalls('full', things).map(([name], index) => [name, index] as const)

test.each(calls)('the answer of %s is of its type (call %i)', async (name, index) => {
  const { client: maker, own, ...built } = await spaceOfThings()
  const { client } = await connect('full', { to: built as never, ...typed })
  const { tools } = await client.listTools()
  const tool = tools.find((one) => one.name === name)
  // Only over REST.
  if (tool === undefined) return void (await maker.close())
  const args: Record<string, unknown> = { ...validCalls('full', own)[index]?.[1] }
  for (const form of ['format', 'answer']) if (tool.inputSchema.properties?.[form] === undefined) delete args[form]
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
  if (isRefused(args)) return void expect(isError).toBe(true)
  expect(isError, JSON.stringify(content)).not.toBe(true)
  const { errorMessage } = compileType(tool.outputSchema)(structuredContent)
  expect(errorMessage, JSON.stringify(structuredContent)).toBeUndefined()
  await maker.close()
})

/** The proposal is of another link, and today has no note. Other calls of these tools are answered. */
const isRefused = ({ proposalId, date }: Record<string, unknown>): boolean =>
  proposalId !== undefined || date !== undefined

test('every tool is called', () => {
  const called = new Set<string>(calls.map(([name]) => name))
  expect(toolCatalogFor(endpoints, 'full').names.filter((name) => !called.has(name))).toEqual([])
})

test('another form is refused, and steps of a batch answer JSON', async () => {
  const { client, refused } = await connect('full', typed)
  const { structuredContent } = await client.callTool({
    name: 'documents_add',
    arguments: { documents: [{ title: 'Plan', markdown: 'text' }] },
  })
  const [{ id, title }] = (structuredContent as { items: { id: string; title: string }[] }).items as [
    { id: string; title: string },
  ]
  expect(title).toBe('Plan')
  expect(await refused('blocks_get', { id, format: 'markdown' })).toContain('Expected no format on a connection')
  expect(await refused('documents_add', { documents: [{ title: 'B' }], answer: 'ids' })).toContain('Expected no answer')
  const steps = [{ tool: 'blocks_get', arguments: { id } }]
  const batch = await client.callTool({ name: 'batch', arguments: { steps } })
  expect(batch.structuredContent).toMatchObject({ items: [{ answer: { id, content: [{ markdown: 'text' }] } }] })
})

test('what waits for approval, and a dry run, are of the type as well', async () => {
  const full = await connect()
  const pageId = await documentOf(full)
  const { client } = await connect('full', { to: full, access: 'propose', ...typed })
  const { tools } = await client.listTools()
  const check = compileType(tools.find(({ name }) => name === 'blocks_add')?.outputSchema)
  const add = { name: 'blocks_add', arguments: { markdown: 'text', position: { position: 'end', pageId } } }
  const proposed = await client.callTool(add)
  expect(proposed.structuredContent).toHaveProperty('proposal')
  expect(check(proposed.structuredContent).valid).toBe(true)
  const dry = await client.callTool({ ...add, _meta: { 'scriptorium/dryRun': true } })
  expect(dry.structuredContent).toHaveProperty('dryRun')
  expect(check(dry.structuredContent).valid).toBe(true)
})

test('other connections have neither types nor the resource', async () => {
  const { client } = await connect()
  const { resources } = await client.listResources()
  expect(resources.map(({ name }) => name)).not.toContain('tools.d.ts')
  await expect(client.readResource({ uri: 'scriptorium://tools.d.ts' })).rejects.toThrow('typed answers')
})

test('an address asks for typed answers', () => {
  const of = (query: string) => connectionOfAddress(['blocks_get'], new URLSearchParams(query), [])
  expect(of('answers=typed')).toEqual({ answers: 'typed' })
  expect(of('')).toEqual({})
  expect(() => of('answers=json')).toThrow('Expected typed as answers, found "json"')
  expect(() => of('answer=typed')).toThrow('did you mean answers?')
})
