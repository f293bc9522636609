/** A thread that works, waits or fails for as long as it is told. */
import { setTimeout } from 'node:timers/promises'
import { answerInWorker } from '../../src/base/worker.ts'

export type SlowAsked = { work: number } | { wait: number } | { fail: string }

answerInWorker(async (asked: SlowAsked) => {
  if ('fail' in asked) throw new Error(asked.fail)
  if ('wait' in asked) await setTimeout(asked.wait)
  else for (const end = performance.now() + asked.work; performance.now() < end; );
  return JSON.stringify(asked)
})
