/** What a space's rate limiter allows if many processes share it. */
import { expect, onTestFinished, test } from 'vitest'
import { startAskers } from '../http/askers.ts'
import { runs } from '../support/runs.ts'
import { START, usageFile } from './usage-file.ts'

const PROCESSES = runs(8, 32)
/** The processes make 320 requests in total. */
const times = Math.ceil(320 / PROCESSES)

test('exactly the allowed number of concurrent requests of many processes pass, window after window', {
  // Starting the processes takes seconds on two idle processors, and longer next to other tests.
  timeout: 60_000,
}, async () => {
  const askers = await startAskers(PROCESSES, usageFile())
  onTestFinished(() => askers.close())
  const refusal = (seconds: number) =>
    `Expected at most 100 requests a minute in this space, found them used up by all its connections together. Retry after ${seconds} seconds.`
  for (const now of [START, START + 60_000, START + 7_000_000, START]) {
    expect(await askers.ask({ now, times, asks: {} })).toEqual({ admitted: 100, refused: [refusal(60)] })
    expect(await askers.ask({ now: now + 30_000, times: 1, asks: {} })).toEqual({ admitted: 0, refused: [refusal(30)] })
  }
  const writes = { times, asks: { blocks: 300 }, limits: { requests: 0, blocks: 20_000 } }
  const { admitted, refused } = await askers.ask({ now: START, ...writes })
  expect([admitted, refused]).toEqual([66, [expect.stringContaining('found 200 left by all its connections together')]])
})
