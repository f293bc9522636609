/**
 * The scripts of the pages with a counter in each statement, for tests in Node and for pages in a browser: both count
 * the same statements, so that the counts can be added.
 */
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { FileCoverageData } from 'istanbul-lib-coverage'

/** The folder that receives counts; undefined if nothing is counted. */
export const countsFolder = (): string | undefined => process.env.COUNT_PAGE_SCRIPTS

export type Counts = Record<string, Pick<FileCoverageData, 's' | 'f' | 'b'>>

/** @param name  replaces what the same one has written before */
export function writeCounts(counts: Counts, name: string = randomUUID()): void {
  const folder = countsFolder()
  if (folder !== undefined) writeFileSync(join(folder, `${name}.json`), JSON.stringify(counts))
}

const ASSETS = join(import.meta.dirname, '../../src/page/assets')
/** Declarations have no statements. */
const isScript = (path: string): boolean => path.startsWith(`${ASSETS}/`) && /(?<!\.d)\.[jt]s$/.test(path)

/** The paths of all scripts of the pages. */
export const pageScripts = (): string[] =>
  globSync('**/*.{js,ts}', { cwd: ASSETS })
    .map((name) => join(ASSETS, name))
    .filter(isScript)
    .sort()

/** Loaded when something is counted, since its parser is large. */
let loading: Promise<ReturnType<typeof import('istanbul-lib-instrument').createInstrumenter>> | undefined
const instrumenter = () =>
  (loading ??= import('istanbul-lib-instrument').then(({ createInstrumenter }) =>
    // Pages do not allow functions that are made of texts.
    createInstrumenter({
      esModules: true,
      compact: true,
      coverageGlobalScopeFunc: false,
      coverageGlobalScope: 'globalThis',
    }),
  ))

/** The code of a script with counters. Its lines and columns stay where they are in the source. */
export const counted = async (code: string, path: string): Promise<string> =>
  (await instrumenter()).instrumentSync(path.endsWith('.ts') ? stripTypeScriptTypes(code) : code, path)

/** The statements of a script, none of which has run. */
export async function uncounted(path: string): Promise<FileCoverageData> {
  await counted(readFileSync(path, 'utf8'), path)
  return (await instrumenter()).lastFileCoverage()
}

/** A plugin of Vite and of Rolldown, which counts the scripts that they load. */
export const countingPlugin = {
  name: 'counted-scripts',
  enforce: 'pre',
  transform: async (code: string, id: string): Promise<string | undefined> =>
    isScript(id) ? counted(code, id) : undefined,
} as const
