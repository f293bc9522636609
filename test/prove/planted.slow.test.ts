/**
 * The faults that proofs plant are changes of the sources, given as text. If the changed sources did not compile, they
 * would break the copy of the sources, and the proof would detect that instead of the fault.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyMutatedSources, ROOT } from './mutated-sources.ts'
import { PLANTED_SETS } from './planted-sets.ts'

/** Milliseconds to type-check all sources, beside other tests. */
const COMPILE_MS = 180_000

test.each(Object.entries(PLANTED_SETS))(
  '%s: the sources with the planted faults compile',
  (_, mutations) => {
    const folder = mkdtempSync(join(tmpdir(), 'scriptorium-planted-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const copy = join(folder, 'copy')
    copyMutatedSources(copy, mutations)
    cpSync(join(ROOT, 'tsconfig.json'), join(copy, 'tsconfig.json'))
    expect(compile(copy)).toBe('')
  },
  COMPILE_MS,
)

/** @returns the errors of the compiler, except those about unused code */
function compile(folder: string): string {
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const args = ['--project', folder, '--noEmit', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false']
  try {
    return execFileSync(process.execPath, [tsc, ...args], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
