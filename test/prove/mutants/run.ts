/** One run of Stryker over some files. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Strain } from '../proof.ts'

export interface Mutated {
  mutants: number
  /** Those noticed, of 100; without those that were left out. */
  score: number
  /** Mutants of what is evaluated while a module is loaded, which is not loaded anew for each. */
  left: number
  /** Where those stand that nothing noticed, and what they are. */
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

/** What is changed, and by what it is to be noticed. */
export interface Target {
  /** Files whose source is changed, in a copy of the project. */
  files: readonly string[]
  /** Files of tests, of which those are run that reach the change. */
  tests: readonly string[]
  /** Variables that tests read, such as how long they are to be. */
  environment?: Readonly<Record<string, string>>
}

export async function mutate({ folder }: Strain, { files, tests, environment }: Target): Promise<Mutated> {
  const report = join(folder, 'mutants.json')
  const vitest = join(folder, 'vitest.config.mjs')
  const config = join(folder, 'stryker.json')
  // What waits for ever is noticed only then.
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
      // Its copy of the compiler's options is made with functions that TypeScript 7 does not have.
      tsconfigFile: 'absent.json',
      // With Vitest 5 modules are not evaluated again, so that such mutants would survive whatever tests say.
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
