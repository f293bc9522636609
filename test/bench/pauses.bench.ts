/** How long one call may block others: the tests `*.pauses.test.ts`, which measure it in milliseconds of this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LONGEST_PAUSE, LONGEST_PAUSE_OF_LARGE_CALLS } from '../support/pauses.ts'
import { UNREAD } from '../support/unread.ts'
import type { Measure } from './figure.ts'
import { inFolder } from './workbench.ts'

/** The parts of a report of Vitest that are read here. */
interface Report {
  numTotalTests: number
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const file = join(folder, 'pauses.json')
    const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--mode', 'pauses', '--reporter', 'json', '--outputFile', file]
    await once(spawn(process.execPath, args, { stdio: ['pipe', UNREAD, 'inherit'] }), 'close')
    const { numTotalTests, testResults }: Report = JSON.parse(await readFile(file, 'utf8'))
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
    const figure = {
      what: `calls that block others for more than ${LONGEST_PAUSE} ms (large ones: ${LONGEST_PAUSE_OF_LARGE_CALLS} ms)`,
      floor: 'all that were tried',
      ours: failed.length,
      bare: numTotalTests,
      unit: 'calls',
      ratio: failed.length / numTotalTests,
      goal: { of: 'ours', most: 0 } as const,
    }
    return {
      figures: [figure],
      notes: failed.map(({ fullName, failureMessages: [message = ''] }) => `${fullName}: ${message.split('\n')[0]}`),
    }
  })
