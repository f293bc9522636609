/** Files of spaces in a database while their bucket fails in the middle. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { Bucket } from '../../storage/bucket/bucket.ts'
import { parseBucketAddress } from '../../storage/bucket/bucket-address.ts'
import type { WrittenFile } from '../../storage/bytes/file-bytes.ts'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { TEST_DATABASE } from '../build.ts'
import { makeLink } from '../http/serving.ts'
import { start } from '../program.ts'
import { changeRows, rowsOf } from '../sqlite.ts'
import { FAILURES, type FailingBucket, startFailingBucket } from '../storage/bucket/failing-bucket.ts'
import { CREDENTIALS, SHORT_LIMITS } from '../storage/bucket/s3-server.ts'

const ADDRESS = TEST_DATABASE ?? ''
let server: FailingBucket
beforeAll(async () => {
  server = await startFailingBucket()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

function openBucket(): Bucket {
  const bucket = new Bucket(parseBucketAddress(server.url), CREDENTIALS, { ...SHORT_LIMITS, whole: 10_000 })
  onTestFinished(() => bucket.close())
  return bucket
}

async function openInBucket(): Promise<OpenSpace> {
  const space = await openSpace(spaceAddress(ADDRESS, randomUUID()), { timezone: 'UTC', filesBucket: openBucket() })
  onTestFinished(() => space.close())
  return space
}

const LARGE = Buffer.alloc(2_000_000, 'scriptorium ')
const SMALL = LARGE.subarray(0, 200_000)

const keep = async (space: OpenSpace, content: Buffer): Promise<WrittenFile> => {
  const written = await space.files.write(Readable.from([content]), LARGE.byteLength)
  await space.write(OPERATOR_LINK, ({ tx }) => space.files.commit(written, tx))
  return written
}

const contentOf = async (space: OpenSpace, file: WrittenFile): Promise<Buffer> =>
  Buffer.concat(await (await space.files.read(file)).toArray())

test.each(FAILURES.flatMap((how) => [SMALL, LARGE].map((content) => [how, content.byteLength, content] as const)))(
  '%s in an upload of %i bytes: the file is stored',
  async (how, size, content) => {
    const space = await openInBucket()
    for (const after of [0, size / 2, size]) server.fail({ method: 'PUT', how, after })
    const file = await keep(space, content)
    expect((await contentOf(space, file)).equals(content)).toBe(true)
    expect(server.requests.filter((line) => line.startsWith('PUT')).length).toBeGreaterThanOrEqual(4)
  },
)

test('a server stays up when an upload fails, and repeats it', async () => {
  const space = await openInBucket()
  const program = start(['serve', '--port', '0'], {
    SCRIPTORIUM_DATABASE: ADDRESS,
    SCRIPTORIUM_FILES_BUCKET: server.url,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  })
  const [, origin = ''] = await program.until(/Serving at (\S+);/)
  const link = await makeLink({ space }, origin)
  server.fail({ method: 'PUT', how: 'status 500', after: 0, times: 2 })
  const request = 'POST /upload?position=end&date=today&fileName=large.txt'
  const { status, json } = await link.ask(request, LARGE.toString(), { 'content-type': 'text/plain' })
  expect(status).toBe(200)
  const [path = ''] = /\/files\/[\w./%-]+/.exec(JSON.stringify(json)) ?? []
  expect(Buffer.from(await (await fetch(`${origin}${path}`)).arrayBuffer()).equals(LARGE)).toBe(true)
  expect(await program.end()).toBe(0)
})

test('bytes that change on their way are never returned as valid', async () => {
  const space = await openInBucket()
  for (const content of [SMALL, LARGE]) {
    const file = await keep(space, content)
    server.fail({ method: 'GET', how: 'wrong bytes', after: 1000 })
    await expect(contentOf(space, file)).rejects.toMatchObject({ code: 'FILE_DAMAGED' })
    expect((await contentOf(space, file)).equals(content)).toBe(true)
  }
})

test('a sweep deletes all that it can, and the rest later', async () => {
  const space = await openInBucket()
  const files: WrittenFile[] = []
  for (const text of ['locked', 'free', 'also free']) {
    files.push(await space.files.write(Readable.from([Buffer.from(text)]), 100))
  }
  await space.write(OPERATOR_LINK, ({ tx }) =>
    changeRows(tx, "UPDATE unreferenced_object SET delete_after = delete_after - interval '2 days'"),
  )
  const noted = () => space.read(OPERATOR_LINK, ({ tx }) => rowsOf(tx, 'SELECT object FROM unreferenced_object'))
  const [locked = { hash: '' }] = files
  const isLocked = expect.stringContaining(locked.hash)
  server.fail({ method: 'DELETE', how: 'status 403', after: 0, name: locked.hash })
  await expect(space.files.sweep()).rejects.toMatchObject({ reason: expect.stringContaining('403 AccessDenied') })
  expect([await noted(), [...server.objects.keys()]]).toEqual([[{ object: isLocked }], [isLocked]])
  server.fail({ method: 'DELETE', how: 'cut connection', after: 0 })
  expect([await space.files.sweep(), await space.files.sweep()]).toEqual([1, 0])
  expect([await noted(), server.objects.size]).toEqual([[], 0])
})
