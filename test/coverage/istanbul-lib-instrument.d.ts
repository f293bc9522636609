import type { FileCoverageData } from 'istanbul-lib-coverage'

/** The package has no types of its own. What is used of it. */
export function createInstrumenter(options: {
  esModules: boolean
  compact: boolean
  coverageGlobalScope: string
  coverageGlobalScopeFunc: boolean
}): {
  instrumentSync(code: string, file: string): string
  lastFileCoverage(): FileCoverageData
}
