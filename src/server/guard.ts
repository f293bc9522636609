/** What a request must fulfil before it is looked at: whom it asks for, from where, how much it brings, and how fast. */
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { type ErrorCode, STATUS } from '../errors.ts'
import { BODY_BYTES, BODY_PACE, BODY_SECONDS } from '../limits.ts'
import { partAtOnce } from './parting.ts'

export interface Names {
  /** The name or address that the server listens at. */
  host: string
  /** Where the server is reached from outside. */
  publicUrl?: string
}

/**
 * Refuses requests of web pages elsewhere, and by names that are not the server's: a page could make a name of its own
 * lead to this machine. An address made of numbers cannot be made to lead elsewhere.
 */
export function refuseStrangers(request: Request, { host, publicUrl }: Names): Response | undefined {
  const outside = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const asked = request.headers.get('host') ?? ''
  const names = [...localhostAllowedHostnames(), host, ...outside]
  if (!validateHostHeader(asked, names).ok && isIP(hostnameOf(asked)) === 0) {
    const found = `Expected one of this server's names as Host, found ${shown(asked)}`
    return refusal(STATUS.FORBIDDEN, 'FORBIDDEN', `${found}; ask by its address, or start it with --public-url.`)
  }
  const origin = request.headers.get('origin')
  if (!validateOriginHeader(origin, [...localhostAllowedOrigins(), host, ...outside]).ok) {
    const found = `Expected a program or a page of this server, found a page of ${shown(origin ?? '')}`
    return refusal(STATUS.FORBIDDEN, 'FORBIDDEN', `${found}; web pages elsewhere are not answered.`)
  }
  return undefined
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''

/**
 * Does work with a request whose body still comes, for {@link BODY_SECONDS} or as many as `seconds` says, and a second
 * more for every {@link BODY_PACE} bytes that have come. How long the work takes once the body is there is its own affair.
 *
 * @returns nothing when the body took longer: what the work comes to then is passed over
 */
export async function inTime<T>(
  incoming: HttpBindings['incoming'],
  seconds: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (incoming.complete || !bringsBody(incoming)) return work()
  const { socket } = incoming
  const before = socket.bytesRead
  const from = performance.now()
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  let timer: NodeJS.Timeout
  const look = () => {
    if (incoming.complete) return
    const given = (seconds + (socket.bytesRead - before) / BODY_PACE) * 1000
    const left = from + given - performance.now()
    if (left > 0) timer = setTimeout(look, left)
    else {
      partAtOnce(incoming)
      // Node tells no reader of a body that was answered already, who would wait without end.
      socket.once('close', () => incoming.destroy())
      resolve(undefined)
    }
  }
  timer = setTimeout(look, seconds * 1000)
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

const bringsBody = ({ headers }: HttpBindings['incoming']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** A body as it was sent, or the refusal of one that is too large or was cut off. */
export type Body = { bytes: Uint8Array<ArrayBuffer> } | { refused: Response }

/**
 * Reads a body whole, but no more of it than `most` bytes.
 *
 * @param most  bytes
 */
export async function readBody(request: Request, most = BODY_BYTES): Promise<Body> {
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > most) return { refused: tooLarge(most) }
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // No more comes than was announced, and whole it comes faster than as a stream.
    if (announced !== null) return { bytes: new Uint8Array(await request.arrayBuffer()) }
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      // Leaving the loop cancels the stream.
      if (length > most) return { refused: tooLarge(most) }
      chunks.push(chunk)
    }
  } catch {
    const cutOff = 'Expected a whole body, found one that was cut off; send it again.'
    return { refused: refusal(STATUS.VALIDATION_ERROR, 'VALIDATION_ERROR', cutOff) }
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)) }
}

/** An answer after which the connection is closed: what still comes over it is not waited for. */
export const refusal = (status: number, code: ErrorCode, error: string): Response =>
  Response.json({ error, code }, { status, headers: { 'Cache-Control': 'no-store', connection: 'close' } })

const tooLarge = (most: number) =>
  refusal(
    STATUS.PAYLOAD_TOO_LARGE,
    'PAYLOAD_TOO_LARGE',
    most < BODY_BYTES
      ? `Expected a body of at most ${most / 1024} KiB, found more; send less.`
      : `Expected a body of at most ${most / 1024 / 1024} MiB, found more; split the call.`,
  )

export const tooSlow = () =>
  refusal(
    408,
    'VALIDATION_ERROR',
    'Expected the body of the request without such pauses, found that it takes too long; send it again.',
  )
