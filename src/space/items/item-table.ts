/** Formats items as a Markdown table with one row per item, which takes few tokens. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { Steps } from '../../base/scheduling.ts'
import type { Collection, Property } from '../collections/schema/find-collection.ts'
import type { ItemValues } from '../collections/schema/item-values.ts'

/** The column headings: the names that calls on items accept, which are the ID, the title, and the property keys. */
export function tableHead({ titleKey }: Collection, columns: readonly Property[]): string[] {
  const keys = columns.map(({ key }) => key)
  const head = ['id', keys.includes('title') ? titleKey : 'title', ...keys]
  return [formatRow(head), formatRow(head.map(() => '-'))]
}

export function* tableRows(
  columns: readonly Property[],
  items: readonly BlockRow[],
  values: ItemValues,
  titleOf: (text: string) => string,
  spell: (id: number) => string,
): Steps<string[]> {
  const lines: string[] = []
  for (const row of items) {
    const texts = new Map(values.textsOf(row))
    lines.push(formatRow([spell(row.id), titleOf(row.text), ...columns.map(({ key }) => texts.get(key) ?? '')]))
    yield
  }
  return lines
}

const formatRow = (cells: readonly string[]): string => `|${cells.map(escapeCell).join('|')}|`

/** Escapes characters that would end a cell or row, or start a tag. */
const escapeCell = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n|\r|\n/g, '<br>')
