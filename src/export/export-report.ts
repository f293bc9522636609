/** Reports the result of an export as numbers and as text. */
import { formatNumber } from '../base/format-number.ts'
import type { ExportProblem, WrittenCounts } from './export-target.ts'
import type { ExportProgress } from './stopped-export.ts'

export interface ExportReport {
  target: string
  format: string
  documents: number
  counts: WrittenCounts
  /** Sentences about what the format does not contain. */
  notes: readonly string[]
  problems: ExportProblem[]
  /** How many documents were done, if it was stopped before its end. */
  stopped?: ExportProgress
  /** In milliseconds. */
  elapsed: number
}

/** How many places are listed for each reason. The JSON output contains all. */
const PLACES_PER_REASON = 10

export function exportLines(report: ExportReport): string[] {
  const { target, format, documents, counts, notes, problems, stopped, elapsed } = report
  const { written, unchanged, removed, kept } = counts
  const noun = documents === 1 ? 'document' : 'documents'
  const lines = [
    `Exported ${formatNumber(documents)} ${noun} as ${format} to ${target} in ${(elapsed / 1000).toFixed(1)} seconds: ${written} files written, ${unchanged} unchanged, ${removed} removed.`,
  ]
  if (kept > 0) lines.push(`${kept} files were left as they are, since no export wrote them or they changed since.`)
  if (stopped !== undefined) lines.unshift(stoppedLine(stopped))
  lines.push(...notes)
  for (const [message, found] of Map.groupBy(problems, (problem) => problem.message)) {
    lines.push('', `${message} (${formatNumber(found.length)})`)
    for (const { path } of found.slice(0, PLACES_PER_REASON)) lines.push(`  ${path}`)
    const rest = found.length - PLACES_PER_REASON
    if (rest > 0) lines.push(`  and ${formatNumber(rest)} more; --json lists all`)
  }
  return lines
}

/** Says how far a command came that was stopped. Running it again goes on from there. */
export const stoppedLine = ({ done, total }: ExportProgress): string =>
  `Stopped after ${formatNumber(done)} of ${formatNumber(total)}; run it again to go on.`
