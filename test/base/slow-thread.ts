/** A worker that works, waits or fails for as long as requested. */
import { setTimeout } from 'node:timers/promises'
import { answerInWorker } from '../../src/base/worker.ts'

export type SlowWork = { work: number } | { wait: number } | { fail: string }

answerInWorker(async (options: SlowWork) => {
  if ('fail' in options) throw new Error(options.fail)
  if ('wait' in options) await setTimeout(options.wait)
  else for (const end = performance.now() + options.work; performance.now() < end; );
  return JSON.stringify(options)
})
