/** One run of Stryker over some files. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ProofContext } from '../proof.ts'

export interface Mutated {
  mutants: number
  /** The percentage of mutants that tests detected, not counting those that were skipped. */
  score: number
  /** Skipped mutants of code that runs while a module is loaded, since modules are not reloaded for each mutant. */
  left: number
  /** Position and description of each undetected mutant. */
  survivors: string[]
}

const root = join(import.meta.dirname, '../../..')
const stryker = join(dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core')), '../../bin/stryker.js')

interface Report {
  files: Record<
    string,
    { mutants: { status: string; mutatorName: string; replacement?: string; location: { start: { line: number } } }[] }
  >
}

/** The code to mutate, and the tests that must detect the mutants. */
export interface Target {
  /** Files to mutate, in a copy of the project. */
  files: readonly string[]
  /** Test files. For each mutant, those that reach it are run. */
  tests: readonly string[]
  /** Environment variables for the tests, such as the length of their runs. */
  environment?: Readonly<Record<string, string>>
}

export async function mutate({ folder }: ProofContext, { files, tests, environment }: Target): Promise<Mutated> {
  const report = join(folder, 'mutants.json')
  const vitest = join(folder, 'vitest.config.mjs')
  const config = join(folder, 'stryker.json')
  // Endless waiting is detected only by this timeout.
  writeFileSync(vitest, 'export default { test: { testTimeout: 20_000 } }\n')
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      mutate: files,
      testFiles: tests,
      reporters: ['json'],
      jsonReporter: { fileName: report },
      tempDirName: join(folder, 'copies'),
      concurrency: 1,
      coverageAnalysis: 'perTest',
      // Stryker's copy of the compiler options uses functions that TypeScript 7 does not have.
      tsconfigFile: 'absent.json',
      // Vitest 5 does not evaluate modules again, so that such mutants would survive no matter what the tests check.
      ignoreStatic: true,
      timeoutMS: 15_000,
      vitest: { dir: 'test', related: false, configFile: vitest },
    }),
  )
  await promisify(execFile)(process.execPath, [stryker, 'run', config], {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 2 ** 26,
  })
  return counted(JSON.parse(readFileSync(report, 'utf8')) as Report)
}

function counted({ files }: Report): Mutated {
  const all = Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ file, ...mutant })))
  const left = all.filter(({ status }) => status === 'Ignored')
  const valid = all.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError', 'Pending'].includes(status))
  const noticed = valid.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  const survivors = valid
    .filter((mutant) => !noticed.includes(mutant))
    .map(({ file, location, mutatorName, replacement = '' }) => {
      const shown = replacement.replace(/\s+/g, ' ').slice(0, 80)
      return `${file}:${location.start.line} ${mutatorName} ${shown}`
    })
  return {
    mutants: valid.length,
    score: valid.length === 0 ? 0 : (100 * noticed.length) / valid.length,
    left: left.length,
    survivors,
  }
}
