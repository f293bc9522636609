/** Requests of MCP Events, as a client of its own sends them. */

/** An event as a reader got it. */
export interface ReadEvent {
  eventId: string
  data: { documentId: string; callId: string; commentId?: string; changes?: number }
}

export interface Polled {
  events: ReadEvent[]
  cursor: string
  truncated: boolean
}

interface Message {
  method?: string
  params?: ReadEvent & { cursor?: string; truncated?: boolean }
  result?: Polled
  error?: { message: string }
}

const VERSION = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends a request. The messages of its response are yielded as they arrive. */
export async function* request(url: string, method: string, params: object): AsyncGenerator<Message> {
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': VERSION, 'mcp-method': method },
    ...(method === 'tools/call' && { 'mcp-name': (params as { name: string }).name }),
  }
  const { _meta = {}, ...others } = params as { _meta?: object }
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method, params: { ...others, _meta: { ...ENVELOPE, ..._meta } } },
  })
  const response = await fetch(url, { method: 'POST', headers, body })
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice('data: '.length)) as Message
  }
  if (text.startsWith('{')) yield JSON.parse(text) as Message
}

/** @throws Error if no result comes */
export async function ask(url: string, method: string, params: object): Promise<Polled> {
  for await (const { result, error } of request(url, method, params)) {
    if (error !== undefined) throw new Error(`Expected ${method} to be answered, found: ${error.message}`)
    if (result !== undefined) return result
  }
  throw new Error(`Expected a result of ${method}, found none.`)
}
