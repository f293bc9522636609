/**
 * What kinds of responses a client accepts. The SDK serves only clients that name both JSON and streams of events, as
 * the protocol asks of them. Here, clients are served as well that accept everything or name one of the two.
 */

const JSON_TYPES = ['application/json', 'application/*', '*/*']
const STREAM_TYPES = ['text/event-stream', 'text/*', '*/*']

export interface AcceptedTypes {
  /** The request, with the header that the SDK expects if the client can be served. */
  request: Request
  /** True if responses to its messages must be JSON. */
  isJsonOnly: boolean
}

/** @param body  replaces the one that was read from the request, if it is needed again */
export function acceptedTypes(request: Request, body?: Uint8Array<ArrayBuffer>): AcceptedTypes {
  const accept = request.headers.get('accept') ?? '*/*'
  const types = accept.split(',').map((type) => type.split(';', 1).join('').trim().toLowerCase())
  const acceptsJson = types.some((type) => JSON_TYPES.includes(type))
  const acceptsStreams = types.some((type) => STREAM_TYPES.includes(type))
  const isServed = request.method === 'GET' ? acceptsStreams : acceptsJson || acceptsStreams
  const { url, method, signal } = request
  const headers = new Headers(request.headers)
  if (isServed) headers.set('accept', 'application/json, text/event-stream')
  return {
    request: new Request(url, { method, headers, signal, ...(body && { body }) }),
    isJsonOnly: !acceptsStreams,
  }
}

/** The response to one message, or to a batch, as JSON: without the notifications that a stream has in between. */
export async function asJson(response: Response, isBatch: boolean): Promise<Response> {
  const messages = eventsIn(await response.text()).filter((message) => message.method === undefined)
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  for (const name of ['connection', 'cache-control', 'x-accel-buffering']) headers.delete(name)
  return Response.json(isBatch ? messages : messages[0], { status: response.status, headers })
}

/** The data of each event of a stream. The SDK writes it in one line. */
function eventsIn(text: string): { method?: string }[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => line.slice('data: '.length)).flatMap((data) => (data === '' ? [] : [JSON.parse(data)]))
}
