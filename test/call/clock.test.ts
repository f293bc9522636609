/** While the clock shows a year with more than four digits, nothing is written and reading works. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { indexedText } from '../../src/space/search/indexed-text.ts'
import { historySize } from '../../storage/history-retention.ts'
import { createBackup } from '../../storage/sqlite/copies/backup.ts'
import { restoreSpace } from '../../storage/sqlite/copies/restore.ts'
import { buildSpace, NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { serveBuilt } from '../http/serving.ts'
import { folder } from '../program.ts'
import { firstValue } from '../sqlite.ts'
import { eventually } from '../support/eventually.ts'

const YEAR_10000 = Date.UTC(10_000, 0)
const MESSAGE =
  'Expected the clock of the server to show a year up to 9999, found a later one; nothing was written. Ask the person who runs the server to set its clock, then try again.'
const REASON =
  'Expected the clock of this machine to show a year up to 9999, found the year 10000; set it. Until then, nothing is written.'

const PLAN = { documents: [{ title: 'Plan' }] }

test('a dry run is refused as well, and a past version is read', async () => {
  const connected = await connect()
  const { items } = await connected.call('documents_add', { documents: [{ title: 'Plan', markdown: 'first' }] })
  const { clock, client, call } = connected
  clock.now += 60_000
  const at = new Date(clock.now).toISOString()
  clock.now += 60_000
  const [block] = (await call('blocks_get', { id: items[0].id })).content
  await call('blocks_update', { blocks: [{ id: block.id, markdown: 'second' }] })
  clock.now = YEAR_10000
  const dry = await client.callTool({ name: 'documents_add', arguments: PLAN, _meta: { 'scriptorium/dryRun': true } })
  expect(dry).toMatchObject({ isError: true, content: [{ text: MESSAGE }] })
  expect(JSON.stringify(await call('blocks_get', { id: items[0].id, at }))).toContain('first')
})

test('over REST it is status 503, and the log has one line', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  // Each cause is logged once a minute by all tests of this process.
  serving.clock.now = Date.UTC(10_001, 0)
  for (let index = 0; index < 3; index++) {
    const { status, json } = await link.ask('POST /documents', PLAN)
    expect([status, json]).toEqual([503, { error: MESSAGE, code: 'CLOCK_WRONG' }])
  }
  expect((await link.ask('GET /documents')).status).toBe(200)
  expect(serving.noted).toEqual([expect.stringContaining(`CLOCK_WRONG ${REASON.replace('10000', '10001')}`)])
  expect(await serving.budget.linkUses()).toEqual(new Map())
  serving.clock.now = NOW
  expect((await link.ask('POST /documents', PLAN)).status).toBe(200)
})

test('a space is opened and keeps everything, and none is created', async () => {
  const file = join(folder(), 'space.sqlite')
  const before = await buildSpace(file)
  await (await connect('full', { to: before })).call('documents_add', PLAN)
  await before.space.close()
  const reported: string[] = []
  const clock = () => YEAR_10000
  const space = await openSpace(file, {
    clock,
    auditLogRetention: 1,
    report: (sentence) => void reported.push(sentence),
  })
  expect(reported).toEqual([REASON])
  const logged = await space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, 'SELECT count(*) FROM write_log'))
  expect([logged, (await space.read(OPERATOR_LINK, ({ tx }) => historySize(tx))).oldest]).toEqual([1, NOW])
  await space.close()
  await expect(openSpace(join(folder(), 'new.sqlite'), { clock, timezone: 'UTC' })).rejects.toThrow(MESSAGE)
})

test('others are heard, and what is due is announced once the clock is set', async () => {
  const file = join(folder(), 'space.sqlite')
  const [wrong, right] = [await buildSpace(file), await buildSpace(file)]
  const { call } = await connect('full', { to: right })
  const { items } = await call('documents_add', PLAN)
  const remindAt = new Date(NOW + 60_000).toISOString()
  const moves: boolean[] = []
  wrong.clock.now = YEAR_10000
  const listening = wrong.space.watch(({ feedMoved }) => void moves.push(feedMoved), { includesFeed: true })
  onTestFinished(() => listening.stop())
  await listening.ready
  await call('reminders_add', { reminders: [{ blockId: items[0].id, remindAt }] })
  await eventually(() => expect(moves).toEqual([true]))
  wrong.clock.now = NOW + 120_000
  await call('documents_add', PLAN)
  const events = () => wrong.space.read(OPERATOR_LINK, ({ tx }) => firstValue(tx, 'SELECT count(*) FROM event'))
  await eventually(async () => expect(await events()).toBe(1))
})

test('no backup is made or restored', async () => {
  const [from, to] = [folder(), folder()]
  const { space } = await buildSpace(join(from, 'space.sqlite'))
  await space.close()
  await createBackup(space.file, to, NOW)
  await expect(createBackup(space.file, to, YEAR_10000)).rejects.toThrow(MESSAGE)
  const made = readdirSync(to).sort()
  const [backup = ''] = made
  const restoring = { keepsAccess: false, replacesOther: false, now: YEAR_10000, words: async () => indexedText }
  await expect(restoreSpace(join(to, backup), space.file, restoring)).rejects.toThrow(MESSAGE)
  expect(backup).toContain('2026-11-20')
  expect(readdirSync(to).sort()).toEqual(made)
})
