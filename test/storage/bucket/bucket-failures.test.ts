/** A bucket that fails in the middle of uploads, downloads and deletions. */
import { createHash } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Bucket, type FoundObject } from '../../../storage/bucket/bucket.ts'
import { parseBucketAddress } from '../../../storage/bucket/bucket-address.ts'
import { REQUEST_LIMITS, type RequestBody } from '../../../storage/bucket/signed-request.ts'
import { folder } from '../../program.ts'
import { type FailingBucket, startFailingBucket } from './failing-bucket.ts'
import { CREDENTIALS, SHORT_LIMITS } from './s3-server.ts'

let server: FailingBucket
beforeAll(async () => {
  server = await startFailingBucket()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

/** @param silence  milliseconds; long, unless a test waits for it */
function openBucket(silence = REQUEST_LIMITS.silence): Bucket {
  const bucket = new Bucket(parseBucketAddress(server.url), CREDENTIALS, { ...SHORT_LIMITS, silence, whole: 10_000 })
  onTestFinished(() => bucket.close())
  return bucket
}

/** Of more bytes than are sent without waiting for a response to the headers. */
const CONTENT = Buffer.alloc(1_100_000, 'scriptorium ')
const SIZE = CONTENT.byteLength
/** Before the first byte, within a chunk of the file, and after the last one. */
const POSITIONS = [0, 100_000, SIZE]

function bodyOf(bytes: Buffer): RequestBody {
  const path = join(folder(), 'body')
  writeFileSync(path, bytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { size: bytes.byteLength, hash, open: () => createReadStream(path) }
}

const bytesOf = async (found: FoundObject | undefined): Promise<Buffer> =>
  Buffer.concat(await (found?.body ?? Readable.from([])).toArray())

const requestsFor = (name: string): string[] => server.requests.filter((line) => line.split(' ')[1] === name)

const PASSING = 'Expected the storage of files to answer, found that it does not; nothing was written, try again soon.'

describe.each(['status 500', 'cut connection', 'wrong bytes'] as const)('%s', (how) => {
  test('in an upload: it is repeated from its beginning', async () => {
    const [bucket, body] = [openBucket(), bodyOf(CONTENT)]
    for (const after of POSITIONS) {
      server.fail({ method: 'PUT', how, after })
      await bucket.put('a', body)
      expect(server.objects.get('a')?.equals(CONTENT)).toBe(true)
      server.objects.clear()
    }
    expect(server.requests).toHaveLength(2 * POSITIONS.length)
  })

  test('in a small upload: it is repeated, four times', async () => {
    const [bucket, body] = [openBucket(), bodyOf(CONTENT.subarray(0, 200_000))]
    server.fail({ method: 'PUT', how, after: 100_000, times: 4 })
    await bucket.put('a', body)
    expect([server.requests.length, server.objects.get('a')?.byteLength]).toEqual([5, body.size])
    server.fail({ method: 'PUT', how, after: 100_000, times: 5 })
    await expect(bucket.put('b', body)).rejects.toThrow(PASSING)
    expect([server.requests.length, server.objects.has('b')]).toEqual([10, false])
  })

  test('in a deletion, before or after it is done: it is repeated', async () => {
    const bucket = openBucket()
    for (const after of [0, 1]) {
      server.objects.set('a', CONTENT)
      server.fail({ method: 'DELETE', how, after })
      await bucket.delete('a')
      expect(server.objects.has('a')).toBe(false)
    }
    expect(server.requests).toEqual(Array(4).fill('DELETE a'))
  })
})

test('a connection that is cut in a download: the rest is requested, four times', async () => {
  const bucket = openBucket()
  server.objects.set('a', CONTENT)
  server.fail({ method: 'GET', how: 'cut connection', after: 1000, times: 4 })
  expect((await bytesOf(await bucket.get('a'))).equals(CONTENT)).toBe(true)
  server.fail({ method: 'GET', how: 'cut connection', after: 1000, times: 4 })
  const part = await bytesOf(await bucket.get('a', { start: 7, end: SIZE - 9 }))
  expect(part.equals(CONTENT.subarray(7, SIZE - 8))).toBe(true)
  const starts = [1000, 2000, 3000, 4000]
  expect(server.requests).toEqual([
    ...['GET a', ...starts.map((start) => `GET a bytes=${start}-${SIZE - 1}`)],
    ...[0, ...starts].map((start) => `GET a bytes=${start + 7}-${SIZE - 9}`),
  ])
  server.fail({ method: 'GET', how: 'cut connection', after: 1000, times: 5 })
  await expect(bucket.get('a').then(bytesOf)).rejects.toThrow(PASSING)
  expect(server.requests).toHaveLength(15)
})

test('a download that fails before its first byte is repeated', async () => {
  const bucket = openBucket()
  server.objects.set('a', CONTENT)
  server.fail({ method: 'GET', how: 'status 500', after: 0, times: 2 })
  server.fail({ method: 'GET', how: 'cut connection', after: 0, times: 2 })
  expect((await bytesOf(await bucket.get('a'))).equals(CONTENT)).toBe(true)
  expect(server.requests).toEqual(Array(5).fill('GET a'))
})

test('a bucket that falls silent in the middle is asked again', async () => {
  const [bucket, body] = [openBucket(100), bodyOf(CONTENT)]
  server.objects.set('found', CONTENT)
  server.objects.set('deleted', CONTENT)
  server.fail({ method: 'PUT', how: 'silence', after: 100_000 })
  server.fail({ method: 'GET', how: 'silence', after: 100_000 })
  server.fail({ method: 'DELETE', how: 'silence', after: 1 })
  const [found] = await Promise.all([
    bucket.get('found').then(bytesOf),
    bucket.put('stored', body),
    bucket.delete('deleted'),
  ])
  expect(found.equals(CONTENT)).toBe(true)
  expect([...server.objects.keys()].sort()).toEqual(['found', 'stored'])
  for (const name of ['found', 'stored', 'deleted']) expect(requestsFor(name).length).toBeGreaterThan(1)
})

test('a download does not go on in an object with other bytes', async () => {
  const bucket = openBucket()
  server.objects.set('a', CONTENT)
  server.fail({ method: 'GET', how: 'cut connection', after: 100_000 })
  const found = await bucket.get('a')
  server.objects.set('a', Buffer.alloc(SIZE))
  await expect(bytesOf(found)).rejects.toThrow(PASSING)
})

test('a body whose source fails, or has another size, ends its request with the error of the source', async () => {
  const [bucket, body] = [openBucket(), bodyOf(CONTENT)]
  const source = new Error('the disk failed')
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield CONTENT.subarray(0, 100_000)
    throw source
  }
  await expect(bucket.put('a', { ...body, open: failing })).rejects.toBe(source)
  const throwing = () => {
    throw source
  }
  await expect(bucket.put('a', { ...body, open: throwing })).rejects.toBe(source)
  const gone = () => createReadStream(join(folder(), 'none'))
  await expect(bucket.put('a', { ...body, open: gone })).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(bucket.put('a', { ...body, size: SIZE + 1 })).rejects.toThrow(
    `Expected a body of ${SIZE + 1} bytes, found ${SIZE}.`,
  )
  expect([server.requests.length, server.objects.size]).toEqual([4, 0])
})

test('a body that nobody reads gives its connection back', async () => {
  const bucket = openBucket()
  server.objects.set('a', CONTENT.subarray(0, 300_000))
  // More than there are connections to a bucket at the same time.
  for (let index = 0; index <= 64; index++) {
    const found = await bucket.get('a')
    found?.body.destroy()
  }
  expect(server.requests).toHaveLength(65)
})

test('an object without bytes has a size', async () => {
  const [bucket, empty] = [openBucket(), Buffer.alloc(0)]
  await bucket.put('empty', bodyOf(empty))
  expect([await bucket.size('empty'), await bucket.readAll('empty', 0)]).toEqual([0, empty])
  expect(await bucket.size('none')).toBeUndefined()
})
