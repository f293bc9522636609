/**
 * The program in the form that the package contains, for the tests that start it. It is bundled once for all of them,
 * since a start from the sources takes eight times as much CPU time. Some tests start the sources anyway.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { build } from '../../scripts/build.ts'
import { counted, countingPlugin, countsFolder } from '../coverage/counted-scripts.ts'
import { BUNDLES, bundleFolder } from './sources-hash.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the bundled program; only in tests of the project `process`, and on PostgreSQL. */
    bundledProgram: string
  }
}

/** Milliseconds after its last use for which a bundle of other sources is kept. */
const UNUSED = 60 * 60_000

export default async function setup({ provide }: TestProject): Promise<void> {
  provide('bundledProgram', await bundledProgram())
}

/** The path of the bundled script. It is built unless there is a bundle of exactly these sources. */
export async function bundledProgram(): Promise<string> {
  const isCounted = countsFolder() !== undefined
  const folder = `${bundleFolder()}${isCounted ? '-counted' : ''}`
  mkdirSync(BUNDLES, { recursive: true })
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name)
    if (statSync(path).mtimeMs < Date.now() - UNUSED) rmSync(path, { recursive: true, force: true })
  }
  if (!existsSync(folder)) {
    const unfinished = mkdtempSync(`${folder}-`)
    await build({ folder: unfinished, ...(isCounted && { pagePlugins: [countingPlugin], pageScript: counted }) })
    // It gets its final name only once it is complete. Another run may have been faster.
    if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true })
    else renameSync(unfinished, folder)
  }
  utimesSync(folder, new Date(), new Date())
  return join(folder, 'start.js')
}
