/**
 * The program as the package has it, for the tests that start it: bundled once for all of them, since a start from the
 * sources takes eight times the processor. Some tests start the sources all the same.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build } from '../../scripts/build.ts'
import { contentHash } from './installed-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the bundled program; only in tests of the project `process`, and on PostgreSQL. */
    bundledProgram: string
  }
}

/** Below the checkout, so that the bundle finds the packages that stay outside of it. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/scriptorium')
/** How long a bundle of other sources is kept after its last use. Milliseconds. */
const UNUSED = 60 * 60_000

export default async function setup({ provide }: TestProject): Promise<void> {
  provide('bundledProgram', await bundledProgram())
}

/** The path of its script. It is bundled unless that of the very same sources is there. */
export async function bundledProgram(): Promise<string> {
  const folder = join(CACHE, contentHash())
  mkdirSync(CACHE, { recursive: true })
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name)
    if (statSync(path).mtimeMs < Date.now() - UNUSED) rmSync(path, { recursive: true, force: true })
  }
  if (!existsSync(folder)) {
    const unfinished = mkdtempSync(`${folder}-`)
    await build(unfinished)
    // Under its final name only when it is whole; another run may have been quicker.
    if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true })
    else renameSync(unfinished, folder)
  }
  utimesSync(folder, new Date(), new Date())
  return join(folder, 'start.js')
}
