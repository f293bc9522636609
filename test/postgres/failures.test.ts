/** Errors while a database fails, and that everything continues once it works again. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openDatabaseSpace } from '../../src/space/open-space.ts'
import { insertAuditRow } from '../../storage/audit-log.ts'
import { SCHEMA_VERSION } from '../../storage/postgres/migrations.ts'
import { NOW } from '../build.ts'
import { firstValue } from '../sqlite.ts'
import { type PostgresServer, runPostgres, startPostgres } from '../support/postgres-server.ts'

const UNREACHABLE =
  'Expected the database of the space to answer, found that it does not; nothing was written, try again soon.'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' })
})
afterAll(() => server.stop())

/** Closed after the test in any case. The database is checked when the first space opens it. */
async function open(name: string, report: (sentence: string) => void = () => {}): Promise<OpenSpace> {
  const options = { name, timezone: 'UTC', clock: () => NOW, report }
  const space = await openDatabaseSpace(`${server.address}#${name}`, options)
  onTestFinished(() => space.close())
  return space
}

const write = (space: OpenSpace): Promise<void> =>
  space.write(OPERATOR_LINK, async ({ tx }) => {
    await insertAuditRow(tx, { at: NOW, link: null, author: 'a', client: null, endpoint: 'blocks_add', ids: '[]' })
  })

const count = (space: OpenSpace): Promise<number | undefined> =>
  space.read(OPERATOR_LINK, ({ tx }) => firstValue<number>(tx, 'SELECT count(*) FROM write_log'))

test('a setting that can lose writes is reported', async () => {
  const reports: string[] = []
  await open('reported', (sentence) => void reports.push(sentence))
  expect(reports).toEqual([
    'Expected fsync to be on in the database, found it off: what was written can be lost when the machine of the database stops.',
  ])
})

test('connections that end between calls are replaced', async () => {
  const space = await open('replaced')
  await write(space)
  server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'scriptorium'")
  expect(await count(space)).toBe(1)
  await write(space)
  expect(await count(space)).toBe(2)
})

test('a write whose connection ends leaves nothing, and a read is repeated', async () => {
  const space = await open('interrupted')
  const terminate = () =>
    server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'scriptorium'")
  const interrupted = space.write(OPERATOR_LINK, async ({ tx }) => {
    await insertAuditRow(tx, { at: NOW, link: null, author: 'a', client: null, endpoint: 'lost', ids: '[]' })
    terminate()
    await firstValue(tx, 'SELECT 1')
  })
  await expect(interrupted).rejects.toThrow(UNREACHABLE)
  let attempts = 0
  const found = await space.read(OPERATOR_LINK, async ({ tx }) => {
    attempts++
    if (attempts === 1) terminate()
    return firstValue<number>(tx, 'SELECT count(*) FROM write_log')
  })
  expect(found).toBe(0)
  // Other connections of the pool are gone as well, which some attempts discover.
  expect(attempts).toBeGreaterThan(1)
})

test('a server that crashes is waited for, and its acknowledged writes are there', async () => {
  const space = await open('crashed')
  await write(space)
  const ended = new Promise((resolve) => server.process.once('exit', resolve))
  // As in a crash: nothing is flushed, and no transaction ends.
  server.process.kill('SIGQUIT')
  await ended
  const waiting = write(space)
  server = await runPostgres(server.folder, { fsync: 'off' })
  await waiting
  expect(await count(space)).toBe(2)
})

test('a schema of a newer program is rejected', async () => {
  server.run('UPDATE schema_version SET version = 99')
  await expect(open('newer')).rejects.toThrow(
    `Expected schema ${SCHEMA_VERSION} or older in the database, found 99, of a newer Scriptorium; upgrade this one.`,
  )
  server.run(`UPDATE schema_version SET version = ${SCHEMA_VERSION}`)
})
