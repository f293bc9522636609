/**
 * Objects in a bucket of S3-compatible storage. A name is used only once, so the content of an object never changes.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { invalid } from '../../src/base/errors.ts'
import type { ByteRange } from '../bytes/checked-files.ts'
import type { BucketAddress, BucketCredentials } from './bucket-address.ts'
import { answeredError, BucketError, connectionFailed, errorCode, toStorageFault } from './bucket-errors.ts'
import {
  type BucketRequest,
  limitedBody,
  REQUEST_LIMITS,
  type RequestBody,
  type RequestLimits,
  SignedRequests,
} from './signed-request.ts'

/** Maximum number of attempts at a request whose failure may be temporary. */
const MAX_ATTEMPTS = 5
/** Maximum number of bytes of an error response to read. */
const MAX_ERROR_SIZE = 64 * 1024

/** An object, or a part of it. */
export interface FoundObject {
  /** Bytes of the whole object. */
  size: number
  /** The storage's tag for these bytes. Other bytes have another tag. */
  etag: string
  /** Where the connection fails, reading goes on with another request. Destroy it if it is not read to its end. */
  body: Readable
}

/** One response with an object, or a part of it. */
interface FoundPart {
  size: number
  etag: string
  /** The first and the last of its bytes. */
  start: number
  end: number
  answer: IncomingMessage
}

/** A bucket. Its methods throw a StorageFault if the storage fails. */
export class Bucket {
  readonly #address: BucketAddress
  readonly #host: string
  readonly #requests: SignedRequests

  constructor(address: BucketAddress, credentials: BucketCredentials, limits: RequestLimits = REQUEST_LIMITS) {
    this.#address = address
    this.#host = new URL(address.url).host
    this.#requests = new SignedRequests(credentials, limits)
  }

  /** Resolves once the bytes are stored. Errors of their source are thrown unchanged. */
  async put(name: string, body: RequestBody): Promise<void> {
    await this.#attempt(async () => this.#readAll(await this.#send('PUT', name, { body })))
  }

  /** An object, or a range of it; undefined if it does not exist. @param range  begins within the object */
  async get(name: string, range?: ByteRange): Promise<FoundObject | undefined> {
    const first = await this.#attempt(() => this.#get(name, range))
    if (first === undefined) return undefined
    const { size, etag, answer } = first
    const body = Readable.from(this.#bytesFrom(first, name, range), { objectMode: false })
    // A generator that was never started does not release its connection.
    body.once('close', () => void answer.destroy())
    return { size, etag, body }
  }

  /** All bytes of an object; undefined if there is no object with this name and size. */
  async readAll(name: string, size: number): Promise<Buffer | undefined> {
    const found = await this.get(name)
    if (found?.size === size) return collect(found.body)
    found?.body.destroy()
    return undefined
  }

  /** The size of an object in bytes; undefined if it does not exist. */
  async size(name: string): Promise<number | undefined> {
    // A response to HEAD has no body that says whether the object or the bucket is missing.
    const found = await this.get(name, { start: 0, end: 1 })
    if (found !== undefined) await collect(found.body)
    return found?.size
  }

  async delete(name: string): Promise<void> {
    await this.#attempt(async () => this.#readAll(await this.#send('DELETE', name)))
  }

  /** Writes, reads and deletes an object. @throws VALIDATION_ERROR for the person who runs the server */
  async check(): Promise<void> {
    const name = `check-${randomBytes(8).toString('hex')}`
    const bytes = randomBytes(16)
    const hash = createHash('sha256').update(bytes).digest('hex')
    try {
      await this.put(name, { size: bytes.byteLength, hash, open: () => Readable.from([bytes]) })
      const found = await this.readAll(name, bytes.byteLength)
      await this.delete(name)
      if (found?.equals(bytes) !== true) {
        throw invalid(
          `Expected ${this.#address.url} to return what was stored, found other bytes; check --files-bucket.`,
        )
      }
      // Without the right to list, storage refuses to read a missing object instead of saying that it is missing.
      const gone = await this.get(name)
      gone?.body.destroy()
    } catch (error) {
      const { cause } = error as Error
      throw cause instanceof BucketError ? invalid(cause.message) : error
    }
  }

  close(): void {
    this.#requests.close()
  }

  async #get(name: string, range?: ByteRange): Promise<FoundPart | undefined> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const answer = await this.#send('GET', name, { headers })
    if (answer.statusCode === 404) return undefined
    if (answer.statusCode === 416) {
      // An object without bytes has no range.
      const whole = range?.start === 0 ? await this.#get(name) : undefined
      if (whole?.size === 0) return whole
      whole?.answer.destroy()
      throw this.#otherBytes()
    }
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? []
    const size = Number(range === undefined ? answer.headers['content-length'] : total)
    const [start, end] = [range?.start ?? 0, Math.min(range?.end ?? Infinity, size - 1)]
    const isAsAsked =
      range === undefined
        ? answer.statusCode === 200
        : answer.statusCode === 206 && Number(first) === start && Number(last) === end
    if (!isAsAsked || !Number.isSafeInteger(size)) {
      answer.destroy()
      throw this.#otherBytes()
    }
    return { size, etag: answer.headers.etag ?? '', start, end, answer }
  }

  /** The bytes of a response. If it fails in the middle, the remaining bytes are requested. */
  async *#bytesFrom(first: FoundPart, name: string, range?: ByteRange): AsyncGenerator<Buffer> {
    const attempts = new Attempts(this.#requests.limits)
    const { start, end } = first
    let next = start
    for (let part: FoundPart | undefined = first; ; part = undefined) {
      try {
        part ??= await this.#getSame(first, name, next === start ? range : { start: next, end })
        for await (const chunk of limitedBody(part.answer, this.#host, end - next + 1, this.#requests.limits)) {
          next += chunk.byteLength
          yield chunk
        }
        return
      } catch (error) {
        await attempts.pauseAfter(error)
      }
    }
  }

  /** A part of an object that was found before. @throws BucketError if it is missing now, or has other bytes */
  async #getSame({ size, etag }: FoundPart, name: string, range?: ByteRange): Promise<FoundPart> {
    const part = await this.#get(name, range)
    if (part?.size === size && part.etag === etag) return part
    part?.answer.destroy()
    throw this.#otherBytes()
  }

  #otherBytes(): BucketError {
    return connectionFailed(this.#host, new Error('other bytes than were asked for'))
  }

  /** @returns a response without an error status, or one that was read: 404 for a missing object, 416 for a range */
  async #send(
    method: BucketRequest['method'],
    name: string,
    more: Pick<BucketRequest, 'headers' | 'body'> = {},
  ): Promise<IncomingMessage> {
    const { url, prefix } = this.#address
    const answer = await this.#requests.send({ method, url: `${url}/${prefix}${name}`, ...more })
    const { statusCode: status = 0, headers } = answer
    if (status >= 200 && status < 300) return answer
    const body = (await this.#readAll(answer)).toString('utf8')
    if (status === 404 && method !== 'PUT' && errorCode(body) !== 'NoSuchBucket') return answer
    if (status === 416 && method === 'GET') return answer
    throw answeredError({ url, status, body, headers })
  }

  async #readAll(answer: IncomingMessage): Promise<Buffer> {
    if (answer.readableEnded || answer.destroyed) return Buffer.alloc(0)
    return collect(limitedBody(answer, this.#host, MAX_ERROR_SIZE, this.#requests.limits))
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    const attempts = new Attempts(this.#requests.limits)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        await attempts.pauseAfter(error)
      }
    }
  }
}

/** Decides how often something is attempted. */
class Attempts {
  readonly #limits: RequestLimits
  #failures = 0
  /** When the first attempt failed. An attempt itself may take long, since it may send or receive many bytes. */
  #failedAt = 0

  constructor(limits: RequestLimits) {
    this.#limits = limits
  }

  /** Waits before the next attempt. @throws the error, for callers, if there is no other attempt */
  async pauseAfter(error: unknown): Promise<void> {
    const now = performance.now()
    if (this.#failures++ === 0) this.#failedAt = now
    // The random factor keeps servers that failed at the same time from retrying at the same time.
    const wait = this.#limits.pause * 2 ** (this.#failures - 1) * (0.5 + Math.random() / 2)
    const isOver = this.#failures === MAX_ATTEMPTS || now - this.#failedAt + wait > this.#limits.whole
    if (!(error instanceof BucketError) || error.failure !== 'passing' || isOver) throw toStorageFault(error)
    await delay(wait)
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  return Buffer.concat(found)
}
