/** JSON-RPC requests of a client of 2026, as they are sent: the SDK's client knows no tasks. */
import type { Answer } from '../connect.ts'
import type { TestLink } from '../http/serving.ts'

export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

export interface Wired {
  status: number
  result: Answer
  error?: { code: number; message: string; data?: Answer }
}

/** @param capabilities  declares the extension by default */
export async function request(
  { mcp, headers }: Pick<TestLink, 'mcp' | 'headers'>,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = TASKS,
): Promise<Wired> {
  const { _meta = {}, ...others } = params
  const name = (params.taskId ?? params.name) as string | undefined
  const response = await fetch(mcp, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...others,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...(_meta as object),
        },
      },
    }),
  })
  const text = await response.text()
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? 'null')
  return { status: response.status, ...(JSON.parse(json) as Pick<Wired, 'result' | 'error'>) }
}
