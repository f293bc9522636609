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
  body: AsyncIterable<Buffer>
  /** Discards the body. It cannot be read after that. */
  discard(): void
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

  /** Resolves once the bytes are stored. */
  async put(name: string, body: RequestBody): Promise<void> {
    await this.#attempt(async () => this.#readAll(await this.#send('PUT', name, { body })))
  }

  /** An object, or a range of it; undefined if it does not exist. @param range  begins within the object */
  get(name: string, range?: ByteRange): Promise<FoundObject | undefined> {
    return this.#attempt(() => this.#get(name, range))
  }

  /** All bytes of an object; undefined if there is no object with this name and size. */
  readAll(name: string, size: number): Promise<Buffer | undefined> {
    return this.#attempt(async () => {
      const found = await this.#get(name)
      if (found?.size === size) return collect(found.body)
      found?.discard()
      return undefined
    })
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
      gone?.discard()
    } catch (error) {
      const { cause } = error as Error
      throw cause instanceof BucketError ? invalid(cause.message) : error
    }
  }

  close(): void {
    this.#requests.close()
  }

  async #get(name: string, range?: ByteRange): Promise<FoundObject | undefined> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const answer = await this.#send('GET', name, { headers })
    if (answer.statusCode === 404) {
      await this.#readAll(answer)
      return undefined
    }
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '') ?? []
    const size = Number(range === undefined ? answer.headers['content-length'] : total)
    const end = range === undefined ? size - 1 : Math.min(range.end, size - 1)
    const isAsAsked =
      range === undefined
        ? answer.statusCode === 200
        : answer.statusCode === 206 && Number(first) === range.start && Number(last) === end
    if (!isAsAsked || !Number.isSafeInteger(size)) {
      answer.destroy()
      throw connectionFailed(this.#host, new Error('other bytes than were asked for'))
    }
    const length = end - (range?.start ?? 0) + 1
    return {
      size,
      etag: answer.headers.etag ?? '',
      body: limitedBody(answer, this.#host, length, this.#requests.limits),
      discard: () => void answer.destroy(),
    }
  }

  /** @returns a response without an error status, or with status 404 for a missing object */
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
    throw answeredError({ url, status, body, headers })
  }

  async #readAll(answer: IncomingMessage): Promise<Buffer> {
    if (answer.readableEnded || answer.destroyed) return Buffer.alloc(0)
    return collect(limitedBody(answer, this.#host, MAX_ERROR_SIZE, this.#requests.limits))
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    const { whole, pause } = this.#requests.limits
    const began = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        // The random factor keeps servers that failed at the same time from retrying at the same time.
        const wait = pause * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
        const isOver = attempt === MAX_ATTEMPTS || performance.now() - began + wait > whole
        if (!(error instanceof BucketError) || error.failure !== 'passing' || isOver) throw toStorageFault(error)
        await delay(wait)
      }
    }
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  return Buffer.concat(found)
}
