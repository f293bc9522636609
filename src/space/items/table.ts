/** Items as a table of Markdown: a row an item, in few tokens. */
import type { BlockRow } from '../../../storage/schema.ts'
import { plainTitle } from '../../markdown/title.ts'
import type { Collection, Property } from '../collections/find.ts'
import type { ItemValues } from './values.ts'

/** Columns are headed by the keys of the properties, after the ID and the title. */
export function itemsTable(
  { titleKey }: Collection,
  shown: readonly Property[],
  items: readonly BlockRow[],
  values: ItemValues,
): string {
  const head = ['id', titleKey, ...shown.map(({ key }) => key)]
  const rows = items.map((row) => {
    const texts = new Map(values.textsOf(row))
    return [row.id, plainTitle(row.text), ...shown.map(({ key }) => texts.get(key) ?? '')]
  })
  return [head, head.map(() => '-'), ...rows].map(line).join('\n')
}

const line = (cells: readonly string[]): string => `|${cells.map(cell).join('|')}|`

/** A text in which no cell, row or tag ends. */
const cell = (text: string): string =>
  text
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\r\n|\r|\n/g, '<br>')
