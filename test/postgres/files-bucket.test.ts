/** Commands with a bucket for the files of spaces in a database. */
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runEmptyTrash } from '../../src/cli/delete-for-good-commands.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, type OpenSpaceOptions, openSpace } from '../../src/space/open-space.ts'
import { Bucket } from '../../storage/bucket/bucket.ts'
import { parseBucketAddress } from '../../storage/bucket/bucket-address.ts'
import { spaceAddress } from '../../storage/postgres/address.ts'
import { TEST_DATABASE } from '../build.ts'
import { documentBy, makeLink, serveBuilt, type TestLink } from '../http/serving.ts'
import { folder, run, start } from '../program.ts'
import { changeRows, rowsOf } from '../sqlite.ts'
import { CREDENTIALS, type S3Server, SHORT_LIMITS, startS3 } from '../storage/bucket/s3-server.ts'
import { eventually } from '../support/eventually.ts'

const ADDRESS = TEST_DATABASE ?? ''
let s3: S3Server
let env: Record<string, string>
beforeAll(async () => {
  s3 = await startS3()
  env = {
    SCRIPTORIUM_DATABASE: ADDRESS,
    SCRIPTORIUM_FILES_BUCKET: `${s3.url}/files/served`,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  }
})
afterAll(() => s3.stop())

async function open(place: string, options: OpenSpaceOptions = {}) {
  const space = await openSpace(place, { timezone: 'UTC', ...options })
  onTestFinished(() => space.close())
  return space
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** More than the database accepts. */
const CONTENT = 'scriptorium '.repeat(200_000)

async function upload(link: TestLink): Promise<string> {
  const request = 'POST /upload?position=end&date=today&fileName=large.txt'
  const { status, json } = await link.ask(request, CONTENT, { 'content-type': 'text/plain' })
  expect(status).toBe(200)
  return JSON.stringify(json)
}

async function serve() {
  const server = start(['serve', '--port', '0'], env)
  const [, origin = ''] = await server.until(/Serving at (\S+);/)
  return { server, origin }
}

test('files are stored in the bucket, and another process reads them there, in whole and in part', async () => {
  const address = spaceAddress(ADDRESS, randomUUID())
  const space = await open(address)
  const first = await serve()
  const response = await upload(await makeLink({ space }, first.origin))
  const [path = ''] = /\/files\/[\w./%-]+/.exec(response) ?? []
  const range = { headers: { range: 'bytes=12-22' } }
  const part = await fetch(`${first.origin}${path}`, range)
  expect([part.status, await part.text()]).toEqual([206, 'scriptorium'])
  expect(readdirSync(join(s3.folder, 'served'))).toContain(space.info.id)
  expect(await first.server.end()).toBe(0)

  const second = await serve()
  expect(await (await fetch(`${second.origin}${path}`)).text()).toBe(CONTENT)
  expect(await (await fetch(`${second.origin}${path}`, range)).text()).toBe('scriptorium')
  expect(await second.server.end()).toBe(0)

  const to = join(folder(), 'out')
  expect(await run(['export', '--space', address, '--to', to], env)).toMatchObject({ code: 0 })
  const exported = readdirSync(to, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('large.txt'))
  expect(readFileSync(join(to, exported ?? ''), 'utf8')).toBe(CONTENT)
})

test('if the bucket with the files of a space is missing, an error says so, and so does doctor', async () => {
  const name = randomUUID()
  const address = spaceAddress(ADDRESS, name)
  const space = await open(address, { filesBucket: s3.open('served') })
  await space.files.write(Readable.from([Buffer.from('words')]), 100)
  const [links, without, withBucket] = await Promise.all([
    run(['links', 'list', '--space', address]),
    run(['doctor', '--json', '--space', address]),
    run(['doctor', '--json', '--space', address], env),
  ])
  expect([links.code, links.errors]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^Expected the bucket that has files of postgres://\\S+#${name}, found none named; name it with --files-bucket, since they can neither be read nor deleted without it\\.\\n$`,
        'm',
      ),
    ),
  ])
  const filesOf = ({ output }: { output: string }): unknown =>
    JSON.parse(output).findings.find(({ what }: { what: string }) => what === 'Files')
  expect([filesOf(without), filesOf(withBucket)]).toEqual([
    {
      what: 'Files',
      found: 'in a bucket that is not named',
      fault: 'damaged',
      advice: 'Name the bucket with --files-bucket.',
    },
    { what: 'Files', found: `0, in ${s3.url}/files/served, which stores, returns and deletes them` },
  ])
})

test('doctor names each file whose bytes are missing or changed, in the bucket or in the database', async () => {
  const address = spaceAddress(ADDRESS, randomUUID())
  const space = await open(address)
  const bucket = new Bucket(parseBucketAddress(`${s3.url}/files/served`), CREDENTIALS)
  const small = await makeLink({ space }, (await serve()).origin)
  const names = ['kept', 'gone', 'cut', 'old'].map((name) => `${name}.txt`)
  for (const name of names) {
    const request = `POST /upload?position=end&date=today&fileName=${name}`
    expect((await small.ask(request, `${name}: ${CONTENT}`, { 'content-type': 'text/plain' })).status).toBe(200)
  }
  const files = await space.read(OPERATOR_LINK, ({ tx }) =>
    rowsOf<{ hash: string; object: string }>(
      tx,
      'SELECT hash, object FROM file JOIN file_bytes USING (space, hash) ORDER BY n',
    ),
  )
  const [, gone, cut, old] = files
  const filesOf = async (options: Record<string, string>): Promise<unknown> => {
    const { output } = await run(['doctor', '--json', '--space', address], options)
    return JSON.parse(output).findings.filter(({ what }: { what: string }) => what.startsWith('File'))
  }
  const place = { what: 'Files', found: `4, in ${s3.url}/files/served, which stores, returns and deletes them` }
  expect(await filesOf(env)).toEqual([place])
  await bucket.delete(gone?.object ?? '')
  await bucket.put(cut?.object ?? '', { size: 3, hash: sha256('cut'), open: () => Readable.from([Buffer.from('cut')]) })
  await space.write(OPERATOR_LINK, ({ tx }) =>
    changeRows(tx, 'UPDATE file_bytes SET object = NULL, bytes = ? WHERE hash = ?', Buffer.from('old'), old?.hash),
  )
  const finding = (name: string, hash: string | undefined, damage: string) => ({
    what: 'File',
    found: `${name} (SHA-256 ${hash}) ${damage}`,
    fault: 'damaged',
    advice: 'Add it again, or restore a backup.',
  })
  expect(await filesOf(env)).toEqual([
    place,
    finding('gone.txt', gone?.hash, 'is missing'),
    finding('cut.txt', cut?.hash, 'was changed'),
    finding('old.txt', old?.hash, 'was changed'),
  ])
})

test.each<[string, () => Record<string, string>, () => string]>([
  [
    'without credentials',
    () => ({ AWS_ACCESS_KEY_ID: '' }),
    () =>
      'Expected the credentials of the bucket in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, found no AWS_ACCESS_KEY_ID; set it.',
  ],
  [
    'without the bucket',
    () => ({ SCRIPTORIUM_FILES_BUCKET: `${s3.url}/none` }),
    () => `Expected the bucket ${s3.url}/none, found none of this name; make it, or correct --files-bucket.`,
  ],
  [
    'with wrong credentials',
    () => ({ AWS_SECRET_ACCESS_KEY: 'another' }),
    () =>
      `Expected credentials that may read, write and delete in ${s3.url}/files, found them refused (403 SignatureDoesNotMatch); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the policy of the bucket.`,
  ],
])('no server starts %s', async (_, wrong, message) => {
  const ended = await run(['serve', '--port', '0'], { ...env, ...wrong() })
  expect(ended).toEqual({ code: 2, output: '', errors: `${message()}\n` })
})

const makeDue = (space: OpenSpace): Promise<number> =>
  space.write(OPERATOR_LINK, ({ tx }) =>
    changeRows(tx, "UPDATE unreferenced_object SET delete_after = delete_after - interval '2 days'"),
  )

test('a space that stays open sweeps its bucket', async () => {
  const bucket = s3.open('swept')
  const space = await open(spaceAddress(ADDRESS, randomUUID()), { filesBucket: bucket, sweepInterval: 20 })
  const written = await space.files.write(Readable.from([Buffer.from('left')]), 100)
  const [{ object }] = (await space.read(OPERATOR_LINK, ({ tx }) =>
    rowsOf(tx, 'SELECT object FROM unreferenced_object'),
  )) as [{ object: string }]
  expect([object, await bucket.size(object)]).toEqual([expect.stringContaining(written.hash), 4])
  await makeDue(space)
  await eventually(async () => expect(await bucket.size(object)).toBeUndefined())
})

test('documents can be deleted permanently while their bucket is down, and a line says what is left', async () => {
  const server = await startS3()
  const bucket = new Bucket(parseBucketAddress(`${server.url}/files`), CREDENTIALS, SHORT_LIMITS)
  onTestFinished(() => bucket.close())
  const space = await open(spaceAddress(ADDRESS, randomUUID()), { filesBucket: bucket })
  const { server: http } = await serveBuilt({ to: { space, clock: { now: Date.now() } } })
  const link = await makeLink({ space }, http.origin)
  const id = await documentBy(link, 'words')
  expect((await link.ask('DELETE /documents', { documentIds: [id] })).status).toBe(200)
  await space.files.write(Readable.from([Buffer.from('left')]), 100)
  await makeDue(space)
  await server.stop()
  expect((await runEmptyTrash(space, undefined)).lines).toEqual([
    ['Deleted 1 document for good.'],
    [
      'The files of what was deleted were not all deleted; the next opening of the space goes on. Expected the storage of files to answer, found that it does not; nothing was written, try again soon.',
    ],
    [
      'Backups of the database may still have what was deleted, and its files do until they are vacuumed: VACUUM FULL overwrites them now.',
    ],
  ])
})
