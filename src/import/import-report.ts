/** Reports the result of an import as numbers and as text. */

import type { ErrorBody } from '../base/errors.ts'
import { formatCount, formatNumber } from '../base/format-number.ts'
import type { ImportProblem } from './import-source.ts'

export interface ImportCounts {
  /** Documents and items that are new, changed or unchanged. */
  added: number
  updated: number
  unchanged: number
  /**
   * Documents and items that changed both in the source and here, or that are in the trash here. They are not
   * overwritten.
   */
  conflicts: number
  failed: number
  /** Documents that were moved to the trash, because their files are gone. */
  deleted: number
  /** Imported files, and written blocks. */
  files: number
  blocks: number
  /** Links to documents and files whose target was found. */
  links: number
}

export interface ImportReport {
  /** The name of the source. */
  source: string
  format: string
  /** Why this format was chosen. Absent if it was named with `as`. */
  detected?: string
  isDryRun: boolean
  counts: ImportCounts
  problems: ImportProblem[]
  /** A sentence that says how the source was recognized, if it was imported under another name before. */
  known?: string
  /** Why the import ended before all documents were imported, if it did. Importing the source again continues it. */
  stopped?: ErrorBody
  /** How many documents were done, if it was interrupted before its end. */
  interrupted?: { done: number; total: number }
  /** In milliseconds. */
  elapsed: number
}

export const noCounts = (): ImportCounts => ({
  ...{ added: 0, updated: 0, unchanged: 0, conflicts: 0, failed: 0, deleted: 0 },
  ...{ files: 0, blocks: 0, links: 0 },
})

/** How many places are listed for each reason. The JSON output contains all. */
const PLACES_PER_REASON = 10

/** Formats the report as lines of text. */
export function reportLines(report: ImportReport): string[] {
  const { source, format, detected, isDryRun, counts, problems, stopped, interrupted, known, elapsed } = report
  const { added, updated, unchanged, conflicts, failed, deleted, files, blocks, links } = counts
  const seconds = Math.max(elapsed / 1000, 0.001)
  const rate = Math.round((added + updated + unchanged) / seconds)
  const verb = isDryRun ? 'Would import' : 'Imported'
  const lines = [
    `${verb} ${source} as ${format}: ${formatCount(added, 'new document')}, ${updated} changed, ${unchanged} unchanged, ${formatCount(files, 'file')}, ${formatCount(blocks, 'block')}, ${formatCount(links, 'link')} resolved.`,
  ]
  if (detected !== undefined) lines.push(`Detected as ${detected}; --as names another format.`)
  if (known !== undefined) lines.push(known)
  if (deleted > 0) lines.push(`${formatCount(deleted, 'document')} moved to the trash, since their files are gone.`)
  if (!isDryRun) lines.push(`That took ${seconds.toFixed(1)} seconds, ${formatNumber(rate)} a second.`)
  if (interrupted !== undefined) {
    const { done, total } = interrupted
    lines.unshift(`Stopped after ${formatNumber(done)} of ${formatNumber(total)}; run it again to go on.`)
  }
  if (stopped !== undefined) lines.push(`It stopped before its end: ${stopped.error} Import it again to continue.`)
  if (conflicts > 0) lines.push(`${formatCount(conflicts, 'document')} left as they are here: see conflicts below.`)
  if (failed > 0) lines.push(`${formatCount(failed, 'document')} could not be imported: see below.`)
  const groups = Map.groupBy(problems, ({ kind, message }) => `${kind}: ${message}`)
  for (const [reason, found] of [...groups].sort(([, one], [, other]) => other.length - one.length)) {
    lines.push('', `${capitalized(reason)} (${formatNumber(found.length)})`)
    for (const problem of found.slice(0, PLACES_PER_REASON)) lines.push(`  ${placeOf(problem)}`)
    const rest = found.length - PLACES_PER_REASON
    if (rest > 0) lines.push(`  and ${formatNumber(rest)} more; --json lists all`)
  }
  return lines
}

const placeOf = ({ path, line, detail }: ImportProblem): string =>
  `${path}${line === undefined ? '' : `:${line}`}${detail === undefined ? '' : ` (${detail})`}`

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
