/** REST requests to a fresh space, without a network. */

import { ToolCatalog } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { handleRest, type RestContext } from '../../src/rest/rest.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'

export interface RestResult {
  status: number
  headers: Headers
  text: string
  /** The text parsed as JSON, if it is JSON. */
  json: Answer
}

export interface Asker extends BuiltSpace {
  /** Sends `ask('GET /blocks?id=…')`; a body that is not text or bytes is sent as JSON. */
  ask(line: string, body?: unknown, headers?: Record<string, string>): Promise<RestResult>
  /** The error message of a response with this status. */
  refused(status: number, line: string, body?: unknown, headers?: Record<string, string>): Promise<string>
  /** The log. */
  logged: string[]
}

export interface AskerOptions extends Partial<RestContext> {
  kind?: ConnectionKind
  documents?: readonly string[]
  /** Uses this space instead of a fresh one. */
  to?: BuiltSpace
}

const BASE = 'http://localhost/links/secret/api/v1'

export async function askerOf({ kind = 'full', documents = [], to, ...other }: AskerOptions = {}): Promise<Asker> {
  const built = to ?? (await buildSpace())
  const link = await built.space.createAccessLink(kind, documents, 'tester')
  const logged: string[] = []
  const context: RestContext = {
    endpoints,
    catalog: new ToolCatalog(other.endpoints ?? endpoints, kind),
    version: '1.2.3',
    baseUrl: () => '/links/secret/api/v1',
    call: (tool, args, { idSpelling }) =>
      runCall(tool, args, { space: built.space, link }, { idSpelling, overRest: true }),
    log: (line) => void logged.push(line),
    ...other,
  }
  const ask = async (line: string, body?: unknown, headers: Record<string, string> = {}): Promise<RestResult> => {
    const [method = ''] = line.split(' ')
    const target = line.slice(method.length + 1)
    const sent = body === undefined || isSentAsIs(body) ? body : JSON.stringify(body)
    const type: Record<string, string> =
      body !== undefined && !isSentAsIs(body) ? { 'content-type': 'application/json' } : {}
    const init = { method, headers: { ...type, ...headers }, duplex: 'half' as const }
    const request = new Request(`${BASE}${target}`, sent === undefined ? init : { ...init, body: sent as string })
    const response = await handleRest(request, target.replace(/\?.*/s, ''), context)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  return {
    ...built,
    ask,
    async refused(status, line, body, headers) {
      const response = await ask(line, body, headers)
      if (response.status !== status)
        throw new Error(`Expected ${line} to answer ${status}, found ${response.status} ${response.text}`)
      return response.json.error
    },
    logged,
  }
}

const isSentAsIs = (body: unknown): boolean =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream

/** Creates a document with this content. Returns its ID. */
export async function documentBy({ ask }: Asker, markdown = '', title = 'Document'): Promise<string> {
  const { json } = await ask('POST /documents', { documents: [{ title, markdown }] })
  return json.items[0].id
}
