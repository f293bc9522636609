/** Sends one signed request to S3-compatible storage and returns its response. Each step has a time limit. */
import { once } from 'node:events'
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { responseTo } from '../../src/base/response-to.ts'
import type { BucketCredentials } from './bucket-address.ts'
import { connectionFailed, tooSlow } from './bucket-errors.ts'

/** Limits of a request, in milliseconds unless noted. */
export interface RequestLimits {
  connect: number
  /** Maximum time without a byte in either direction. */
  silence: number
  /** Maximum time for a whole request and its response, in addition to the time that its bytes may take. */
  whole: number
  /** The minimum rate of a body, in bytes per second. */
  slowest: number
  /** The pause before the second attempt; it doubles with each further attempt. */
  pause: number
}

export const REQUEST_LIMITS: RequestLimits = {
  connect: 5_000,
  silence: 15_000,
  whole: 30_000,
  slowest: 256 * 1024,
  pause: 200,
}

export interface BucketRequest {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: RequestBody
}

export interface RequestBody {
  size: number
  /** SHA-256 in hex. The storage compares it with the bytes. */
  hash: string
  /** Opens the bytes from the beginning. Each attempt opens them once, and may stop reading at any byte. */
  open(): AsyncIterable<Uint8Array>
}

/** SHA-256 of an empty body. */
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** For bodies of more bytes than this, wait for the response to the headers; and the milliseconds to wait for it. */
const EXPECT_FROM = 1024 * 1024
const EXPECT_MS = 1_000
/** Maximum number of simultaneous connections to a bucket. */
const MAX_CONNECTIONS = 64

export class SignedRequests {
  readonly limits: RequestLimits
  readonly #credentials: BucketCredentials
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
  }

  constructor(credentials: BucketCredentials, limits: RequestLimits) {
    this.#credentials = credentials
    this.limits = limits
  }

  /**
   * Sends a request. Redirects are not followed.
   *
   * @returns the response, whose body must be read with {@link limitedBody}
   * @throws BucketError if there is no response in time; errors of the body's source, unchanged
   */
  async send({ method, url, headers = {}, body }: BucketRequest): Promise<IncomingMessage> {
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...headers, 'x-amz-content-sha256': body?.hash ?? EMPTY_HASH },
      service: 's3',
      ...this.#credentials,
    })
    const signed = await signer.sign()
    const target = new URL(url)
    const isHttps = target.protocol === 'https:'
    const outgoing = (isHttps ? httpsRequest : httpRequest)(target, {
      method,
      agent: this.#agents[isHttps ? 'https:' : 'http:'],
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body && { 'content-length': body.size, 'content-type': 'application/octet-stream' }),
        ...(isLarge(body) && { expect: '100-continue' }),
      },
    })
    const ended = new AbortController()
    const answered = responseTo(outgoing).catch((error: Error) => {
      throw connectionFailed(target.host, error)
    })
    const isLate = this.#limitTime(outgoing, target, body?.size ?? 0, ended.signal)
    try {
      const sent = body === undefined ? void outgoing.end() : sendBody(outgoing, body, ended.signal)
      // The storage may respond before it has read the body. If the body cannot be read, there is no response.
      const answer = await Promise.race([answered, isLate, Promise.resolve(sent).then(() => answered)])
      // If its body was not sent completely, the connection cannot be reused.
      if (!outgoing.writableEnded) answer.once('close', () => outgoing.destroy())
      return answer
    } catch (error) {
      outgoing.destroy()
      throw error
    } finally {
      ended.abort()
    }
  }

  /**
   * Rejects once a request takes too long, with an error that says which part did. A request that waits for a
   * connection reports no error when it is destroyed.
   *
   * @param ended  aborted once the request needs no limits any more
   */
  #limitTime(outgoing: ClientRequest, { host, protocol }: URL, size: number, ended: AbortSignal): Promise<never> {
    const { connect, silence, whole, slowest } = this.limits
    return new Promise((_, reject) => {
      const exceeded = (found: string) => reject(tooSlow(host, found))
      const finishing = setTimeout(exceeded, whole + (size / slowest) * 1_000, 'no whole answer')
      const connecting = setTimeout(exceeded, connect, 'no connection')
      const isConnected = () => clearTimeout(connecting)
      outgoing.setTimeout(silence, () => exceeded('silence'))
      outgoing.once('socket', (socket) => {
        if (socket.connecting) socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', isConnected)
        else isConnected()
      })
      ended.addEventListener('abort', () => {
        clearTimeout(finishing)
        clearTimeout(connecting)
      })
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

const isLarge = (body: RequestBody | undefined): boolean => body !== undefined && body.size > EXPECT_FROM

/**
 * Sends the body of a request.
 *
 * @param ended  aborted as soon as there is a response, or none can come. No more is sent then.
 * @throws errors of the body's source
 */
async function sendBody(outgoing: ClientRequest, body: RequestBody, ended: AbortSignal): Promise<void> {
  const happens = (event: 'continue' | 'drain') => once(outgoing, event, { signal: ended }).then(isTrue, isFalse)
  if (isLarge(body)) {
    outgoing.flushHeaders()
    await Promise.race([happens('continue'), delay(EXPECT_MS, true, { signal: ended }).catch(isFalse)])
  }
  if (ended.aborted) return
  let left = body.size
  for await (const chunk of body.open()) {
    left -= chunk.byteLength
    if (ended.aborted || !(outgoing.write(chunk) || (await happens('drain')))) return
  }
  if (left !== 0) throw new Error(`Expected a body of ${body.size} bytes, found ${body.size - left}.`)
  outgoing.end()
}

const isTrue = () => true
const isFalse = () => false

/**
 * The body of a response. Its time limits count only the time that the reader waits for it.
 *
 * @param size  maximum number of bytes
 * @throws BucketError if the body is cut off, too long or too slow
 */
export async function* limitedBody(
  answer: IncomingMessage,
  host: string,
  size: number,
  { silence, whole, slowest }: RequestLimits,
): AsyncGenerator<Buffer> {
  // A slow reader pauses the connection. That does not count as silence of the other side.
  answer.setTimeout(0)
  let left = whole + (size / slowest) * 1_000
  let length = 0
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const began = performance.now()
      const stop = () => void answer.destroy(tooSlow(host, 'a body that stopped'))
      const timer = setTimeout(stop, Math.max(0, Math.min(silence, left)))
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer))
      if (done === true) return
      left -= performance.now() - began
      length += value.byteLength
      if (length > size) throw connectionFailed(host, new Error('more bytes than were asked for'))
      yield value
    }
  } catch (error) {
    throw connectionFailed(host, error)
  } finally {
    answer.destroy()
  }
}
