/** What an import did, in numbers and in words. */
import type { ImportProblem } from './import-source.ts'

export interface ImportCounts {
  /** Documents and items that are new, that changed, and that were as they are. */
  added: number
  updated: number
  unchanged: number
  /** Those that changed on both sides, or were thrown away here: left as they are. */
  conflicts: number
  failed: number
  /** Files that came with them, and blocks that were written. */
  files: number
  blocks: number
  /** Links between documents, and to files, that lead where they should. */
  links: number
}

export interface ImportReport {
  /** What was imported. */
  source: string
  format: string
  isDryRun: boolean
  counts: ImportCounts
  problems: ImportProblem[]
  /** Milliseconds. */
  elapsed: number
}

export const noCounts = (): ImportCounts => ({
  ...{ added: 0, updated: 0, unchanged: 0, conflicts: 0, failed: 0 },
  ...{ files: 0, blocks: 0, links: 0 },
})

/** Places that are named for each reason; all of them are in the JSON. */
const PLACES_PER_REASON = 10

/** The report as lines of text. */
export function reportLines({ source, format, isDryRun, counts, problems, elapsed }: ImportReport): string[] {
  const { added, updated, unchanged, conflicts, failed, files, blocks, links } = counts
  const seconds = Math.max(elapsed / 1000, 0.001)
  const rate = Math.round((added + updated + unchanged) / seconds)
  const verb = isDryRun ? 'Would import' : 'Imported'
  const lines = [
    `${verb} ${source} as ${format}: ${count(added, 'new document')}, ${updated} changed, ${unchanged} unchanged, ${count(files, 'file')}, ${count(blocks, 'block')}, ${count(links, 'link')} that lead to their ends.`,
  ]
  if (!isDryRun) lines.push(`That took ${seconds.toFixed(1)} seconds, ${rate.toLocaleString('en-US')} a second.`)
  if (conflicts > 0) lines.push(`${count(conflicts, 'document')} left as they are here: see conflicts below.`)
  if (failed > 0) lines.push(`${count(failed, 'document')} could not be imported: see below.`)
  const groups = Map.groupBy(problems, ({ kind, message }) => `${kind}: ${message}`)
  for (const [reason, found] of [...groups].sort(([, one], [, other]) => other.length - one.length)) {
    lines.push('', `${capitalized(reason)} (${found.length.toLocaleString('en-US')})`)
    for (const problem of found.slice(0, PLACES_PER_REASON)) lines.push(`  ${placeOf(problem)}`)
    const rest = found.length - PLACES_PER_REASON
    if (rest > 0) lines.push(`  and ${rest.toLocaleString('en-US')} more; --json lists all`)
  }
  return lines
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

const placeOf = ({ path, line, detail }: ImportProblem): string =>
  `${path}${line === undefined ? '' : `:${line}`}${detail === undefined ? '' : ` (${detail})`}`

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
