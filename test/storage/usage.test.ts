import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openUsage } from '../../storage/sqlite/usage.ts'
import type { Usage, UsageWindows } from '../../storage/usage.ts'

function usageFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'space.sqlite.usage')
}

function open(file: string, reports: string[] = []): Usage {
  const usage = openUsage(file, (sentence) => reports.push(sentence))
  onTestFinished(() => usage.close())
  return usage
}

const NONE: UsageWindows = { requests: undefined, blocks: undefined }
const same = (used: UsageWindows) => used
const one = ({ requests, blocks }: UsageWindows): UsageWindows => ({
  requests: { start: 7, used: (requests?.used ?? 0) + 1 },
  blocks,
})
const used = async (usage: Usage) => (await usage.record(same)).requests?.used ?? 0

/** Returns a function that advances `performance.now()`, so that no test waits for a minute. */
function atOurTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds)
}

test('a file from before links were recorded is accepted', async () => {
  const file = usageFile()
  const before = openUsage(file)
  await before.record(one)
  before.close()
  const sqlite = new Sqlite(file)
  sqlite.exec('DROP TABLE link_use')
  sqlite.close()
  const usage = open(file)
  expect(await used(usage)).toBe(1)
  usage.noteLinkUse('a', 5)
  expect(await usage.linkUses()).toEqual(new Map([['a', 5]]))
})

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', usageFile],
])('a usage file %s', (_, path) => {
  test('is empty at first and keeps what a step records', async () => {
    const usage = open(path())
    expect(await usage.record(same)).toEqual(NONE)
    const blocks = { start: 1_800_000_000_000, used: 20_123 }
    expect(await usage.record((before) => ({ ...before, blocks }))).toEqual({ ...NONE, blocks })
    expect(await usage.record(one)).toEqual({ requests: { start: 7, used: 1 }, blocks })
    expect(await usage.record((before) => ({ ...before, blocks: undefined }))).toEqual({
      requests: { start: 7, used: 1 },
      blocks: undefined,
    })
  })

  test('remembers when links were used last', async () => {
    const usage = open(path())
    expect(await usage.linkUses()).toEqual(new Map())
    usage.noteLinkUse('a', 1_800_000_000_000)
    usage.noteLinkUse('b', 5)
    usage.noteLinkUse('a', 1_800_000_060_000)
    expect(await usage.linkUses()).toEqual(
      new Map([
        ['a', 1_800_000_060_000],
        ['b', 5],
      ]),
    )
    expect(await usage.record(same)).toEqual(NONE)
  })

  test('is unchanged when a step throws, and throws the same error', async () => {
    const usage = open(path())
    await usage.record(one)
    const refused = usage.record(() => {
      throw new RangeError('no')
    })
    await expect(refused).rejects.toThrow(new RangeError('no'))
    expect(await used(usage)).toBe(1)
  })

  test('runs concurrent steps one after another', async () => {
    const usage = open(path())
    await Promise.all(Array.from({ length: 50 }, () => usage.record(one)))
    expect(await used(usage)).toBe(50)
  })
})

test("handles see each other's records, which remain after all have closed", async () => {
  const file = usageFile()
  const handles = [open(file), open(file), open(file)]
  await Promise.all(Array.from({ length: 30 }, (_, index) => handles[index % 3]?.record(one)))
  for (const handle of handles) expect(await used(handle)).toBe(30)
  for (const handle of handles) handle.close()
  expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false])
  expect(await used(open(file))).toBe(30)
})

test('waiting steps share one transaction', async () => {
  const file = usageFile()
  const usage = open(file)
  await usage.record(one)
  // A transaction writes one page after a frame header of 24 bytes.
  const transactions = () => (statSync(`${file}-wal`).size - 32) / (512 + 24)
  const before = transactions()
  await Promise.all(Array.from({ length: 50 }, () => usage.record(one)))
  // The first one gets a transaction of its own.
  expect(transactions() - before).toBe(2)
  await usage.record(same)
  expect(transactions() - before).toBe(2)
})

test('few steps run in one turn of the event loop, and the others wait', async () => {
  const usage = open(usageFile())
  await usage.record(one)
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    let hasTurned = false
    setImmediate(() => (hasTurned = true))
    const turned: boolean[] = []
    for (let step = 0; step < 5; step++) {
      await usage.record(one)
      turned.push(hasTurned)
    }
    expect(turned).toEqual([false, false, false, false, true])
  }
})

test('a step that cannot be stored throws, and the next one runs', async () => {
  const usage = open(usageFile())
  await usage.record(one)
  const requests = { start: {} as number, used: 1 }
  await expect(usage.record((before) => ({ ...before, requests }))).rejects.toThrow(TypeError)
  expect((await usage.record(one)).requests?.used).toBe(2)
})

test('usage in memory is separate', async () => {
  const [first, second] = [open(':memory:'), open(':memory:')]
  await first.record(one)
  expect(await used(second)).toBe(0)
})

test('the file is created at the first step', async () => {
  const file = usageFile()
  const usage = open(file)
  expect(existsSync(file)).toBe(false)
  await usage.record(same)
  expect(existsSync(file)).toBe(true)
})

test('a step waits for another process without blocking the event loop', async () => {
  const file = usageFile()
  const usage = open(file)
  await usage.record(one)
  const other = new Sqlite(file)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const steps = Promise.all([usage.record(one), usage.record(one)])
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  other.exec('COMMIT')
  await steps
  expect(await used(usage)).toBe(3)
})

describe('an unusable file is unchanged, reported once, and does not stop counting', () => {
  const sentence = (file: string, reason: string) =>
    `Expected to count requests in ${file}, found that it cannot be used (${reason}); the limits hold for this process alone until it can. Unless it is another program's, delete it.`

  test.each<[what: string, reason: string, make: (file: string) => void]>([
    ['no database', 'file is not a database', (file) => writeFileSync(file, 'A letter, and a long one. '.repeat(99))],
    [
      'the database of another program',
      'it is the database of another program',
      (file) => changedBy(file, 'CREATE TABLE theirs (a)'),
    ],
    [
      'one that another program has marked as its own',
      'it is the database of another program',
      (file) => changedBy(file, 'PRAGMA application_id = 7'),
    ],
    [
      'one whose version another program has written',
      'it is the database of another program',
      (file) => changedBy(file, 'PRAGMA user_version = 1'),
    ],
    [
      'the file of a later version',
      'it is of another version of Scriptorium',
      (file) => changedBy(file, `PRAGMA application_id = ${0x53637255}; PRAGMA user_version = 2`),
    ],
  ])('%s', async (_, reason, make) => {
    const file = usageFile()
    make(file)
    const before = readFileSync(file)
    const reports: string[] = []
    const usage = open(file, reports)
    for (let step = 1; step <= 3; step++) expect((await usage.record(one)).requests?.used).toBe(step)
    expect(reports).toEqual([sentence(file, reason)])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a missing folder', async () => {
    const file = join(usageFile(), 'usage')
    const reports: string[] = []
    expect((await open(file, reports).record(one)).requests?.used).toBe(1)
    expect(reports).toEqual([sentence(file, 'Cannot open database because the directory does not exist')])
  })

  test('a file that is damaged while it is in use', async () => {
    const file = usageFile()
    const reports: string[] = []
    const usage = open(file, reports)
    await usage.record(one)
    changedBy(file, 'DROP TABLE usage')
    expect((await usage.record(one)).requests?.used).toBe(1)
    expect(reports).toEqual([sentence(file, 'no such table: usage')])
  })

  test('a file that is damaged again after it was repaired is reported again', async () => {
    const pass = atOurTime()
    const file = usageFile()
    const reports: string[] = []
    const usage = open(file, reports)
    for (let time = 1; time <= 2; time++) {
      await usage.record(one)
      changedBy(file, 'DROP TABLE usage')
      await usage.record(one)
      expect(reports).toEqual(Array(time).fill(sentence(file, 'no such table: usage')))
      rmSync(file)
      pass(60_000)
    }
  })

  test('after a minute it is checked again', async () => {
    const pass = atOurTime()
    const file = usageFile()
    writeFileSync(file, 'A letter, and a long one. '.repeat(99))
    const reports: string[] = []
    const [first, second] = [open(file, reports), open(file, reports)]
    await Promise.all([first.record(one), second.record(one)])
    pass(60_000)
    await first.record(one)
    expect([await used(first), await used(second)]).toEqual([2, 1])
    expect(reports).toHaveLength(2)
    rmSync(file)
    pass(60_000)
    await Promise.all([first.record(one), second.record(one)])
    expect([await used(first), await used(second)]).toEqual([2, 2])
    expect(reports).toHaveLength(2)
  })

  test('a file that another program locks for more than ten seconds', async () => {
    const pass = atOurTime()
    const file = usageFile()
    const reports: string[] = []
    const usage = open(file, reports)
    await usage.record(one)
    const other = new Sqlite(file)
    other.exec('BEGIN IMMEDIATE')
    const step = usage.record(one)
    await new Promise((resolve) => setImmediate(resolve))
    pass(10_001)
    expect((await step).requests?.used).toBe(1)
    expect(reports).toEqual([sentence(file, 'database is locked')])
    other.exec('COMMIT')
    other.close()
    pass(60_000)
    expect((await usage.record(one)).requests?.used).toBe(2)
  })
})

test('what is counted after closing is not written', async () => {
  const file = usageFile()
  const usage = open(file)
  await usage.record(one)
  usage.close()
  expect((await usage.record(one)).requests?.used).toBe(1)
  expect(await used(open(file))).toBe(1)
})

function changedBy(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}
