/** Whatever a bucket does at whatever byte, what it acknowledged is stored, and what is read is what was stored. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Bucket } from '../../../storage/bucket/bucket.ts'
import { parseBucketAddress } from '../../../storage/bucket/bucket-address.ts'
import { runs, timeOfRuns } from '../../support/runs.ts'
import { FAILURES, type FailingBucket, startFailingBucket } from './failing-bucket.ts'
import { CREDENTIALS, SHORT_LIMITS } from './s3-server.ts'

const RUNS = runs(3, 300)

let server: FailingBucket
let bucket: Bucket
beforeAll(async () => {
  server = await startFailingBucket()
  // Time for a busy machine: an attempt that is given up too early only costs another one.
  const limits = { ...SHORT_LIMITS, connect: 5_000, silence: 200, whole: 30_000 }
  bucket = new Bucket(parseBucketAddress(server.url), CREDENTIALS, limits)
})
afterAll(async () => {
  bucket.close()
  await server.stop()
})

const CHUNK = 16 * 1024
/** Some more than are sent without waiting for a response to the headers. */
const MAX_SIZE = 1_200_000
const bytes = fc.oneof(fc.nat({ max: MAX_SIZE }), fc.constantFrom(0, 1, CHUNK, 4 * CHUNK)).map((size) => {
  const content = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4096) content.writeUInt32LE(at, at)
  return content
})
const fault = fc.record({
  how: fc.constantFrom(...FAILURES),
  after: fc.oneof(
    fc.nat({ max: MAX_SIZE }),
    fc.nat({ max: 80 }).map((index) => index * CHUNK),
  ),
})
/** At most two, so that a busy machine that causes others does not use up all attempts. */
const faults = fc.array(fault, { maxLength: 2 })

async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.byteLength; start += CHUNK) yield content.subarray(start, start + CHUNK)
}

test(
  'uploads, downloads and deletions',
  async () => {
    const cases = fc.record({
      content: bytes,
      puts: faults,
      gets: faults,
      deletes: faults,
      first: fc.nat(),
      last: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ content, puts, gets, deletes, first, last }) => {
        server.reset()
        const size = content.byteLength
        const hash = createHash('sha256').update(content).digest('hex')
        for (const failure of puts) server.fail({ method: 'PUT', ...failure })
        await bucket.put('object', { size, hash, open: () => chunksOf(content) })
        expect(server.objects.get('object')?.equals(content)).toBe(true)

        const start = size === 0 ? 0 : first % size
        const range = { start, end: start + (last % (size - start || 1)) }
        for (const failure of gets) {
          // Bytes are compared with their SHA-256 by the readers of files.
          if (failure.how !== 'wrong bytes') server.fail({ method: 'GET', ...failure })
        }
        const found = size === 0 ? await bucket.get('object') : await bucket.get('object', range)
        const read = Buffer.concat((await found?.body.toArray()) ?? [])
        expect([found?.size, read.equals(content.subarray(range.start, range.end + 1))]).toEqual([size, true])

        for (const failure of deletes) server.fail({ method: 'DELETE', ...failure })
        await bucket.delete('object')
        expect(server.objects.size).toBe(0)
      }),
      { numRuns: RUNS },
    )
  },
  timeOfRuns(RUNS),
)
