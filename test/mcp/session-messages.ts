/** Messages of a client of 2025, sent without a client. */
import type { TestLink } from '../http/serving.ts'

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tester', version: '1.0.0' } },
}
export const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }

/** Sends a message to the address of a link, like a 2025 client. */
export async function send({ mcp, headers }: TestLink, body: object | undefined, session?: string, method = 'POST') {
  const response = await fetch(mcp, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, session: response.headers.get('mcp-session-id') ?? undefined, text }
}

export const UNKNOWN = { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }
