/** Formats items as a Markdown table with one row per item, which takes few tokens. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { Steps } from '../../base/work-steps.ts'
import type { Collection, Property } from '../collections/schema/find-collection.ts'
import type { ItemValues } from '../collections/schema/item-values.ts'

/** The column headings: the names that calls on items accept, which are the ID, the title, and the property keys. */
export function tableHead({ titleKey }: Collection, columns: readonly Property[]): string[] {
  const keys = columns.map(({ key }) => key)
  return ['id', keys.includes('title') ? titleKey : 'title', ...keys]
}

/** The cells of each item, in the order of {@link tableHead}. */
export function* tableRows(
  columns: readonly Property[],
  items: readonly BlockRow[],
  values: ItemValues,
  titleOf: (text: string) => string,
  spell: (id: number) => string,
): Steps<string[][]> {
  const rows: string[][] = []
  for (const row of items) {
    const texts = new Map(values.textsOf(row))
    rows.push([spell(row.id), titleOf(row.text), ...columns.map(({ key }) => texts.get(key) ?? '')])
    yield
  }
  return rows
}

/** The ID and the title, which every table shows. */
const FIXED_COLUMNS = 2
/** From this many rows on, a column with the same value in all of them is a sentence below the table. */
const ROWS_TO_SHARE = 4

/**
 * Formats a table, and below it what stands in every row, such as the value that was filtered by, or nothing.
 *
 * @param isWhole  true to show each column, because the caller has named them
 */
export function* formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isWhole: boolean,
): Steps<string> {
  const isShared = head.map(
    (_, column) => !isWhole && rows.length >= ROWS_TO_SHARE && column >= FIXED_COLUMNS && isSame(rows, column),
  )
  const shown = (cells: readonly string[]) => cells.filter((_, column) => isShared[column] === false)
  const lines = [formatRow(shown(head)), formatRow(shown(head.map(() => '-')))]
  for (const row of rows) {
    lines.push(formatRow(shown(row)))
    yield
  }
  const common = head.flatMap((key, column) => {
    const value = rows[0]?.[column] ?? ''
    return isShared[column] ? `${key} ${value === '' ? 'is empty' : `is ${JSON.stringify(value)}`}` : []
  })
  if (common.length > 0) lines.push('', `In all rows, ${common.join(', ')}.`)
  return lines.join('\n')
}

const isSame = ([first, ...others]: readonly (readonly string[])[], column: number): boolean =>
  others.every((row) => row[column] === first?.[column])

const formatRow = (cells: readonly string[]): string => `|${cells.map(escapeCell).join('|')}|`

/** Escapes characters that would end a cell or row, or start a tag. */
const escapeCell = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n|\r|\n/g, '<br>')
