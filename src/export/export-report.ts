/** Reports the result of an export as numbers and as text. */
import { formatCount, formatNumber } from '../base/format-number.ts'
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
  /** How many documents were done, if it was stopped before its end, and whether what it wrote is kept. */
  stopped?: ExportProgress & { isKept: boolean }
  /** In milliseconds. */
  elapsed: number
}

/** How many places are listed for each reason. The JSON output contains all. */
const PLACES_PER_REASON = 10

export function exportLines(report: ExportReport): string[] {
  const { counts, notes, problems, stopped } = report
  const { kept } = counts
  const lines: string[] = []
  if (stopped !== undefined) lines.push(stoppedLine(stopped))
  if (stopped?.isKept !== false) lines.push(exportedLine(report))
  if (kept > 0)
    lines.push(`${formatCount(kept, 'file')} left as found, since no export wrote them or they changed since.`)
  lines.push(...notes)
  for (const [message, found] of Map.groupBy(problems, (problem) => problem.message)) {
    lines.push('', `${message} (${formatNumber(found.length)})`)
    for (const { path } of found.slice(0, PLACES_PER_REASON)) lines.push(`  ${path}`)
    const rest = found.length - PLACES_PER_REASON
    if (rest > 0) lines.push(`  and ${formatNumber(rest)} more; --json lists all`)
  }
  return lines
}

function exportedLine({ target, format, documents, counts, elapsed }: ExportReport): string {
  const { written, unchanged, removed } = counts
  return `Exported ${formatCount(documents, 'document')} as ${format} to ${target} in ${(elapsed / 1000).toFixed(1)} seconds: ${formatCount(written, 'file')} written, ${unchanged} unchanged, ${removed} removed.`
}

/** Says how far an export came that was stopped, and what running it again does. A zip is kept as a whole or not at all. */
function stoppedLine({ done, total, isKept }: NonNullable<ExportReport['stopped']>): string {
  const where = total === 0 ? 'Stopped before its end' : `Stopped after ${formatNumber(done)} of ${formatNumber(total)}`
  return isKept
    ? `${where}; run it again to go on.`
    : `${where}, and wrote no zip; run it again to export everything from the beginning.`
}
