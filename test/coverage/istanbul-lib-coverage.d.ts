/** The package has no types of its own. What is used of it: counts by statement, function and branch of a file. */
export interface FileCoverageData {
  path: string
  s: Record<string, number>
  f: Record<string, number>
  b: Record<string, number[]>
}

export interface CoverageSummary {
  lines: { total: number; covered: number; pct: number }
}

export interface CoverageMap {
  merge(other: Record<string, FileCoverageData>): void
  files(): string[]
  fileCoverageFor(file: string): { toSummary(): CoverageSummary; getUncoveredLines(): string[] }
}

declare const library: { createCoverageMap(data: Record<string, FileCoverageData>): CoverageMap }
export default library
