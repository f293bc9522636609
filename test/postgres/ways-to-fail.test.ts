/** Errors when a database cannot be used, or not for a while, and that calls continue once it can. */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { importStatus } from '../../src/http/archives/import-jobs.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, type OpenSpaceOptions, openDatabaseSpace } from '../../src/space/open-space.ts'
import { insertAuditRow } from '../../storage/audit-log.ts'
import { releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { assertUsable } from '../../storage/postgres/database-checks.ts'
import { NOW } from '../build.ts'
import { changeRows, firstValue } from '../sqlite.ts'
import { eventually } from '../support/eventually.ts'
import { startProxy } from '../support/postgres-proxy.ts'
import { type PostgresServer, startPostgres, startStandby } from '../support/postgres-server.ts'
import { NO_INPUT, UNREAD } from '../support/unread.ts'

/** Milliseconds for which a call waits for a connection. */
const POOL_WAIT = 30_000

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' })
})
afterAll(() => server.stop())

async function open(address: string, options: OpenSpaceOptions = {}, name: string = randomUUID()): Promise<OpenSpace> {
  const space = await openDatabaseSpace(`${address}#${name}`, {
    ...{ name, timezone: 'UTC', clock: () => NOW },
    ...options,
  })
  onTestFinished(() => space.close())
  return space
}

const write = (space: OpenSpace): Promise<void> =>
  space.write(OPERATOR_LINK, async ({ tx }) => {
    await insertAuditRow(tx, { at: NOW, link: null, author: 'a', client: null, endpoint: 'blocks_add', ids: '[]' })
  })

const count = (space: OpenSpace): Promise<number | undefined> =>
  space.read(OPERATOR_LINK, ({ tx }) => firstValue<number>(tx, 'SELECT count(*) FROM write_log'))

/** A role that owns a separate database. */
function addressOfRole(role: string, options = ''): string {
  server.run(`CREATE ROLE ${role} LOGIN ${options}`)
  return server.address.replace('//scriptorium@', `//${role}@`)
}

test('a role that may bypass row-level security is rejected', async () => {
  await expect(open(addressOfRole('bypassing', 'BYPASSRLS'))).rejects.toThrow(
    'Expected a role that row-level security holds for, found bypassing, which has BYPASSRLS; make a role of its own for Scriptorium, which owns the database.',
  )
})

test('a role that does not own the tables is reported to the operator', async () => {
  await open(server.address)
  await expect(open(addressOfRole('stranger'))).rejects.toThrow(
    'Expected the role of the server to own the tables of the space, found that it may not use one; nothing was written. Ask the person who runs the server to read its log, then try again.',
  )
})

// Facts about a server that cannot be installed here.
test.each([
  ['version', { version: 140_011, name: '14.11' }, 'Expected PostgreSQL 15 or newer, found 14.11; upgrade it.'],
  ['encoding', { encoding: 'LATIN1' }, 'Expected a database in UTF8, found one in LATIN1; make another.'],
])('a server of another %s is rejected', async (_, facts, sentence) => {
  const usable = { version: 150_000, name: '15.0', role: 'one', superuser: false, bypasses: false, encoding: 'UTF8' }
  const answering = { query: async () => ({ rows: [{ ...usable, fsync: 'on', commit: 'on', ...facts }] }) }
  await expect(assertUsable(answering as never)).rejects.toThrow(sentence)
})

test('a role whose writes are not waited for is reported', async () => {
  server.run('ALTER ROLE scriptorium SET synchronous_commit = off')
  const reports: string[] = []
  const database = await useDatabase(`${server.address}&fallback_application_name=off`, {
    report: (sentence) => void reports.push(sentence),
  })
  await releaseDatabase(database)
  server.run('ALTER ROLE scriptorium RESET synchronous_commit')
  expect(reports).toContain(
    'Expected synchronous_commit to be on in the database, found it off: what was written can be lost when the machine of the database stops.',
  )
})

test('while all connections of the process are in use, a call waits, and gets an error after a while', async () => {
  const space = await open(`${server.address}&fallback_application_name=one`, { poolSize: 1 } as OpenSpaceOptions)
  await space.read(OPERATOR_LINK, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const refused = expect(count(space)).rejects.toThrow(
      'Expected a free connection to the database, found all of them taken; nothing was written, try again soon. Ask the person who runs the server to compare --database-pool with max_connections if this lasts.',
    )
    await vi.advanceTimersByTimeAsync(POOL_WAIT)
    await refused
    vi.useRealTimers()
  })
  expect(await count(space)).toBe(0)
})

test('during a network outage calls wait, and continue afterwards', async () => {
  const proxy = await startProxy(server)
  onTestFinished(() => proxy.close())
  const space = await open(proxy.address)
  await write(space)
  proxy.stop()
  const [writing, reading] = [write(space), count(space)]
  // Both wait: neither gets a response while other work of this process does.
  expect(await Promise.race([writing, reading, count(await open(server.address))])).toBe(0)
  proxy.resume()
  await writing
  expect([1, 2]).toContain(await reading)
  expect(await count(space)).toBe(2)
})

test('a database that does not answer is reported to all callers, later ones at once, and is used again once it does', async () => {
  const proxy = await startProxy(server)
  onTestFinished(() => proxy.close())
  const space = await open(proxy.address)
  await write(space)
  proxy.stop()
  const refused = [write(space), count(space), count(space)]
  for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  proxy.resume()
  expect(await eventually(() => count(space))).toBe(1)
  await write(space)
  expect(await count(space)).toBe(2)
})

test('a write whose connection dies in the middle fails, and does not hold the space for others', async () => {
  const proxy = await startProxy(server)
  onTestFinished(() => proxy.close())
  const space = await open(proxy.address)
  const other = await open(server.address, {}, space.info.name)
  let attempts = 0
  const writing = space.write(OPERATOR_LINK, async ({ tx }) => {
    attempts++
    await firstValue(tx, 'SELECT 1')
    proxy.abandon()
    await firstValue(tx, 'SELECT 2')
  })
  await expect(writing).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  expect(attempts).toBe(1)
  await write(other)
  await write(space)
  expect(await count(other)).toBe(2)
  proxy.drop()
})

test('requests are counted over a new connection if those of the pool are dead', async () => {
  const proxy = await startProxy(server)
  onTestFinished(() => proxy.close())
  const space = await open(proxy.address)
  const usage = space.openUsage()
  const windows = { requests: { start: NOW, used: 1 }, blocks: undefined }
  await usage.record(() => windows)
  proxy.abandon()
  expect(await usage.record((used) => ({ ...used, requests: { start: NOW, used: 2 } }))).toEqual({
    ...windows,
    requests: { start: NOW, used: 2 },
  })
  usage.close()
  proxy.drop()
})

test('a statement that takes long while others are answered is not taken for a broken connection', async () => {
  const space = await open(server.address)
  expect(await space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, 'SELECT 1 FROM pg_sleep(5)'))).toBe(1)
})

test.each(['tenant', 'document'])('a program that locks the table %s is reported', async (table) => {
  const space = await open(server.address)
  const database = await useDatabase(server.address)
  onTestFinished(() => releaseDatabase(database))
  const locking = await database.connectAlone()
  await locking.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const writing = space.write(OPERATOR_LINK, async ({ tx }) => firstValue(tx, 'SELECT count(*) FROM document'))
  await expect(writing).rejects.toThrow(
    'Expected to use the tables of the space, found one locked by another program for five seconds; nothing was written, try again soon. Ask the person who runs the server what locks it if this lasts.',
  )
  await locking.end()
  await write(space)
})

test('a process with broken connections is notified of changes over a new one', async () => {
  const proxy = await startProxy(server)
  onTestFinished(() => proxy.close())
  const listener = await open(proxy.address)
  const notified = Promise.withResolvers<boolean>()
  const listening = listener.watch(({ feedMoved }) => void (feedMoved && notified.resolve(true)))
  await listening.ready
  proxy.abandon()
  const database = await useDatabase(proxy.address)
  onTestFinished(() => releaseDatabase(database))
  database.distrustConnections(new Error('Connection terminated'))
  await write(await open(server.address, {}, listener.info.name))
  expect(await notified.promise).toBe(true)
  await listening.stop()
  proxy.drop()
})

test('a promoted standby is found, and has what was written to both', async () => {
  const primary = await startPostgres({ fsync: 'off' })
  const standby = await startStandby(primary, { fsync: 'off' })
  onTestFinished(() => standby.stop())
  const hosts = [primary.folder, standby.folder].map(encodeURIComponent).join(',')
  const space = await open(`postgres://scriptorium@${hosts}/scriptorium?target_session_attrs=read-write`)
  await write(space)
  // From here on a COMMIT is acknowledged once the standby has it as well.
  primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
  primary.run('SELECT pg_reload_conf()')
  await write(space)
  await primary.crash()
  const waiting = write(space)
  standby.run('SELECT pg_promote()')
  await waiting
  expect(await count(space)).toBe(3)
  rmSync(primary.folder, { recursive: true, force: true })
})

test('a full disk is reported, and writes continue when it has room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-full-'))
  const mount = (...options: string[]) => execFileSync('mount', [...options, folder])
  mount('-t', 'tmpfs', '-o', 'size=512k,mode=700,uid=postgres', 'tmpfs')
  server.run(`CREATE TABLESPACE small LOCATION '${folder}'`)
  const space = await open(server.address)
  server.run('ALTER TABLE file_bytes SET TABLESPACE small')
  onTestFinished(() => {
    server.run('ALTER TABLE file_bytes SET TABLESPACE pg_default')
    server.run('DROP TABLESPACE small')
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  })
  const fill = () =>
    space.write(OPERATOR_LINK, ({ tx }) =>
      changeRows(
        tx,
        `INSERT INTO file_bytes (hash, bytes)
         SELECT repeat(md5(n::text), 2), decode(string_agg(md5(n::text || m::text), ''), 'hex')
         FROM generate_series(1, 20) AS n, generate_series(1, 4000) AS m GROUP BY n`,
      ),
    )
  await expect(fill()).rejects.toThrow(
    "Expected room on the database's disk, found it full; nothing was written. Ask the person who runs the server to free some, then try again.",
  )
  mount('-o', 'remount,size=64m')
  expect(await fill()).toBe(20)
})

test('behind PgBouncer in transaction mode calls work, and the operator is notified', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-pgbouncer-'))
  chmodSync(folder, 0o777)
  const settings = `[databases]
* = host=${server.folder} port=${server.port}
[pgbouncer]
unix_socket_dir = ${folder}
unix_socket_mode = 0777
listen_port = 5432
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 4
`
  writeFileSync(join(folder, 'settings.ini'), settings)
  writeFileSync(join(folder, 'users'), '"scriptorium" ""\n')
  const bouncer = spawn('/usr/sbin/pgbouncer', ['-u', 'postgres', join(folder, 'settings.ini')], {
    stdio: [NO_INPUT, UNREAD, 'pipe'],
  })
  const ended = new Promise((resolve) => bouncer.once('exit', resolve))
  onTestFinished(async () => {
    bouncer.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  // It logs to standard error, and listens from then on.
  await new Promise<void>((resolve) =>
    bouncer.stderr?.on('data', (text) => void (String(text).includes('process up') && resolve())),
  )
  const reports: string[] = []
  const address = server.address.replace(encodeURIComponent(server.folder), encodeURIComponent(folder))
  const space = await open(address, { report: (sentence: string) => void reports.push(sentence) } as OpenSpaceOptions)
  await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 ? write(space) : count(space))))
  expect(await count(space)).toBe(15)
  expect(reports).toContain(
    'Expected a connection of its own to the database, found a pooler between: statements are not kept prepared, and what other processes write is looked for each second; give the address of the database itself where it can be reached.',
  )
  const notified = Promise.withResolvers<boolean>()
  const listening = space.watch(({ feedMoved }) => void (feedMoved && notified.resolve(true)))
  await listening.ready
  await write(await open(server.address, {}, space.info.name))
  expect(await notified.promise).toBe(true)
  await listening.stop()
})

test('an ID that the database cannot look for is one that does not exist', async () => {
  const space = await open(server.address)
  await expect(importStatus(space, 'a\0')).rejects.toThrow('Expected the ID of one of the last')
})
