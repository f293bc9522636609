/** Imports whose progress is stored in the space: any server reports them, and one of a killed server ends. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ImportJob, importStatus } from '../../../src/http/archives/import-jobs.ts'
import { noCounts } from '../../../src/import/import-report.ts'
import { buildSpace } from '../../build.ts'

/** Milliseconds after which an import that was not renewed counts as stopped. */
const ALIVE = 15_000
const SECOND = 1_000
/** Milliseconds after which it is renewed without progress. */
const RENEWAL = 6_000

const report = {
  ...{ source: 'Notes', format: 'markdown', isDryRun: false, counts: noCounts(), elapsed: 5 },
  problems: Array.from({ length: 1_002 }, (_, line) => ({
    kind: 'changed' as const,
    path: 'a.md',
    line,
    message: 'Left out.',
  })),
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function begun() {
  const built = await buildSpace()
  const begin = async () => {
    const job = await ImportJob.begin(built.space, 'Notes')
    onTestFinished(() => job.drop())
    return job
  }
  const job = await begin()
  return { ...built, job, begin, status: () => importStatus(built.space, job.id) }
}

describe('an import', () => {
  test('saves its progress every second', async () => {
    const { job, status } = await begun()
    job.note({ done: 2, total: 6, counts: noCounts(), elapsed: 1_000.4 })
    expect(await status()).toMatchObject({ status: 'running', documents: { done: 0, total: 0 } })
    vi.advanceTimersByTime(SECOND)
    const documents = { done: 2, total: 6 }
    await expect
      .poll(status)
      .toEqual({ id: job.id, name: 'Notes', status: 'running', documents, documentsPerSecond: 2, secondsLeft: 2 })
  })

  test('says how long it will take before its first document is done', async () => {
    const { job, status } = await begun()
    job.note({ done: 0, total: 600, counts: noCounts(), elapsed: 0 })
    job.expect(40)
    vi.advanceTimersByTime(SECOND)
    await expect.poll(status).toMatchObject({ documents: { done: 0, total: 600 }, secondsLeft: 40 })
    job.note({ done: 100, total: 600, counts: noCounts(), elapsed: 2_000 })
    vi.advanceTimersByTime(SECOND)
    await expect.poll(status).toMatchObject({ documents: { done: 100, total: 600 }, secondsLeft: 10 })
  })

  test('is reported with the first problems once it is done', async () => {
    const { job, status } = await begun()
    job.note({ done: 6, total: 6, counts: noCounts(), elapsed: 1_000 })
    await job.end(report, false)
    const documents = { done: 6, total: 6 }
    expect(await status()).toEqual({
      ...{ id: job.id, name: 'Notes', status: 'done', documents, documentsPerSecond: 6, problemsLeftOut: 2 },
      report: { ...report, problems: report.problems.slice(0, 1_000) },
    })
  })

  test('reports no more than a megabyte of problems', async () => {
    const { job, status } = await begun()
    const problems = report.problems.map((problem) => ({ ...problem, detail: 'é'.repeat(100_000) }))
    await job.end({ ...report, problems }, false)
    expect(await status()).toMatchObject({ report: { problems: problems.slice(0, 10) }, problemsLeftOut: 992 })
  })

  test('that fails tells nothing of errors of the program', async () => {
    const { job, status } = await begun()
    await job.fail(new Error('secret'))
    expect(await status()).toMatchObject({
      status: 'failed',
      error: { error: 'The import failed; the log of the server says why.', code: 'INTERNAL_ERROR' },
    })
  })

  test('stays alive while it makes no progress', async () => {
    const { clock, status } = await begun()
    for (let second = 0; second < 40; second++) {
      clock.now += SECOND
      vi.advanceTimersByTime(SECOND)
      await expect.poll(status).toMatchObject({ status: 'running' })
    }
  })

  test('of a killed server has stopped, and another one may begin', async () => {
    const { job, begin, clock, status } = await begun()
    clock.now += ALIVE - 1
    expect(await status()).toMatchObject({ status: 'running' })
    await expect(begin()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Expected no other import of this space to run, found ${job.id}; ask GET /import/${job.id} until it is done.`,
    })
    clock.now += 1
    expect(await status()).toMatchObject({ status: 'stopped' })
    await begin()
    clock.now -= ALIVE
    expect(await status()).toMatchObject({ status: 'stopped' })
  })

  test('has stopped, too, if the clock of its server was far ahead', async () => {
    const { begin, clock, status } = await begun()
    clock.now -= ALIVE
    expect(await status()).toMatchObject({ status: 'running' })
    clock.now -= 1
    expect(await status()).toMatchObject({ status: 'stopped' })
    await begin()
  })

  test('ends when another one has begun because it seemed to have stopped', async () => {
    const { job, begin, clock, status } = await begun()
    clock.now += ALIVE
    const other = await begin()
    vi.advanceTimersByTime(RENEWAL)
    await expect.poll(() => job.lost.aborted).toBe(true)
    expect(other.lost.aborted).toBe(false)
    await job.end(report, true)
    expect(await status()).toMatchObject({ status: 'stopped' })
  })

  test('ends when it cannot be saved for so long that another one may begin', async () => {
    const { job, space } = await begun()
    await space.close()
    for (let second = 1; second <= ALIVE / SECOND; second++) {
      vi.advanceTimersByTime(SECOND)
      await new Promise(setImmediate)
      expect(job.lost.aborted).toBe(false)
    }
    vi.advanceTimersByTime(SECOND)
    await expect.poll(() => job.lost.aborted).toBe(true)
  })

  test('is forgotten after ten more', async () => {
    const { job, begin, status } = await begun()
    await job.end(report, false)
    for (let count = 0; count < 9; count++) await (await begin()).end(report, false)
    expect(await status()).toMatchObject({ status: 'done' })
    await begin()
    await expect(status()).rejects.toMatchObject({ code: 'NOT_FOUND_ERROR' })
  })
})
