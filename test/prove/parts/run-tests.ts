/** Runs the tests of parts of proposals on a copy of the sources, or on the sources themselves. */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyMutatedSources, type Mutation, ROOT } from '../mutated-sources.ts'

export interface TestRun {
  /** The full names of tests that failed. */
  failed: string[]
  passed: number
  printed: string
}

interface Report {
  numPassedTests: number
  testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[]
}

/**
 * @param folder  the root of a checkout @param report  a file that does not exist yet
 * @throws Error if the tests cannot be run
 */
export async function runTests(
  folder: string,
  file: string,
  report: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestRun> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const given = [
    'run',
    '--root',
    folder,
    file,
    '--reporter=json',
    '--outputFile',
    report,
    '--disable-console-intercept',
  ]
  const ended = await promisify(execFile)(process.execPath, [vitest, ...given], {
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout: string; code: unknown }) => error)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (results.length === 0) throw new Error(`Expected tests in ${file}, found none: ${testResults[0]?.message ?? ''}`)
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  return { failed, passed: numPassedTests, printed: ended.stdout }
}

/** Copies the sources with a fault, and the tests. */
export function copyWithTests(folder: string, mutation: Mutation): void {
  copyMutatedSources(folder, [mutation])
  for (const name of ['test', 'vitest.config.ts', 'tsconfig.json', 'docs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
}
