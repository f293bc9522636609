/** Scheduled backups of a server: when they are due, which are kept, and what happens if one fails. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type BackupRequest, backUpAndPrune } from '../../src/cli/backup/backup-command.ts'
import {
  BackupSchedule,
  backUpInWorker,
  listSpaceFiles,
  type ScheduleOptions,
} from '../../src/cli/backup/backup-schedule.ts'
import { folder } from '../program.ts'
import { unpack } from '../schemas/fixtures.ts'

const NOW = Date.parse('2026-11-23T07:16:14Z')
const HOUR = 3600_000

function scheduled(options: Partial<ScheduleOptions> = {}) {
  const path = folder()
  const to = join(path, 'backups')
  mkdirSync(to)
  for (const name of ['a', 'b']) unpack('29-former', join(path, `${name}.sqlite`))
  const notices: string[] = []
  const clock = { now: NOW }
  const make = () => {
    const schedule = new BackupSchedule({
      ...{ files: () => listSpaceFiles(path), to, every: 24 * HOUR, keep: 2 },
      note: () => {},
      report: (sentence) => notices.push(sentence),
      clock: () => clock.now,
      async backUpSpace({ file, keep, now }: BackupRequest) {
        await backUpAndPrune(file, to, keep, now)
        return { succeeded: true, sentences: [] }
      },
      ...options,
    })
    onTestFinished(() => schedule.close())
    return schedule
  }
  const names = () =>
    readdirSync(to)
      .filter((name) => name.endsWith('.sqlite'))
      .sort()
  return { path, to, notices, clock, make, names }
}

test('each space is backed up when it is due, even if the server was restarted', async () => {
  const { clock, make, names } = scheduled()
  const first = make()
  await first.runDue()
  await first.runDue()
  expect(names()).toEqual(['a-2026-11-23T071614Z.sqlite', 'b-2026-11-23T071614Z.sqlite'])
  clock.now += 23 * HOUR
  await make().runDue()
  expect(names()).toHaveLength(2)
  clock.now += HOUR
  await make().runDue()
  clock.now += 24 * HOUR
  await first.runDue()
  expect(names()).toEqual(
    ['a', 'b'].flatMap((name) => [`${name}-2026-11-24T071614Z.sqlite`, `${name}-2026-11-25T071614Z.sqlite`]),
  )
})

test('a failed backup is reported, retried after ten minutes, and delays no other', async () => {
  const tried: string[] = []
  const { path, notices, clock, make } = scheduled({
    async backUpSpace({ file }) {
      tried.push(file)
      throw new Error('no room')
    },
  })
  const schedule = make()
  await schedule.runDue()
  clock.now += 9 * 60_000
  await schedule.runDue()
  const files = ['a', 'b'].map((name) => join(path, `${name}.sqlite`))
  expect(tried).toEqual(files)
  expect(notices).toEqual(
    files.flatMap((file) => [
      'Expected to back up, found this: no room',
      `The backup of ${file} is tried again in ten minutes.`,
    ]),
  )
  clock.now += 60_000
  await schedule.runDue()
  expect(tried).toEqual([...files, ...files])
})

test('in a worker; files that are not spaces are skipped', async () => {
  const made: string[] = []
  const { path, notices, make, names } = scheduled({ backUpSpace: backUpInWorker, note: (line) => made.push(line) })
  writeFileSync(join(path, 'other.sqlite'), 'x'.repeat(4096))
  rmSync(join(path, 'b.sqlite'))
  await make().runDue()
  expect(names()).toEqual(['a-2026-11-23T071614Z.sqlite'])
  expect(notices).toEqual([])
  expect(made).toEqual([expect.stringMatching(/^Backed up .*a\.sqlite to .*: \d+ documents, .* verified\.$/)])
})
