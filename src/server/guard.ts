/** What a request must fulfil before it is looked at: whom it asks for, from where, how much it brings, and how fast. */
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { type ErrorCode, HTTP_STATUS } from '../errors.ts'
import { BODY_BYTES, BODY_SECONDS, MIN_BODY_BYTES_PER_SECOND } from '../limits.ts'
import { closeNow } from './parting.ts'

export interface ServerNames {
  /** The name or address that the server listens at. */
  host: string
  /** Where the server is reached from outside. */
  publicUrl?: string
}

/**
 * Refuses requests of web pages elsewhere, and by names that are not the server's: a page could make a name of its own
 * lead to this machine. An address made of numbers cannot be made to lead elsewhere.
 */
export function rejectForeignRequest(request: Request, { host, publicUrl }: ServerNames): Response | undefined {
  const publicNames = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const requestHost = request.headers.get('host') ?? ''
  const names = [...localhostAllowedHostnames(), host, ...publicNames]
  if (!validateHostHeader(requestHost, names).ok && isIP(hostnameOf(requestHost)) === 0) {
    const found = `Expected one of this server's names as Host, found ${truncate(requestHost)}`
    return refusalResponse(
      HTTP_STATUS.FORBIDDEN,
      'FORBIDDEN',
      `${found}; ask by its address, or start it with --public-url.`,
    )
  }
  const origin = request.headers.get('origin')
  if (!validateOriginHeader(origin, [...localhostAllowedOrigins(), host, ...publicNames]).ok) {
    const found = `Expected a program or a page of this server, found a page of ${truncate(origin ?? '')}`
    return refusalResponse(HTTP_STATUS.FORBIDDEN, 'FORBIDDEN', `${found}; web pages elsewhere are not answered.`)
  }
  return undefined
}

const truncate = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''

/**
 * Does work with a request whose body still comes, for {@link BODY_SECONDS} or as many as `seconds` says, and a second
 * more for every {@link MIN_BODY_BYTES_PER_SECOND} bytes that have come. How long the work takes once the body is there is its own affair.
 *
 * @returns nothing when the body took longer: what the work comes to then is passed over
 */
export async function withBodyTimeout<T>(
  incoming: HttpBindings['incoming'],
  seconds: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (incoming.complete || !hasBody(incoming)) return work()
  const { socket } = incoming
  const bytesBefore = socket.bytesRead
  const startedAt = performance.now()
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout
  const check = () => {
    if (incoming.complete) return
    const allowed = (seconds + (socket.bytesRead - bytesBefore) / MIN_BODY_BYTES_PER_SECOND) * 1000
    const remaining = startedAt + allowed - performance.now()
    if (remaining > 0) timer = setTimeout(check, remaining)
    else {
      closeNow(incoming)
      // Node tells no reader of a body that was answered already, who would wait without end.
      socket.once('close', () => incoming.destroy())
      resolve(undefined)
    }
  }
  timer = setTimeout(check, seconds * 1000)
  try {
    return await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

const hasBody = ({ headers }: HttpBindings['incoming']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** A body as it was sent, or the refusal of one that is too large or was cut off. */
export type BodyResult = { bytes: Uint8Array<ArrayBuffer> } | { refused: Response }

/**
 * Reads a body whole, but no more of it than `most` bytes.
 *
 * @param maxBytes  bytes
 */
export async function readBodyBytes(request: Request, maxBytes = BODY_BYTES): Promise<BodyResult> {
  const contentLength = request.headers.get('content-length')
  if (Number(contentLength ?? 0) > maxBytes) return { refused: bodyTooLarge(maxBytes) }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // No more comes than was announced, and whole it comes faster than as a stream.
    if (contentLength !== null) return { bytes: new Uint8Array(await request.arrayBuffer()) }
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      // Leaving the loop cancels the stream.
      if (length > maxBytes) return { refused: bodyTooLarge(maxBytes) }
      chunks.push(chunk)
    }
  } catch {
    const cutOff = 'Expected a whole body, found one that was cut off; send it again.'
    return { refused: refusalResponse(HTTP_STATUS.VALIDATION_ERROR, 'VALIDATION_ERROR', cutOff) }
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)) }
}

/** An answer after which the connection is closed: what still comes over it is not waited for. */
export const refusalResponse = (status: number, code: ErrorCode, error: string): Response =>
  Response.json({ error, code }, { status, headers: { 'Cache-Control': 'no-store', connection: 'close' } })

const bodyTooLarge = (maxBytes: number) =>
  refusalResponse(
    HTTP_STATUS.PAYLOAD_TOO_LARGE,
    'PAYLOAD_TOO_LARGE',
    maxBytes < BODY_BYTES
      ? `Expected a body of at most ${maxBytes / 1024} KiB, found more; send less.`
      : `Expected a body of at most ${maxBytes / 1024 / 1024} MiB, found more; split the call.`,
  )

export const bodyTooSlow = () =>
  refusalResponse(
    408,
    'VALIDATION_ERROR',
    'Expected the body of the request without such pauses, found that it takes too long; send it again.',
  )
