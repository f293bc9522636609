/** How long a space keeps who wrote what, and the stored responses for retries. */
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyLog } from '../../src/space/log/verify-log.ts'
import { addAuditEntry, listAuditEntries } from '../../src/space/model/audit-log.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { buildSpace, NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'
import { firstValue } from '../sqlite.ts'
import { writeOnDays } from '../support/written-days.ts'

const DAY = 24 * 3600_000

const idsIn = async (space: OpenSpace): Promise<string[]> => {
  const { writes } = await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1000))
  return writes.flatMap(({ ids }) => ids)
}
const count = (space: OpenSpace, table: string) =>
  space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, `SELECT count(*) FROM ${table}`))

test('every fifty calls, entries that are old are removed, and an entry says which', async () => {
  const { space, clock } = await buildSpace(':memory:', { auditLogRetention: 90 * DAY })
  const write = (id: string) => space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', [id]))
  for (let index = 0; index < 12; index++) await write(`old ${index}`)
  clock.now = NOW + 83 * DAY
  await writeOnDays({ space, clock }, 7)
  clock.now += 1
  for (let index = 19; index < 49; index++) await write(`new ${index}`)
  expect(await idsIn(space)).toHaveLength(49)
  await write('new 49')
  expect((await idsIn(space)).slice(7)).toEqual(Array.from({ length: 31 }, (_, index) => `new ${index + 19}`))
  const { writes } = await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1000))
  expect(writes.at(-1)).toMatchObject({ endpoint: 'log_expire', author: 'scriptorium', ids: [] })
  expect(await space.read(OPERATOR_LINK, (view) => verifyLog(view))).toMatchObject({ first: 13, problems: [] })
})

test('without a retention everything is kept', async () => {
  const { space, clock } = await buildSpace()
  await space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', ['old']))
  clock.now = NOW + 10_000 * DAY
  await space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', ['new']))
  expect(await idsIn(space)).toEqual(['old', 'new'])
})

test('old entries are also removed when a space is opened that no one writes to', async () => {
  const file = join(folder(), 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  await documentOf(connected)
  await connected.client.callTool({
    ...{ name: 'documents_add', arguments: { documents: [{ title: 'A' }] } },
    _meta: { 'scriptorium/idempotencyKey': 'k' },
  })
  await built.space.write(OPERATOR_LINK, async (view) => {
    for (let index = 0; index < 1_500; index++) await addAuditEntry(view, 'blocks_add', [`old ${index}`])
  })
  expect([await count(built.space, 'write_log'), await count(built.space, 'kept_answer')]).toEqual([1_502, 1])
  await writeOnDays(built, 7)
  const later = await buildSpace(file, { auditLogRetention: 90 * DAY, clock: () => NOW + 91 * DAY })
  const left = await later.space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1000))
  expect([left.writes.map(({ endpoint }) => endpoint), await count(later.space, 'kept_answer')]).toEqual([
    [...Array(7).fill('blocks_add'), 'history_erase', 'log_expire', 'log_expire'],
    0,
  ])
})

test('a space that stays open loses old entries within an hour, even if nobody writes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { space, clock } = await buildSpace(':memory:', { auditLogRetention: 90 * DAY })
  await space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', ['old']))
  await writeOnDays({ space, clock }, 7)
  clock.now = NOW + 91 * DAY
  expect(await idsIn(space)).toHaveLength(8)
  vi.advanceTimersByTime(3_600_000)
  await vi.waitFor(async () => expect(await idsIn(space)).toHaveLength(7))
  expect(await space.read(OPERATOR_LINK, (view) => verifyLog(view))).toMatchObject({ first: 2, problems: [] })
})

test('what expires by itself is no day on which a space was written', async () => {
  const file = join(folder(), 'space.sqlite')
  const built = await buildSpace(file)
  await built.space.write(OPERATOR_LINK, (view) => addAuditEntry(view, 'blocks_add', ['old']))
  await writeOnDays(built, 7)
  const openedOn = async (day: number) => {
    const { space } = await buildSpace(file, { auditLogRetention: 30 * DAY, clock: () => NOW + day * DAY })
    const entries = await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 1000))
    await space.close()
    return entries.writes.map(({ endpoint, ids: [id = ''] }) => `${endpoint} ${id}`)
  }
  const left = await openedOn(100)
  expect(left.slice(0, 2)).toEqual(['blocks_add day 0', 'blocks_add day 1'])
  expect(left.at(-1)).toBe('log_expire ')
  expect(await openedOn(101)).toEqual(left)
})
