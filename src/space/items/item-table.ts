/** Items as a table of Markdown: a row an item, in few tokens. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { Steps } from '../../base/scheduling.ts'
import type { Collection, Property } from '../collections/schema/find-collection.ts'
import type { ItemValues } from '../collections/schema/item-values.ts'

/** Columns are headed by the names that calls on items take: the ID, the title, and the keys of the properties. */
export function* itemsTable(
  { titleKey }: Collection,
  columns: readonly Property[],
  items: readonly BlockRow[],
  values: ItemValues,
  titleOf: (text: string) => string,
  spell: (id: number) => string,
): Steps<string> {
  const keys = columns.map(({ key }) => key)
  const head = ['id', keys.includes('title') ? titleKey : 'title', ...keys]
  const lines = [formatRow(head), formatRow(head.map(() => '-'))]
  for (const row of items) {
    const texts = new Map(values.textsOf(row))
    lines.push(formatRow([spell(row.id), titleOf(row.text), ...columns.map(({ key }) => texts.get(key) ?? '')]))
    yield
  }
  return lines.join('\n')
}

const formatRow = (cells: readonly string[]): string => `|${cells.map(escapeCell).join('|')}|`

/** A text in which no cell, row or tag ends. */
const escapeCell = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n|\r|\n/g, '<br>')
