/** Idle open spaces send nothing to the database, and share the connections of the pool. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DATABASE_CONNECTIONS } from '../../src/base/limits.ts'
import { openDatabaseSpace } from '../../src/space/open-space.ts'
import { releaseDatabase, useDatabase } from '../../storage/postgres/database.ts'
import { callerOf } from '../bench/workbench.ts'
import { TEST_DATABASE } from '../build.ts'

const SPACES = 60
/** Milliseconds: several times all polling intervals. */
const LONG = 5 * 60_000

test('idle spaces send no statements, and hold no connections', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const program = `idle-${randomUUID()}`
  const address = `${TEST_DATABASE}&application_name=${program}`
  const names = Array.from({ length: SPACES }, (_, index) => `${program}-${index}`)
  await Promise.all(
    names.map(async (name) => {
      const space = await openDatabaseSpace(`${address}#${name}`)
      onTestFinished(() => space.close())
      const call = callerOf(space, await space.createAccessLink('full', []))
      await call('documents_add', { documents: [{ title: 'Document' }] })
      await call('documents_list', {})
    }),
  )
  const observer = new pg.Client(TEST_DATABASE)
  await observer.connect()
  onTestFinished(() => observer.end())
  const { rows } = await observer.query(
    'SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = $1',
    [program],
  )
  expect(rows[0]?.count).toBeGreaterThan(0)
  expect(rows[0]?.count).toBeLessThanOrEqual(DATABASE_CONNECTIONS)
  // Other processes are notified after a pause.
  await vi.advanceTimersByTimeAsync(1_000)
  // The pool serves waiting clients in order: everything has been sent by then.
  const database = await useDatabase(address)
  onTestFinished(() => releaseDatabase(database))
  const connections = Array.from({ length: DATABASE_CONNECTIONS }, () => database.acquire())
  for (const connection of await Promise.all(connections)) connection.release()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  await vi.advanceTimersByTimeAsync(LONG)
  // Earlier tests may have left others, which are checked independently.
  const clients = query.mock.contexts as unknown as { connectionParameters: { application_name: string } }[]
  const sent = query.mock.calls.filter((_, index) => clients[index]?.connectionParameters.application_name === program)
  expect(sent).toEqual([])
})
