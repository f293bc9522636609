/** Requests for load on a server: small calls over REST and over MCP, with and without a session. */
import type { ServeProcess } from '../http/serve-process.ts'
import type { Load } from './http-load.ts'
import { addDocument, openWorkbench } from './workbench.ts'

/** A limit so high that nothing is refused. */
const AMPLE = '1000000000'
/** Flags of a server that counts calls as it does by default. */
export const RAISED = ['--limit-requests', AMPLE, '--limit-blocks', AMPLE, '--limit-ip', AMPLE]

/** A load without its amount. */
export type LoadRequest = Omit<Load, 'connections' | 'time'>

export interface BenchSpace {
  file: string
  pageId: string
  /** The ID of a small block. */
  id: string
}

export async function newSpace(file: string): Promise<BenchSpace> {
  const bench = await openWorkbench(file)
  const pageId = await addDocument(bench, 'One')
  const { items } = await bench.call<{ items: { id: string }[] }>('blocks_add', {
    blocks: [{ type: 'text', markdown: 'A line that **says** something.' }],
    position: { position: 'end', pageId: await addDocument(bench, 'Other') },
  })
  await bench.close()
  return { file, pageId, id: items[0]?.id ?? '' }
}

/** Occurs in every JSON response of a tool. A refusal is a sentence. */
export const ANSWER = '"text":"{'

export const readOverRest = ({ id }: BenchSpace, { restUrl }: ServeProcess): LoadRequest =>
  rest(`${restUrl}/blocks?id=${id}`)

export function rest(url: string, body?: string): LoadRequest {
  const json =
    body === undefined ? {} : { method: 'POST' as const, body, headers: { 'content-type': 'application/json' } }
  return { url, method: 'GET', contains: ' 200 ', ...json }
}

const REVISION = '2026-07-28'
const CLIENT = { name: 'bench', version: '1.0.0' }
export const INITIALIZE = message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT })

/** A tool call: in a session if there is an `opening`, otherwise stateless. */
export function mcp(url: string, name: string, args: object, load: Partial<LoadRequest>): LoadRequest {
  const inSession = load.opening !== undefined
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(!inSession && { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': name }),
  }
  const body = message('tools/call', { name, arguments: args, ...(!inSession && { _meta }) })
  return { url, method: 'POST', contains: '', headers, body, ...load }
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}
