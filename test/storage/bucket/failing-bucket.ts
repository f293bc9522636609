/** An S3-compatible server in memory that fails where a test says, and works otherwise. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What may be gone with the next attempt. */
export const FAILURES = ['status 500', 'cut connection', 'silence', 'wrong bytes'] as const

/** What goes wrong with a request, or with its response. */
export interface Failure {
  method: 'GET' | 'PUT' | 'DELETE'
  how: (typeof FAILURES)[number] | 'status 403'
  /**
   * The number of bytes of the object that pass before the failure. A PUT of fewer bytes fails after it was stored. A
   * GET of as many or fewer is not affected.
   */
  after: number
  /** How many requests fail; 1 by default. */
  times?: number
  /** Only requests for objects whose names contain this text fail. */
  name?: string
}

export interface FailingBucket {
  /** The address of the bucket. */
  url: string
  /** The stored objects, by their names. */
  objects: Map<string, Buffer>
  /** The requests so far: method, name and the requested range. */
  requests: string[]
  /** Lets the next requests of this kind fail. */
  fail(failure: Failure): void
  /** Forgets all objects, requests and failures. */
  reset(): void
  stop(): Promise<void>
}

const MISSING = '<Error><Code>NoSuchKey</Code></Error>'

export async function startFailingBucket(): Promise<FailingBucket> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const failures: Required<Failure>[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = (request.url ?? '').replace(/^\/files\//, '')
    const range = request.headers.range ?? ''
    requests.push(`${request.method} ${name} ${range}`.trim())
    const object = objects.get(name)
    const part = object && partOf(object, range)
    const isMet = ({ method, times, name: text, after }: Required<Failure>): boolean =>
      times > 0 && method === request.method && name.includes(text) && (method !== 'GET' || after < (part?.size ?? 0))
    const failure = failures.find(isMet)
    if (failure !== undefined) failure.times--
    if (request.method === 'PUT') return store(objects, name, request, response, failure)
    if (request.method === 'DELETE') {
      if ((failure?.after ?? 1) > 0) objects.delete(name)
      if (failure === undefined) response.writeHead(204).end()
      else fail(failure, request, response)
    } else if (object === undefined || part === undefined) response.writeHead(404).end(MISSING)
    else send(object, part, request, response, failure)
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // A request whose connection ends while it is read is not answered.
    answer(request, response).catch(() => request.socket.destroy())
  }
  const server = createServer(onRequest)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue()
    onRequest(request, response)
  })
  // A connection that is closed as a request arrives would be a failure that no test asked for.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    objects,
    requests,
    fail: (failure) => void failures.push({ times: 1, name: '', ...failure }),
    reset() {
      objects.clear()
      requests.length = 0
      failures.length = 0
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fail({ how }: Failure, request: IncomingMessage, response: ServerResponse): void {
  if (how === 'cut connection') request.socket.destroy()
  else if (how === 'status 500') response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
  else if (how === 'status 403') response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  else if (how === 'wrong bytes') response.writeHead(400).end('<Error><Code>BadDigest</Code></Error>')
  // Nothing is read any more, and nothing is answered.
  else request.pause()
}

async function store(
  objects: Map<string, Buffer>,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  failure?: Failure,
): Promise<void> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (failure !== undefined && failure.how !== 'wrong bytes' && size > failure.after) {
      fail(failure, request, response)
      return
    }
  }
  const received = Buffer.concat(chunks)
  const bytes = failure?.how === 'wrong bytes' ? flipped(received, failure.after) : received
  if (createHash('sha256').update(bytes).digest('hex') !== request.headers['x-amz-content-sha256']) {
    response.writeHead(400).end('<Error><Code>XAmzContentSHA256Mismatch</Code></Error>')
    return
  }
  objects.set(name, bytes)
  if (failure !== undefined) fail(failure, request, response)
  else response.writeHead(200).end()
}

/** The requested part of an object. */
interface Part {
  start: number
  size: number
  isRange: boolean
}

function partOf({ byteLength }: Buffer, range: string): Part {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  const start = Number(first)
  const end = Math.min(last === '' ? Infinity : Number(last), byteLength - 1)
  return { start, size: Math.max(0, end - start + 1), isRange: range !== '' }
}

function send(
  object: Buffer,
  { start, size, isRange }: Part,
  request: IncomingMessage,
  response: ServerResponse,
  failure?: Failure,
): void {
  if (isRange && size === 0) {
    response.writeHead(416).end('<Error><Code>InvalidRange</Code></Error>')
    return
  }
  const part = object.subarray(start, start + size)
  if (failure !== undefined && failure.how !== 'wrong bytes' && (failure.after === 0 || failure.how === 'status 500')) {
    fail(failure, request, response)
    return
  }
  response.writeHead(isRange ? 206 : 200, {
    'content-length': size,
    etag: `"${etagOf(object)}"`,
    ...(isRange && { 'content-range': `bytes ${start}-${start + size - 1}/${object.byteLength}` }),
  })
  if (failure === undefined) response.end(part)
  else if (failure.how === 'wrong bytes') response.end(flipped(part, failure.after))
  else response.write(part.subarray(0, failure.after), () => fail(failure, request, response))
}

/** The same bytes with one bit changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  const index = Math.min(at, changed.byteLength - 1)
  changed[index] = (changed[index] ?? 0) ^ 1
  return changed
}

const etags = new WeakMap<Buffer, string>()

function etagOf(object: Buffer): string {
  const etag = etags.get(object) ?? createHash('md5').update(object).digest('hex')
  etags.set(object, etag)
  return etag
}
