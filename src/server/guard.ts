/** What a request must fulfil before it is looked at: whom it asks for, from where, how much it brings, and how fast. */
import { isIP } from 'node:net'
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { type ErrorCode, STATUS } from '../errors.ts'
import { BODY_BYTES, BODY_PACE, BODY_SECONDS } from '../limits.ts'

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
  const asked = hostnameOf(request.headers.get('host') ?? '')
  const names = [...localhostAllowedHostnames(), host, ...outside, ...(isIP(asked) ? [asked, `[${asked}]`] : [])]
  return (
    hostHeaderValidationResponse(request, names) ??
    originValidationResponse(request, [...localhostAllowedOrigins(), ...outside])
  )
}

const hostnameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''

/**
 * The address that a request comes from.
 *
 * @param peer  who is connected
 * @param forwarded  X-Forwarded-For, where a proxy that is trusted writes it: the last address in it that is no
 *   proxy's of our own network
 */
export function clientAddress(peer: string, forwarded: string | null): string {
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim())
  const addresses = hops.map((hop) => addressOf(hop)).filter((hop) => hop !== undefined)
  return addresses.findLast((hop) => !isOwnNetwork(hop)) ?? addresses[0] ?? peer
}

/** An address without its port: `[::1]:80`, `192.0.2.1:80`. */
function addressOf(hop: string): string | undefined {
  const plain = hop
    .replace(/^"|"$/g, '')
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
  return isIP(plain) ? plain : undefined
}

const OWN_NETWORK =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe[89ab]|::ffff:(?:127|10)\.)/i
const isOwnNetwork = (address: string): boolean => OWN_NETWORK.test(address)

/**
 * A request whose body fails when it is too slow: after {@link BODY_SECONDS} and a second more for every
 * {@link BODY_PACE} bytes that have come.
 *
 * @param late  called when it was
 */
export function hurried(request: Request, late: () => void): Request {
  const { body, method, headers, url, signal } = request
  if (body === null) return request
  const from = performance.now()
  let length = 0
  const reader = body.getReader()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const deadline = from + (BODY_SECONDS + length / BODY_PACE) * 1000
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()))
      const next = await Promise.race([reader.read(), promise]).finally(() => clearTimeout(timer))
      if (next === undefined) {
        late()
        controller.error(new Error('The body is too slow.'))
        reader.cancel().catch(() => {})
      } else if (next.done) controller.close()
      else {
        length += next.value.length
        controller.enqueue(next.value)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Request(url, { method, headers, signal, body: stream, duplex: 'half' })
}

/** A body as it was sent, or the refusal of one that is too large or too slow. */
export type Body = { bytes: Uint8Array<ArrayBuffer> } | { refused: Response }

/** Reads a body whole, but no more of it than {@link BODY_BYTES}, and no longer than {@link BODY_SECONDS}. */
export async function readBody(request: Request): Promise<Body> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > BODY_BYTES) return { refused: tooLarge() }
  const reader = request.body?.getReader()
  if (reader === undefined) return { bytes: new Uint8Array() }
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const deadline = setTimeout(() => resolve('late'), BODY_SECONDS * 1000)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late])
      if (next === 'late') return { refused: tooSlow() }
      if (next.done) break
      length += next.value.length
      if (length > BODY_BYTES) return { refused: tooLarge() }
      chunks.push(next.value)
    }
  } catch {
    return {
      refused: refusal(400, 'VALIDATION_ERROR', 'Expected a whole body, found one that was cut off; send it again.'),
    }
  } finally {
    clearTimeout(deadline)
    reader.cancel().catch(() => {})
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)) }
}

const refusal = (status: number, code: ErrorCode, error: string): Response =>
  Response.json({ error, code }, { status, headers: { connection: 'close' } })

const tooLarge = () =>
  refusal(
    STATUS.PAYLOAD_TOO_LARGE,
    'PAYLOAD_TOO_LARGE',
    `Expected a body of at most ${BODY_BYTES / 1024 / 1024} MiB, found more; split the call.`,
  )
export const tooSlow = () =>
  refusal(
    408,
    'VALIDATION_ERROR',
    `Expected a body within ${BODY_SECONDS} seconds, found one that takes longer; send it again.`,
  )
