/** Processes that share a file of usage and charge it concurrently. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { DEFAULT_RATE_LIMITS, type QuotaRequest, RateLimiter, type RateLimits } from '../../src/call/rate-limiter.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'

/** The work of each process: it asks this many times in sequence, at the time `now`. */
export interface Round {
  now: number
  times: number
  asks: QuotaRequest
  limits?: RateLimits
}

/** The result of a round, over all processes. */
export interface Outcome {
  admitted: number
  /** Each distinct refusal, plus other errors and reports of the usage file. */
  refused: string[]
}

export interface Askers {
  /** Starts all processes together. Resolves when the last is done. */
  ask(round: Round): Promise<Outcome>
  close(): Promise<void>
}

export async function startAskers(count: number, file: string): Promise<Askers> {
  const processes = Array.from({ length: count }, () => fork(import.meta.filename, [file], { execArgv: [] }))
  await Promise.all(processes.map(answerOf<string>))
  return {
    async ask(round) {
      const outcomes = await Promise.all(
        processes.map((asker) => {
          asker.send(round)
          return answerOf<Outcome>(asker)
        }),
      )
      return {
        admitted: outcomes.reduce((sum, { admitted }) => sum + admitted, 0),
        refused: [...new Set(outcomes.flatMap(({ refused }) => refused))],
      }
    },
    async close() {
      const ended = processes.map((asker) => asker.exitCode ?? once(asker, 'exit'))
      for (const asker of processes) if (asker.connected) asker.disconnect()
      await Promise.all(ended)
    },
  }
}

async function answerOf<T>(asker: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const failed = (code: number | null) => reject(new Error(`Expected an answer, found the process ended with ${code}.`))
  asker.once('message', (answer) => resolve(answer as T)).once('exit', failed)
  return promise.finally(() => asker.off('exit', failed))
}

/** The code of each process. */
function answerRounds(file: string): void {
  const reports: string[] = []
  const usage = openUsage(file, (sentence) => reports.push(sentence))
  process.on('message', async ({ now, times, asks, limits = DEFAULT_RATE_LIMITS }: Round) => {
    const budget = new RateLimiter(usage, limits, () => now)
    const refused = new Set<string>(reports)
    let admitted = 0
    for (let time = 0; time < times; time++) {
      try {
        await budget.acquire(asks)
        admitted += 1
      } catch (error) {
        refused.add(error instanceof ScriptoriumError ? error.message : String(error))
      }
    }
    process.send?.({ admitted, refused: [...refused, ...reports] } satisfies Outcome)
  })
  process.on('disconnect', () => usage.close())
  process.send?.('ready')
}

const [, program, file] = process.argv
if (program === import.meta.filename && file !== undefined) answerRounds(file)
