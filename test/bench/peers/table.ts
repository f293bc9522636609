/**
 * The table of docs/benchmarks.md: a row for each figure and a column for each peer. Each value is followed by its
 * ratio to ours.
 */

import type { Peer } from './peer.ts'
import type { StoredNotes } from './stored-notes.ts'
import type { Row } from './times.ts'

export interface KeptRow {
  what: string
  values: (StoredNotes | undefined)[]
}

export function markdownTable(peers: readonly Peer[], rows: readonly Row[], kept: readonly KeptRow[]): string {
  const lines = [
    ['', ...peers.map(({ name }) => name)],
    ['---', ...peers.map(() => '---:')],
    ...rows.map(({ what, unit, values }) => [
      `${what}, ${unit}`,
      ...values.map((value) => cell(value, values[0] ?? Number.NaN)),
    ]),
    ...kept.map(({ what, values }) => [what, ...values.map(keptCell)]),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cell(value: number, ours: number): string {
  if (Number.isNaN(value)) return '–'
  return value === ours ? amount(value) : `${amount(value)} (${ratio(value / ours)})`
}

const amount = (value: number): string =>
  value.toLocaleString('en-US', value < 100 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 })

/** Formats a ratio to our value. */
const ratio = (value: number): string => `×${value.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`

function keptCell(kept: StoredNotes | undefined): string {
  if (kept === undefined) return '–'
  const result = Object.entries(kept).filter(([what, count]) => what === 'kept' || count > 0)
  return result.map(([what, count]) => `${count} ${what}`).join(', ')
}

/** Returns a sentence for each figure in which a peer is better than we are. */
export const worseFigures = (peers: readonly Peer[], rows: readonly Row[]): string[] =>
  rows.flatMap(({ what, values: [ours = Number.NaN, ...others] }) => {
    const ahead = others.flatMap((value, index) =>
      value < ours ? [`${peers[index + 1]?.name} ${ratio(value / ours)}`] : [],
    )
    return ahead.length > 0 ? [`${what}: ${ahead.join(', ')}`] : []
  })
