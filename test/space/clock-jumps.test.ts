/** A clock that was ahead for a while: nothing is lost for good, and nothing waits for the time that it showed. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backUpAndPrune } from '../../src/cli/backup/backup-command.ts'
import { BackupSchedule } from '../../src/cli/backup/backup-schedule.ts'
import { runEmptyTrash } from '../../src/cli/delete-for-good-commands.ts'
import { Presence } from '../../src/page/documents/presence.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { pruneHistory } from '../../src/space/model/prune-history.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { buildSpace, NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { folder } from '../program.ts'

const DAY = 24 * 3600_000
const AHEAD = 60 * DAY

test('history, the log, proposals and keys survive a start and a write sixty days ahead', async () => {
  const file = join(folder(), 'space.sqlite')
  const built = await buildSpace(file)
  const connected = await connect('full', { to: built })
  const { call, client, space } = connected
  const document = await documentOf(connected, 'one', 'Plan')
  const keyed = {
    ...{ name: 'documents_add', arguments: { documents: [{ title: 'Once' }] } },
    _meta: { 'scriptorium/idempotencyKey': 'k' },
  }
  await client.callTool(keyed)
  const agent = await connect('full', { to: built, access: 'propose' })
  await agent.call('blocks_add', { markdown: 'two', position: { position: 'end', pageId: document } })
  const [{ callId }] = (await call('history_list', { format: 'json', limit: 1 })).items

  const reports: string[] = []
  const clock = { now: NOW + AHEAD }
  const options = { auditLogRetention: 30 * DAY, report: (sentence: string) => void reports.push(sentence) }
  const ahead = await openSpace(file, { clock: () => clock.now, ...options })
  const inFuture = await connect('full', { to: { space: ahead, clock } })
  await inFuture.call('documents_add', { documents: [{ title: 'Ahead' }] })
  await ahead.write(OPERATOR_LINK, pruneHistory)
  const late = await connect('full', { to: { space: ahead, clock }, access: 'propose' })
  await late.call('blocks_add', { markdown: 'three', position: { position: 'end', pageId: document } })
  expect(await inFuture.client.callTool(keyed)).toEqual(await client.callTool(keyed))
  await ahead.close()
  expect(reports).toEqual([
    'The history since 2026-11-20T09:00:00.000Z has not expired yet, although it is old enough at 2027-01-19T09:00:00.000Z: it is kept until the space was written on 7 days since, in case the clock of this machine is wrong.',
  ])

  const { writes } = await space.read(OPERATOR_LINK, (view) => listAuditEntries(view, 0, 100))
  expect(writes.map(({ endpoint }) => endpoint)).toEqual(['documents_add', 'documents_add', 'documents_add'])
  const { items: waiting } = await call('proposals_list', { format: 'json' })
  expect(waiting.map(({ state }: { state: string }) => state)).toEqual(['waiting', 'waiting'])
  await call('history_undo', { calls: [callId] })
  const { items } = await call('documents_list', { location: 'trash' })
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['Once'])

  const behind: string[] = []
  await (await openSpace(file, { clock: () => NOW, report: (sentence) => behind.push(sentence) })).close()
  expect(behind).toEqual([
    'Expected a clock that is not behind the last write to the space, which was made at 2027-01-19T09:00:00.000Z, found 2026-11-20T09:00:00.000Z; one of the two is wrong. Set the clock of this machine if it is this one.',
  ])
})

test('trash empty with an age keeps what only the clock says is old, and says so', async () => {
  const file = join(folder(), 'space.sqlite')
  const connected = await connect('full', { to: await buildSpace(file) })
  await connected.call('documents_delete', { documentIds: [await documentOf(connected, 'one', 'Thrown away')] })
  const { value, lines } = await runEmptyTrash(await openSpace(file, { clock: () => NOW + AHEAD }), '30d')
  expect(value).toEqual({ documents: [] })
  expect(lines.at(-1)).toEqual([
    'Everything is kept, whatever the clock says: the space was not written on 7 days since, so that the clock may be wrong. Give a date as --before to delete it anyway.',
  ])
  const dated = await runEmptyTrash(await openSpace(file, { clock: () => NOW + AHEAD }), '2027-01-01')
  expect(dated.value).toMatchObject({ documents: [expect.any(String)] })
})

test('backups go on at once, and those from the future are neither counted nor removed', async () => {
  const path = folder()
  const [file, to] = [join(path, 'space.sqlite'), join(path, 'backups')]
  mkdirSync(to)
  await buildSpace(file)
  const reports: string[] = []
  const clock = { now: NOW + AHEAD }
  const schedule = new BackupSchedule({
    ...{ files: () => [file], to, every: DAY, keep: 1, clock: () => clock.now },
    note: () => {},
    report: (sentence) => reports.push(sentence),
    async backUpSpace({ now }) {
      await backUpAndPrune(file, to, 1, now)
      return { succeeded: true, sentences: [] }
    },
  })
  onTestFinished(() => schedule.close())
  const names = () => readdirSync(to).filter((name) => name.endsWith('.sqlite'))
  await schedule.runDue()
  for (const days of [0, 1, 1]) {
    clock.now = NOW + days * DAY
    await schedule.runDue()
  }
  const future = 'space-2027-01-19T090000Z.sqlite'
  expect(names().sort()).toEqual(['space-2026-11-21T090000Z.sqlite', future])
  expect(reports).toEqual([
    `The backup ${join(to, future)} is named after a time to come, so the clock was ahead when it was made, or is behind now; it counts neither as the last backup nor among those that are kept.`,
  ])
})

test('a window of failed sign-ins that a clock ahead started locks nobody out', async () => {
  const { space } = await buildSpace()
  const signIns = space.openSignIns()
  onTestFinished(() => signIns.close())
  const now = NOW / 1000
  for (let count = 1; count <= 3; count++)
    expect(await signIns.count('Anna', 900, now + 60 * 86_400)).toEqual({ count, endsAt: now + 60 * 86_400 + 900 })
  expect(await signIns.count('Anna', 900, now)).toEqual({ count: 1, endsAt: now + 900 })
  expect(await signIns.count('Anna', 900, now + 899)).toEqual({ count: 2, endsAt: now + 900 })
})

test('people who were seen in the future have left', () => {
  const presence = new Presence()
  presence.meet('document', 'one', 'Anna', NOW + AHEAD)
  expect(presence.meet('document', 'two', 'Ben', NOW)).toEqual([])
})
