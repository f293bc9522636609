/** Reading a space that no process has open does not change its folder, and works in read-only folders. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { diagnoseSpace, overallState } from '../../src/cli/doctor/findings.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { createBackup } from '../../storage/sqlite/copies/backup.ts'
import { readSpaceId } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { openReadOnly } from '../../storage/sqlite/open-read-only.ts'
import { openSignIns } from '../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { keepLog } from '../keep-log.ts'
import { folder } from '../program.ts'
import { connectionOf } from '../sqlite.ts'

const NOW = Date.parse('2026-11-23T07:16:14Z')
const NAMES = ['space.sqlite', 'space.sqlite.sign-in', 'space.sqlite.usage']

/** Creates a closed space with its additional files, alone in its folder. */
async function closed(): Promise<string> {
  const file = join(folder(), 'space.sqlite')
  await (await openSpace(file)).close()
  const usage = openUsage(`${file}.usage`)
  await usage.record((used) => ({ ...used, requests: { start: 1, used: 1 } }))
  usage.close()
  openSignIns(`${file}.sign-in`).close()
  expect(readdirSync(dirname(file)).sort()).toEqual(NAMES)
  return file
}

/** Creates a space as a killed process leaves it: the last write is only in its log. */
async function killed(): Promise<string> {
  const file = await closed()
  const space = await openSpace(file)
  const leaveLog = keepLog(file)
  await space.write(
    OPERATOR_LINK,
    async ({ tx }) => void connectionOf(tx).sql("UPDATE space SET name = 'In the log'").run(),
  )
  await space.close()
  leaveLog()
  return file
}

/** Lists the files in a folder with their modification times and contents. */
const contents = (path: string) =>
  readdirSync(path)
    .sort()
    .map((name) => {
      const { ino, mtimeMs } = statSync(join(path, name))
      return { name, ino, mtimeMs, bytes: readFileSync(join(path, name), 'latin1') }
    })

/** Sets a folder for temporary files, which must be empty afterwards. */
function temporary(): string {
  const path = folder()
  vi.stubEnv('TMPDIR', path)
  onTestFinished(() => void vi.unstubAllEnvs())
  return path
}

describe('nothing is left next to a closed space', () => {
  test.each([
    ['the doctor', async (file: string) => expect(overallState(await diagnoseSpace(file))).toBe('sound')],
    ['a backup', (file: string) => createBackup(file, join(folder(), 'backup.sqlite'), NOW)],
    ['a look at its ID', async (file: string) => expect(readSpaceId(file)).toBeDefined()],
  ])('by %s', async (_, work) => {
    const file = await closed()
    const before = contents(dirname(file))
    await work(file)
    expect(contents(dirname(file))).toEqual(before)
  })

  test('and nothing can be written through the connection', async () => {
    const { sqlite, close } = openReadOnly(await closed(), { timeout: 0 })
    onTestFinished(close)
    expect(() => sqlite.exec("UPDATE space SET name = 'a'")).toThrow('attempt to write a readonly database')
  })
})

test('an existing WAL stays, and is read', async () => {
  const file = await killed()
  const log = readFileSync(`${file}-wal`)
  const { sqlite, close } = openReadOnly(file, { timeout: 0 })
  expect(sqlite.prepare('SELECT name FROM space').pluck().get()).toBe('In the log')
  close()
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
})

describe('on a read-only medium', () => {
  const disk = { freeBytes: () => Infinity, canWrite: (path: string) => !path.startsWith(readOnly) }
  let readOnly = ''

  test('a space can still be checked completely', async () => {
    const file = await closed()
    const [before, ignored] = [contents(dirname(file)), temporary()]
    readOnly = dirname(file)
    const findings = await diagnoseSpace(file, disk)
    expect(findings.filter(({ fault }) => fault).map(({ what }) => what)).toEqual(['Access', 'Access'])
    expect(findings).toEqual(
      expect.arrayContaining([
        { what: 'Integrity', found: 'ok' },
        { what: 'Search', found: 'ok' },
        { what: 'Name', found: 'My space' },
      ]),
    )
    expect(contents(dirname(file))).toEqual(before)
    expect(readdirSync(ignored)).toEqual([])
  })

  test('an existing WAL is read in place', async () => {
    const file = await killed()
    readOnly = dirname(file)
    vi.stubEnv('TMPDIR', join(file, 'no folder'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const { sqlite, close } = openReadOnly(file, { timeout: 0, canWrite: disk.canWrite })
    expect(sqlite.prepare('SELECT name FROM space').pluck().get()).toBe('In the log')
    close()
  })

  test('a backup, which needs no WAL, is read in place', async () => {
    const { path } = await createBackup(await closed(), join(folder(), 'backup.sqlite'), NOW)
    readOnly = dirname(path)
    vi.stubEnv('TMPDIR', join(path, 'no folder'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const { sqlite, close } = openReadOnly(path, { timeout: 0, canWrite: disk.canWrite })
    expect(sqlite.prepare('SELECT name FROM space').pluck().get()).toBe('My space')
    close()
    expect(readdirSync(readOnly).sort()).toEqual(['backup.sqlite', 'backup.sqlite.sha256'])
  })
})
