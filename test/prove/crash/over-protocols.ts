/** Sends calls of the harness over MCP and REST, as clients do. */
import type { Client } from '@modelcontextprotocol/client'
import type { ErrorBody } from '../../../src/base/errors.ts'
import { endpoints } from '../../../tools/index.ts'
import { askForAll } from '../../whole-answer.ts'
import type { Acknowledged, KeyedCall } from './keyed-call.ts'

/** @throws Error if there is no response */
export async function askOverMcp(client: Client, { key, tool, args }: KeyedCall): Promise<Acknowledged> {
  const result = await client.callTool({
    name: tool,
    arguments: { ...askForAll(tool), ...args },
    _meta: { 'scriptorium/idempotencyKey': key },
  })
  if (result.isError) return { key, refused: result._meta?.['scriptorium/error'] as ErrorBody }
  return { key, answer: result.structuredContent as object }
}

/**
 * @param restUrl  the REST URL of an access link
 * @param call  an empty key is not sent
 * @throws Error if there is no response
 */
export async function askOverRest(restUrl: string, call: KeyedCall): Promise<Acknowledged> {
  const { key, tool, args } = call
  const { target, headers, ...request } = requestFor(tool, args)
  const url = new URL(`${restUrl}${target}`)
  url.searchParams.set('ids', 'short')
  const response = await fetch(url, {
    ...request,
    headers: { ...headers, ...(key !== '' && { 'idempotency-key': key }) },
  })
  if (response.ok) return { key, answer: (await response.json()) as object }
  return { key, refused: (await response.json()) as ErrorBody }
}

/** Converts a call to a REST request. Arguments that are part of the path are removed from the rest. */
function requestFor(tool: string, args: Record<string, unknown>) {
  const { route } = endpoints.find(({ name }) => name === tool) ?? { route: '' }
  const [method = '', path = ''] = route.split(' ')
  if (tool === 'files_add') {
    const { text, position, fileName } = args as { text: string; position: Record<string, string>; fileName: string }
    const target = `${path}?${new URLSearchParams({ ...position, fileName })}`
    return { method, target, headers: { 'content-type': 'text/plain' }, body: text }
  }
  const body = { ...args }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = body[name]
    delete body[name]
    return String(value)
  })
  if (method === 'GET')
    return { method, target: `${target}?${new URLSearchParams(body as Record<string, string>)}`, headers: {} }
  return { method, target, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
