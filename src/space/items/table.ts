/** Items as a table of Markdown: a row an item, in few tokens. */
import type { BlockRow } from '../../../storage/schema.ts'
import type { Parts } from '../../breathe.ts'
import type { Collection, Property } from '../collections/find.ts'
import type { ItemValues } from './values.ts'

/** Columns are headed by the keys of the properties, after the ID and the title. */
export function* itemsTable(
  { titleKey }: Collection,
  shown: readonly Property[],
  items: readonly BlockRow[],
  values: ItemValues,
  titleOf: (text: string) => string,
): Parts<string> {
  const head = ['id', titleKey, ...shown.map(({ key }) => key)]
  const lines = [line(head), line(head.map(() => '-'))]
  for (const row of items) {
    const texts = new Map(values.textsOf(row))
    lines.push(line([row.id, titleOf(row.text), ...shown.map(({ key }) => texts.get(key) ?? '')]))
    yield
  }
  return lines.join('\n')
}

const line = (cells: readonly string[]): string => `|${cells.map(cell).join('|')}|`

/** A text in which no cell, row or tag ends. */
const cell = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n|\r|\n/g, '<br>')
