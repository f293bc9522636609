/** Files of a space that moves between a file and a database with a bucket. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { parseOptions } from '../../src/cli/options.ts'
import { moveSpace } from '../../src/cli/spaces/move-space.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import type { Bucket } from '../../storage/bucket/bucket.ts'
import { parseAddress, spaceAddress } from '../../storage/postgres/address.ts'
import { TEST_DATABASE } from '../build.ts'
import { connect } from '../connect.ts'
import { folder, run } from '../program.ts'
import { rowsOf } from '../sqlite.ts'
import { CREDENTIALS, type S3Server, startS3 } from '../storage/bucket/s3-server.ts'

const ADDRESS = TEST_DATABASE ?? ''
const newAddress = () => spaceAddress(ADDRESS, randomUUID())
let s3: S3Server
let bucket: Bucket
let env: Record<string, string>
beforeAll(async () => {
  s3 = await startS3()
  bucket = s3.open('moved')
  env = {
    SCRIPTORIUM_DATABASE: ADDRESS,
    SCRIPTORIUM_FILES_BUCKET: `${s3.url}/files/moved`,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  }
})
afterAll(() => s3.stop())

/** More than the database accepts, and less. */
const CONTENTS = ['scriptorium '.repeat(200_000), 'few words']

/** The path of a space with files, and its ID. */
async function filled(): Promise<{ file: string; id: string }> {
  const file = join(folder(), 'space.sqlite')
  const space = await openSpace(file, { timezone: 'UTC' })
  const { call } = await connect('full', { to: { space, clock: { now: Date.now() } } })
  for (const [index, content] of CONTENTS.entries()) {
    const data = Buffer.from(content).toString('base64')
    await call('files_add', { position: { position: 'end', date: 'today' }, fileName: `${index}.txt`, data })
  }
  await space.close()
  return { file, id: space.info.id }
}

/** The bytes of all files of a space. */
async function contentsOf(place: string, filesBucket?: Bucket): Promise<string[]> {
  const space = await openSpace(place, { timezone: 'UTC', mustExist: true, ...(filesBucket && { filesBucket }) })
  onTestFinished(() => space.close())
  const rows = (await space.read(OPERATOR_LINK, ({ tx }) => rowsOf(tx, 'SELECT hash, size FROM file ORDER BY n'))) as {
    hash: string
    size: number
  }[]
  const contents: string[] = []
  for (const row of rows) contents.push(Buffer.concat(await (await space.files.read(row)).toArray()).toString())
  return contents
}

const objectsOf = (id: string): string[] => {
  const path = join(s3.folder, 'moved', id)
  return existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('/'))
    : []
}

test('files move to the bucket with the space, and back', async () => {
  const { file, id } = await filled()
  const address = newAddress()
  const response = await run(['spaces', 'move', file, address], env)
  expect(response).toMatchObject({ code: 0, errors: '', output: expect.stringContaining(' 2 files, with links') })
  expect(objectsOf(id).length).toBeGreaterThanOrEqual(2)
  expect(await contentsOf(address, bucket)).toEqual(CONTENTS)

  const back = join(folder(), 'back.sqlite')
  await expect(moveSpace(address, back)).rejects.toThrow(
    'Expected the bucket that has the bytes of the file, found a server without one; ask the person who runs it to name it with --files-bucket.',
  )
  expect(existsSync(back)).toBe(false)
  expect(await run(['spaces', 'move', address, back], env)).toMatchObject({ code: 0, errors: '' })
  expect(await contentsOf(back)).toEqual(CONTENTS)
})

test('what was stored for a failed move is deleted', async () => {
  const { file, id } = await filled()
  const taken = newAddress()
  await (await openSpace(taken, { timezone: 'UTC' })).close()
  await expect(moveSpace(file, taken, bucket)).rejects.toThrow(
    `Expected a name that no space of the database has, found ${parseAddress(taken).space}; choose another.`,
  )
  expect(await leftIn(id)).toEqual([])
})

test('a space is removed with its objects, and not without its bucket', async () => {
  const { file, id } = await filled()
  const address = newAddress()
  const { space: name = '' } = parseAddress(address)
  await moveSpace(file, address, bucket)
  expect(await run(['spaces', 'remove', name, '--yes'], { SCRIPTORIUM_DATABASE: ADDRESS })).toEqual({
    code: 2,
    output: '',
    errors: `Expected the bucket that has files of ${name}, which would stay there, found none named; nothing was removed, name it with --files-bucket.\n`,
  })
  expect(await contentsOf(address, bucket)).toEqual(CONTENTS)
  expect(await run(['spaces', 'remove', name, '--yes'], env)).toMatchObject({ code: 0, errors: '' })
  expect(await leftIn(id)).toEqual([])
})

/** The remaining objects of a space, of all that were ever stored for it. */
async function leftIn(id: string): Promise<string[]> {
  const left: string[] = []
  for (const name of objectsOf(id)) {
    const object = `${id}/${name.replace(/\._S3rver_.*$/, '')}`
    if ((await bucket.size(object)) !== undefined) left.push(object)
  }
  return left
}

const named = (name: string) => spaceAddress(ADDRESS, name)

const BUCKET_FORM =
  'Expected the address of a bucket, such as https://s3.eu-west-1.amazonaws.com/bucket/prefix (http on this machine alone), found'

test.each([
  ['postgres://host/database#notes', 'file:///etc', `${BUCKET_FORM} another form.`],
  ['postgres://host/database#notes', 'http://169.254.169.254/latest', `${BUCKET_FORM} http to another machine.`],
  [
    'postgres://host/database#notes',
    'https://user:word@s3.example.com/bucket',
    `${BUCKET_FORM} credentials in it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  ],
  [
    'other.sqlite',
    'https://s3.example.com/bucket',
    'Expected a database with --files-bucket, found a space in a file, whose own files are next to it; leave --files-bucket out, or name a database.',
  ],
])('a move to %s with the bucket %s is rejected', (to, address, message) => {
  expect(() => parseOptions(['spaces', 'move', 'space.sqlite', to, '--files-bucket', address], {})).toThrow(
    new ScriptoriumError('VALIDATION_ERROR', message),
  )
})

test.each([
  ['statements', "x'; DROP TABLE tenant; --"],
  ['a path', '../../etc/passwd'],
  ['marks of addresses', 'a?b#c%25&d=e'],
])('a name with %s is valid', async (_, name) => {
  const { file } = await filled()
  const unique = `${name}${randomUUID()}`
  await moveSpace(file, named(unique), bucket)
  expect(await contentsOf(named(unique), bucket)).toEqual(CONTENTS)
  const removed = await run(['spaces', 'remove', unique, '--yes'], env)
  expect(removed).toMatchObject({ code: 0, errors: '' })
})
