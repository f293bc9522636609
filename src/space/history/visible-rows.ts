/** Hides addresses out of reach in the texts of changed rows, as wherever these texts are read. */
import type { HistoryRow } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { mapStrings, stringsIn } from '../content/visible-fields.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import type { ChangedState } from './changed-states.ts'

/** Columns with texts that may have addresses. Those of blocks are read as fields: see row-names.ts. */
const TEXTS: Partial<Record<TableName, Readonly<Record<string, 'text' | 'json'>>>> = {
  comment: { content: 'text' },
  value: { text: 'text' },
  collection: { title_name: 'text' },
  property: { name: 'text' },
  option: { name: 'text' },
  view: { name: 'text', settings: 'json' },
  element: { id: 'text', json: 'json' },
  board_asset: { id: 'text', json: 'json' },
  board_state: { json: 'json' },
}

/** Returns a function that returns rows of these states as the connection may see them. */
export async function visibleRows(
  space: Space,
  states: readonly ChangedState[],
): Promise<(table: TableName, row: HistoryRow) => HistoryRow> {
  if (space.kind === 'full') return (_, row) => row
  const texts = states.flatMap(({ table, before, after }) =>
    [before, after].flatMap((row) => (row === undefined ? [] : stringsIn(textsIn(table, row)))),
  )
  const visible = await visiblePlainText(space, texts)
  const shown = (text: string, key: string) => visible.text(key === 'link' ? visible.address(text) : text)
  return (table, row) => {
    const columns = TEXTS[table]
    if (columns === undefined) return row
    const texts = Object.entries(textsIn(table, row)).map(([column, text]) => {
      const value = mapStrings(text, shown) as string | number | null
      return [column, columns[column] === 'json' ? JSON.stringify(value) : value]
    })
    return { ...row, ...Object.fromEntries(texts) }
  }
}

/** By column. JSON is parsed. */
function textsIn(table: TableName, row: HistoryRow): Record<string, unknown> {
  const columns = Object.entries(TEXTS[table] ?? {})
  return Object.fromEntries(
    columns.map(([column, kind]) => {
      const value = row[column] ?? null
      return [column, kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value]
    }),
  )
}
