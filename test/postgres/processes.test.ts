/** Several processes with the same space open; here, each has separate connections. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { type OpenSpace, openDatabaseSpace } from '../../src/space/open-space.ts'
import { insertAuditRow } from '../../storage/audit-log.ts'
import type { UsageWindows } from '../../storage/usage.ts'
import { NOW, TEST_DATABASE } from '../build.ts'
import { rowsOf } from '../sqlite.ts'

/** The same space, opened by this number of processes. */
async function opened(count: number): Promise<OpenSpace[]> {
  const name = randomUUID()
  const spaces: OpenSpace[] = []
  for (let process = 0; process < count; process++) {
    const address = `${TEST_DATABASE}&fallback_application_name=${process}#${name}`
    const space = await openDatabaseSpace(address, { name: 'Shared', timezone: 'UTC', clock: () => NOW })
    onTestFinished(() => space.close())
    spaces.push(space)
  }
  return spaces
}

const row = (endpoint: string) => ({ at: NOW, link: null, author: 'a', client: null, endpoint, ids: '[]' })

test('writes are serialized: each sees those before it, and none is lost', async () => {
  const spaces = await opened(3)
  const write = (space: OpenSpace) =>
    space.write(OPERATOR_LINK, async ({ tx }) => {
      const [last] = await rowsOf<{ count: number }>(tx, 'SELECT count(*) AS count FROM write_log')
      await insertAuditRow(tx, row('blocks_add'))
      return last?.count
    })
  const seen = await Promise.all(Array.from({ length: 30 }, (_, index) => write(spaces[index % 3] as OpenSpace)))
  expect(seen.sort((one = 0, other = 0) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index))
})

test('a failed write leaves nothing, and those that share its COMMIT stay', async () => {
  const [space] = await opened(1)
  const write = (endpoint: string, error?: Error) =>
    space?.write(OPERATOR_LINK, async ({ tx }) => {
      await insertAuditRow(tx, row(endpoint))
      if (error !== undefined) throw error
    })
  const results = await Promise.allSettled([write('one'), write('two', new Error('no')), write('three')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const kept = await space?.read(OPERATOR_LINK, ({ tx }) => rowsOf(tx, 'SELECT endpoint FROM write_log ORDER BY n'))
  expect(kept).toEqual([{ endpoint: 'one' }, { endpoint: 'three' }])
})

test('a read sees one snapshot, whatever is written meanwhile', async () => {
  const [reader, writer] = await opened(2)
  const count = () => 'SELECT count(*) AS count FROM write_log'
  await reader?.read(OPERATOR_LINK, async ({ tx }) => {
    const before = await rowsOf(tx, count())
    await writer?.write(OPERATOR_LINK, (space) => insertAuditRow(space.tx, row('blocks_add')))
    expect(await rowsOf(tx, count())).toEqual(before)
  })
})

test('a listener in one process is notified of writes by another', async () => {
  const [listener, writer] = await opened(2)
  const notified = Promise.withResolvers<boolean>()
  const listening = listener?.watch(({ feedMoved }) => void (feedMoved && notified.resolve(true)))
  await listening?.ready
  await writer?.write(OPERATOR_LINK, ({ tx }) => insertAuditRow(tx, row('blocks_add')))
  expect(await notified.promise).toBe(true)
  await listening?.stop()
})

const request = (used: UsageWindows): UsageWindows => ({
  ...used,
  requests: { start: NOW, used: (used.requests?.used ?? 0) + 1 },
})

test('usage is counted exactly over all processes', async () => {
  const usages = (await opened(3)).map((space) => space.openUsage())
  const steps = Array.from({ length: 60 }, (_, index) => usages[index % 3]?.record(request))
  const counts = (await Promise.all(steps)).map((used) => used?.requests?.used ?? 0)
  expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

test('a step that throws counts nothing, and concurrent ones count', async () => {
  const [one, other] = (await opened(2)).map((space) => space.openUsage())
  await one?.record(request)
  const refused = () => {
    throw new Error('too many')
  }
  const steps = await Promise.allSettled([other?.record(request), other?.record(refused), other?.record(request)])
  expect(steps.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await one?.record((used) => used))?.requests).toEqual({ start: NOW, used: 3 })
})
