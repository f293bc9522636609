/** Reads CSV: finds its delimiter, and bounds its cells before it is parsed. */
import { parse } from 'csv-parse/sync'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_CSV_CELLS, IMPORT_CSV_COLUMNS } from '../../base/limits.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
type Delimiter = (typeof DELIMITERS)[number]

/** Characters at the beginning of a table that its delimiter is found in. */
const SAMPLE_LENGTH = 64 * 1024
/** What Excel writes before a table to say how it is delimited. */
const SEP_LINE = /^\uFEFF?sep=([,;\t|])\r?\n/i

/** @throws Error for a table with more columns or cells than an import reads, or with a quote that is never closed */
export function readCsv(text: string): string[][] {
  const [line = '', stated] = SEP_LINE.exec(text) ?? []
  const plain = text.slice(line.length)
  return parseCsv(plain, (stated as Delimiter | undefined) ?? findDelimiter(plain))
}

/** Parses a table whose delimiter is known. @throws like {@link readCsv} */
export function parseCsv(text: string, delimiter: Delimiter = ','): string[][] {
  let separators = 0
  for (const sign of text) if (sign === delimiter || sign === '\n') separators++
  if (separators > IMPORT_CSV_CELLS) throw tableTooLarge(separators)
  const options = { bom: true, relax_column_count: true, relax_quotes: true, delimiter }
  const rows = parse(text, options) as string[][]
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  if (columns > IMPORT_CSV_COLUMNS) {
    throw new Error(
      `Expected tables of at most ${IMPORT_CSV_COLUMNS} columns, found one of ${columns}; leave some out.`,
    )
  }
  if (rows.length * columns > IMPORT_CSV_CELLS) throw tableTooLarge(rows.length * columns)
  return rows
}

/** The delimiter that most lines have as often as the first one. */
function findDelimiter(text: string): Delimiter {
  const lines = linesOf(text.slice(0, SAMPLE_LENGTH))
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const [first = 0] = counts
    const score = first === 0 ? 0 : counts.filter((count) => count === first).length + first / 1_000
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** Lines without what stands between quotes. */
function linesOf(text: string): string[] {
  let plain = ''
  let isQuoted = false
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted) plain += sign
  }
  return plain.split(/\r?\n/).filter((line) => line.trim() !== '')
}

const tableTooLarge = (cells: number): Error =>
  new Error(
    `Expected tables of at most ${formatNumber(IMPORT_CSV_CELLS)} cells, found one of ${formatNumber(cells)}; split it.`,
  )
