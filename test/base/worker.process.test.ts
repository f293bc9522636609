/** Workers that run jobs, time out, and fail. */
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { WorkerThread } from '../../src/base/worker.ts'
import type { SlowWork } from './slow-thread.ts'

const slow = () => new WorkerThread<SlowWork, string>(new URL('slow-thread.ts', import.meta.url))
const LONG = 60_000

describe('a worker', () => {
  test('handles one job after another, and reports the time of work', async () => {
    const thread = slow()
    const jobs = [{ work: 100 }, { work: 0 }, { work: 50 }]
    const done = await Promise.all(jobs.map((one) => thread.run(one, LONG)))
    expect(done.map(({ result: answer }) => answer)).toEqual(jobs.map((one) => JSON.stringify(one)))
    expect(done[0]?.elapsed).toBeGreaterThan(0)
  })

  test('is terminated when a job exceeds its time, and the next job starts a new one', async () => {
    const thread = slow()
    expect(await thread.run({ work: LONG }, 50)).toEqual({ result: 'timeout', elapsed: 50 })
    expect((await thread.run({ work: 1 }, LONG)).result).toBe('{"work":1}')
  })

  test('may exceed it while it gets no CPU time', async () => {
    const { result: answer } = await slow().run({ wait: 600 }, 400)
    expect(answer).toBe('{"wait":600}')
  })

  test('is no longer timed if it responds while its CPU usage is being read', async () => {
    const used = Promise.withResolvers<NodeJS.CpuUsage>()
    const cpuUsage = vi.spyOn(Worker.prototype, 'cpuUsage').mockReturnValue(used.promise)
    await slow().run({ wait: 300 }, 100)
    expect(cpuUsage).toHaveBeenCalledTimes(1)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    used.resolve({ user: 0, system: 0 })
    await setImmediate()
    expect(timers).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  test('is not waited for forever', async () => {
    expect((await slow().run({ wait: LONG }, 50)).result).toBe('timeout')
  })

  test('fails as its job does, and the next job starts a new one', async () => {
    const thread = slow()
    await expect(thread.run({ fail: 'no such luck' }, LONG)).rejects.toThrow('no such luck')
    expect((await thread.run({ work: 1 }, LONG)).result).toBe('{"work":1}')
  })

  test('fails if its file does', async () => {
    const thread = new WorkerThread(new URL('no-such-thread.ts', import.meta.url))
    await expect(thread.run('anything', LONG)).rejects.toThrow('no-such-thread.ts')
    await expect(thread.run('anything', LONG)).rejects.toThrow('no-such-thread.ts')
  })
})
