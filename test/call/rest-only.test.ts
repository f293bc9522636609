/** An endpoint with a route that is not a tool, and what each transport knows of it. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { byKind, endpoint } from '../../src/endpoint.ts'
import { findScopeError } from '../../src/mcp/step-up.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { askerOf } from '../rest/rest-asker.ts'

const approve = endpoint({
  name: 'folders_approve',
  title: 'Approve folders',
  description: 'Approve folders.',
  route: 'PUT /folders/{folderId}/approve',
  effect: 'change',
  isRestOnly: true,
  isEssential: true,
  input: byKind(() => z.strictObject({ folderId: z.string() }), ['full']),
  output: z.strictObject({ items: z.array(z.string()) }),
  handle: async (_, { folderId }) => ({ items: [folderId] }),
})
const served = [...endpoints, approve]

test('over MCP there is no such tool: it is not listed, and a call gets the error of an unknown name', async () => {
  const { client, unknownTool } = await connect('full', { serving: served })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(new ToolCatalog(endpoints, 'full').names)
  expect(await unknownTool('folders_approve', { folderId: 'a' })).toBe(
    await (await connect('full')).unknownTool('folders_approve', { folderId: 'a' }),
  )
  const catalog = new ToolCatalog(served, 'full')
  expect(catalog.essentialNames).not.toContain('folders_approve')
  expect(() => catalog.get('folders_approv')).toThrow(
    'Expected a tool of this connection, found folders_approv; tools/list shows which there are',
  )
})

test('over MCP no host is asked to sign in again for it', () => {
  const scopeError = () => new ScriptoriumError('FORBIDDEN', 'more')
  const space = undefined as never
  const link = { kind: 'full', access: 'read', documents: new Set<number>(), author: 'a' } as const
  const call = (name: string) => ({ method: 'tools/call', params: { name } })
  expect(findScopeError(call('folders_approve'), { space, link, scopeError }, served)).toBeUndefined()
  expect(findScopeError(call('folders_add'), { space, link, scopeError }, served)?.message).toBe('more')
})

test('over REST its route works, for the kinds that have it', async () => {
  const { ask } = await askerOf({ endpoints: served })
  expect((await ask('PUT /folders/a/approve', {})).json).toEqual({ items: ['a'] })
  const daily = await askerOf({ endpoints: served, kind: 'daily' })
  expect(await daily.refused(404, 'PUT /folders/a/approve', {})).toBe(
    'Expected a path of this connection, found /folders/a/approve, which only full connections have; ask the person who made this link for another one.',
  )
})

test('OpenAPI describes it only to those who may use it', async () => {
  const { space } = await buildSpace()
  const catalog = new ToolCatalog(served, 'full')
  const paths = async (access: 'full' | 'read') => {
    const link = await space.createAccessLink('full', [], 'tester', access)
    const unavailable = () => space.read(link, (view) => catalog.unavailable(view))
    const { ask } = await askerOf({ endpoints: served, unavailable })
    return Object.keys((await ask('GET /openapi.json')).json.paths)
  }
  expect(await paths('full')).toContain('/folders/{folderId}/approve')
  expect(await paths('read')).not.toContain('/folders/{folderId}/approve')
  expect(await paths('read')).toContain('/folders')
})
