/** Disk errors have codes and messages of their own over REST and MCP, and cause one log line per minute. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/base/errors.ts'
import { DiskFaultLog } from '../../src/call/disk-fault-log.ts'
import { toErrorBody } from '../../src/call/error-body.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { UnusableFile } from '../../storage/sqlite/unusable-file.ts'
import { StorageFault } from '../../storage/storage-fault.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'
import { folder } from '../program.ts'
import { connectionOf } from '../sqlite.ts'

const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: no, ${syscall} '/secret/space.sqlite.files/ab'`), { code, syscall })

const FULL =
  "Expected room on the server's disk, found it full; nothing was written. Ask the person who runs the server to free some, then try again."
const READ_ONLY =
  'Expected a space that can be written, found its file, its folder or its disk read-only; nothing was written. Ask the person who runs the server to make them writable, then try again.'

/** Leaves no free page, and allows no new ones. */
const fill = ({ space }: BuiltSpace) =>
  space.write(OPERATOR_LINK, async ({ tx }) => {
    const pages = connectionOf(tx).sqlite.pragma('page_count', { simple: true })
    connectionOf(tx).sqlite.pragma(`max_page_count = ${pages}`)
  })
const forbid = ({ space }: BuiltSpace) =>
  space.write(OPERATOR_LINK, async ({ tx }) => void connectionOf(tx).sqlite.pragma('query_only = 1'))
/** More than the free space of any page. */
const markdown = 'long words '.repeat(2_000)
const BLOCKS = { markdown, position: { position: 'end', date: 'today' } }

describe.each([
  ['full', 507, 'STORAGE_FULL', FULL, fill],
  ['read-only', 503, 'STORAGE_UNAVAILABLE', READ_ONLY, forbid],
] as const)('a space that is %s', (_, status, code, error, harm) => {
  test('reports it over REST, logs no stack, and can still be read', async () => {
    const built = await buildSpace(join(folder(), 'space.sqlite'))
    const serving = await serveBuilt({ to: built })
    const { ask } = await serving.link()
    await harm(built)
    const response = await ask('POST /blocks', BLOCKS)
    expect([response.status, response.json]).toEqual([status, { error, code }])
    expect((await ask('GET /documents')).status).toBe(200)
    expect(serving.noted.filter((line) => /\n\s+at /.test(line))).toEqual([])
  })

  test('reports it over MCP in the same words', async () => {
    const connected = await connect('full', { to: await buildSpace(join(folder(), 'space.sqlite')) })
    await harm(connected)
    expect(await connected.refused('blocks_add', BLOCKS)).toBe(error)
  })
})

test('a full space can be written again as soon as there is room', async () => {
  const connected = await connect('full', { to: await buildSpace(join(folder(), 'space.sqlite')) })
  await fill(connected)
  expect(await connected.refused('blocks_add', BLOCKS)).toBe(FULL)
  await connected.space.write(
    OPERATOR_LINK,
    async ({ tx }) => void connectionOf(tx).sqlite.pragma('max_page_count = 1000000'),
  )
  expect((await connected.call('blocks_add', BLOCKS)).items).toHaveLength(1)
})

test('a disk that accepts no bytes of a file is reported', async () => {
  const connected = await connect()
  connected.space.files.write = () => Promise.reject(systemError('ENOSPC', 'write'))
  const refused = connected.refused('files_add', { position: { position: 'end', date: 'today' }, text: 'a' })
  expect(await refused).toBe(FULL)
})

test.each<[string, Error, ErrorCode | undefined]>([
  ['SQLITE_FULL', new Sqlite.SqliteError('full', 'SQLITE_FULL'), 'STORAGE_FULL'],
  ['SQLITE_IOERR_FSYNC', new Sqlite.SqliteError('disk', 'SQLITE_IOERR_FSYNC'), 'STORAGE_UNAVAILABLE'],
  ['SQLITE_READONLY_DIRECTORY', new Sqlite.SqliteError('r', 'SQLITE_READONLY_DIRECTORY'), 'STORAGE_UNAVAILABLE'],
  ['SQLITE_CANTOPEN', new Sqlite.SqliteError('open', 'SQLITE_CANTOPEN'), 'STORAGE_UNAVAILABLE'],
  ['SQLITE_CORRUPT_INDEX', new Sqlite.SqliteError('bad', 'SQLITE_CORRUPT_INDEX'), 'STORAGE_UNAVAILABLE'],
  ['SQLITE_BUSY', new Sqlite.SqliteError('held', 'SQLITE_BUSY'), 'STORAGE_UNAVAILABLE'],
  ['a constraint', new Sqlite.SqliteError('no', 'SQLITE_CONSTRAINT_UNIQUE'), undefined],
  ['EDQUOT', systemError('EDQUOT', 'write'), 'STORAGE_FULL'],
  ['EIO', systemError('EIO', 'fsync'), 'STORAGE_UNAVAILABLE'],
  ['EROFS', systemError('EROFS', 'mkdir'), 'STORAGE_UNAVAILABLE'],
  ['EACCES', systemError('EACCES', 'open'), 'STORAGE_UNAVAILABLE'],
  ['EMFILE', systemError('EMFILE', 'open'), 'STORAGE_UNAVAILABLE'],
  ['EACCES of a socket', systemError('EACCES', 'connect'), undefined],
  ['ENOENT', systemError('ENOENT', 'open'), undefined],
  ['a cause', new Error('Expected to open it', { cause: new UnusableFile('no database') }), 'STORAGE_UNAVAILABLE'],
  ['any other', new TypeError('x is undefined'), undefined],
])('%s is reported as a disk error', (_, error, code) => {
  expect(toDiskError(error)?.code).toBe(code)
})

test('each cause is logged at most once a minute with its count, and callers learn no file names', () => {
  let now = 0
  const faults = new DiskFaultLog(() => now)
  const lines: string[] = []
  const meet = (error: Error) => toErrorBody(error, (line) => void lines.push(line), faults)
  const full = new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL')
  for (let call = 0; call < 40; call++) meet(full)
  expect(meet(systemError('EIO', 'write')).error).not.toContain('/secret')
  expect(lines).toEqual([
    'STORAGE_FULL SQLITE_FULL: database or disk is full',
    "STORAGE_UNAVAILABLE EIO: no, write '/secret/space.sqlite.files/ab'",
  ])
  now += 60_000
  meet(full)
  meet(full)
  expect(lines.slice(2)).toEqual([
    'STORAGE_FULL SQLITE_FULL: database or disk is full (and 39 more since the last such line)',
  ])
})

test('a database error is logged with the message of the database, which callers do not see', () => {
  const lines: string[] = []
  const fault = new StorageFault(
    'STORAGE_FULL',
    'Expected room, found none.',
    new Error('could not extend file "base/5"'),
  )
  const body = toErrorBody(fault, (line) => void lines.push(line), new DiskFaultLog(() => 0))
  expect(body).toEqual({ error: 'Expected room, found none.', code: 'STORAGE_FULL' })
  expect(lines).toEqual(['STORAGE_FULL could not extend file "base/5"'])
})
