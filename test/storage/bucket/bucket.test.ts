/** Objects in a bucket of a real server, and the errors if the server fails. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Bucket } from '../../../storage/bucket/bucket.ts'
import { parseBucketAddress, readBucketCredentials } from '../../../storage/bucket/bucket-address.ts'
import { CREDENTIALS, type S3Server, SHORT_LIMITS, startS3 } from './s3-server.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterAll(() => server.stop())

const bodyOf = (text: string) => ({
  size: Buffer.byteLength(text),
  hash: createHash('sha256').update(text).digest('hex'),
  open: () => Readable.from([Buffer.from(text)]),
})

describe('a bucket', () => {
  test('returns what was put, in whole and in part, until it is deleted', async () => {
    const bucket = server.open('one/two')
    await bucket.put('a', bodyOf('0123456789'))
    expect(String(await bucket.readAll('a', 10))).toBe('0123456789')
    const part = await bucket.get('a', { start: 3, end: 5 })
    expect([part?.size, String(Buffer.concat(await Readable.from(part?.body ?? []).toArray()))]).toEqual([10, '345'])
    expect(await bucket.size('a')).toBe(10)
    expect(await bucket.readAll('a', 9)).toBeUndefined()
    await bucket.delete('a')
    await bucket.delete('a')
    expect([await bucket.size('a'), await bucket.readAll('a', 10), await bucket.get('a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('sends bytes after the server responded with 100 Continue', async () => {
    const bucket = server.open('large')
    const text = 'large '.repeat(400_000)
    await bucket.put('a', bodyOf(text))
    expect((await bucket.readAll('a', text.length))?.equals(Buffer.from(text))).toBe(true)
  })

  test('is checked', async () => {
    await server.open('checked').check()
    const missing = new Bucket(parseBucketAddress(`${server.url}/none`), CREDENTIALS)
    await expect(missing.check()).rejects.toThrow(
      `Expected the bucket ${server.url}/none, found none of this name; make it, or correct --files-bucket.`,
    )
    const wrong = { ...CREDENTIALS, secretAccessKey: 'wrong' }
    await expect(new Bucket(parseBucketAddress(`${server.url}/files`), wrong).check()).rejects.toThrow(
      `Expected credentials that may read, write and delete in ${server.url}/files, found them refused (403 SignatureDoesNotMatch); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the policy of the bucket.`,
    )
  })
})

/** Creates a bucket whose server responds as the test defines. */
async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    requests++
    request.resume()
    answer(request, response)
  }
  const faulty = createServer(onRequest).on('checkContinue', onRequest).listen(0, '127.0.0.1')
  await new Promise((resolve) => faulty.once('listening', resolve))
  const host = `127.0.0.1:${(faulty.address() as AddressInfo).port}`
  const bucket = new Bucket(parseBucketAddress(`http://${host}/files`), CREDENTIALS, SHORT_LIMITS)
  onTestFinished(() => {
    bucket.close()
    faulty.closeAllConnections()
    faulty.close()
  })
  return { bucket, host, requests: () => requests, stop: () => new Promise((resolve) => faulty.close(resolve)) }
}

const fail =
  (status: number, code = '', headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(code && `<Error><Code>${code}</Code></Error>`)

const PASSING = 'Expected the storage of files to answer, found that it does not; nothing was written, try again soon.'
const REFUSED =
  'Expected the storage of files to serve this server, found that it refuses to; nothing was written. Ask the person who runs the server to read its log, then try again.'
const FULL =
  'Expected room in the storage of files, found it full; nothing was written. Ask the person who runs the server to free some, then try again.'
const LATE = '; check --files-bucket and the network.'

describe('a failing server is reported', () => {
  test.each<[string, Parameters<typeof answering>[0], string, (host: string) => string, number]>([
    [
      'is full',
      fail(507, 'XMinioStorageFull'),
      FULL,
      (host) => `Expected room in http://${host}/files, found 507 XMinioStorageFull; make some.`,
      1,
    ],
    [
      'has no room left for this account',
      fail(403, 'QuotaExceeded'),
      FULL,
      (host) => `Expected room in http://${host}/files, found 403 QuotaExceeded; make some.`,
      1,
    ],
    [
      'has no bucket',
      fail(404, 'NoSuchBucket'),
      REFUSED,
      (host) =>
        `Expected the bucket http://${host}/files, found none of this name; make it, or correct --files-bucket.`,
      1,
    ],
    [
      'sends elsewhere',
      fail(307, '', { location: 'http://127.0.0.1:1/' }),
      REFUSED,
      (host) =>
        `Expected an answer of http://${host}/files, found a redirect (307), which is not followed; name the address that it leads to as --files-bucket.`,
      1,
    ],
    [
      'is in another region',
      fail(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }),
      REFUSED,
      (host) =>
        `Expected http://${host}/files in the region of AWS_REGION, found it in eu-west-1; set AWS_REGION=eu-west-1.`,
      1,
    ],
    [
      'has another time',
      fail(403, 'RequestTimeTooSkewed'),
      REFUSED,
      (host) => `Expected the time of http://${host}/files, found another on this machine; set its clock.`,
      1,
    ],
    [
      'is busy all the time',
      fail(503, 'SlowDown'),
      PASSING,
      (host) => `Expected http://${host}/files to do as it is asked, found 503 SlowDown; try again soon.`,
      5,
    ],
    [
      'says nothing',
      () => {},
      PASSING,
      (host) => `Expected the storage of files at ${host} to answer in time, found silence${LATE}`,
      5,
    ],
    [
      'ends connections',
      (request) => void request.socket.destroy(),
      PASSING,
      (host) => `Expected the storage of files at ${host} to answer, found ECONNRESET${LATE}`,
      5,
    ],
    [
      'gives all for a part',
      fail(200, 'Whole', { 'content-length': 34 }),
      PASSING,
      (host) => `Expected the storage of files at ${host} to answer, found other bytes than were asked for${LATE}`,
      5,
    ],
  ])('that %s', async (_, answer, forCallers, forOperator, attempts) => {
    const { bucket, host, requests } = await answering(answer)
    const error = await bucket.get('a', { start: 1, end: 2 }).catch((reason: Error) => reason)
    expect(error).toMatchObject({ message: forCallers, reason: forOperator(host) })
    expect(requests()).toBeLessThanOrEqual(attempts)
  })

  test('that cuts off bytes, or stalls', async () => {
    const cut = await answering((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('01234', () => response.destroy())
    })
    await expect(cut.bucket.readAll('a', 10)).rejects.toThrow(PASSING)
    const stopped = await answering((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).flushHeaders()
    })
    await expect(stopped.bucket.readAll('a', 10)).rejects.toMatchObject({
      message: PASSING,
      reason: `Expected the storage of files at ${stopped.host} to answer in time, found a body that stopped${LATE}`,
    })
  })

  test('that is unreachable', async () => {
    const { bucket, host, stop } = await answering(() => {})
    await stop()
    await expect(bucket.delete('a')).rejects.toMatchObject({
      message: PASSING,
      reason: `Expected the storage of files at ${host} to answer, found ECONNREFUSED${LATE}`,
    })
  })

  test('and used again once it works', async () => {
    let answers = 0
    const { bucket } = await answering((_, response) => {
      answers++
      if (answers < 3) fail(503, 'SlowDown')(_, response)
      else response.writeHead(200).end()
    })
    await bucket.put('a', bodyOf('text'))
    expect(answers).toBe(3)
  })

  test('before bytes are sent that it does not want', async () => {
    const { bucket, requests } = await answering(fail(403, 'AccessDenied'))
    const body = bodyOf('large '.repeat(400_000))
    let opened = 0
    const open = () => {
      opened++
      return body.open()
    }
    await expect(bucket.put('a', { ...body, open })).rejects.toThrow(REFUSED)
    expect([requests(), opened]).toEqual([1, 0])
  })
})

describe('bucket addresses', () => {
  const EXPECTED =
    'Expected the address of a bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix (http on this machine alone), found '
  test.each([
    ['files', 'another form.'],
    ['ftp://host/files', 'another form.'],
    ['https://host/files?x', 'another form.'],
    ['https://a:b@host/files', 'credentials in it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'],
    ['http://host/files', 'http to another machine.'],
    ['https://host/', 'no bucket, or characters besides A–Z, a–z, 0–9, ., _ and -.'],
    ['https://host/files/a%20b', 'no bucket, or characters besides A–Z, a–z, 0–9, ., _ and -.'],
  ])('%s', (text, found) => {
    expect(() => parseBucketAddress(text)).toThrow(EXPECTED + found)
  })

  test('that are valid', () => {
    expect(parseBucketAddress('https://host/files/a/b/')).toEqual({ url: 'https://host/files', prefix: 'a/b/' })
    expect(parseBucketAddress('http://localhost:9000/files')).toEqual({
      url: 'http://localhost:9000/files',
      prefix: '',
    })
  })

  test('credentials come from the environment', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    expect(readBucketCredentials({ ...keys, AWS_REGION: 'c', AWS_SESSION_TOKEN: 'd' })).toEqual({
      accessKeyId: 'a',
      secretAccessKey: 'b',
      region: 'c',
      sessionToken: 'd',
    })
    expect(() => readBucketCredentials({ AWS_ACCESS_KEY_ID: 'a' })).toThrow(
      'Expected the credentials of the bucket in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, found no AWS_SECRET_ACCESS_KEY; set it.',
    )
  })
})
