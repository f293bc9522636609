/** Hides addresses out of reach in the texts of changed rows, as wherever these texts are read. */
import type { HistoryRow } from '../../../storage/history.ts'
import type { TableName } from '../../../storage/history-tables.ts'
import { mapStrings, stringsIn } from '../content/visible-fields.ts'
import { visiblePlainText } from '../model/block-links.ts'
import type { Space } from '../model/space.ts'
import type { ChangedState } from './changed-states.ts'

/** Columns with texts that may have addresses. Those of blocks are read as fields: see row-names.ts. */
const TEXTS: Partial<Record<TableName, { column: string; isJson: boolean }>> = {
  comment: { column: 'content', isJson: false },
  value: { column: 'text', isJson: false },
  element: { column: 'json', isJson: true },
  board_asset: { column: 'json', isJson: true },
  board_state: { column: 'json', isJson: true },
}

/** Returns a function that returns rows of these states as the connection may see them. */
export async function visibleRows(
  space: Space,
  states: readonly ChangedState[],
): Promise<(table: TableName, row: HistoryRow) => HistoryRow> {
  if (space.kind === 'full') return (_, row) => row
  const texts = states.flatMap(({ table, before, after }) =>
    [before, after].flatMap((row) => (row === undefined ? [] : stringsIn(textIn(table, row)))),
  )
  const visible = await visiblePlainText(space, texts)
  const shown = (text: string, key: string) => visible.text(key === 'link' ? visible.address(text) : text)
  return (table, row) => {
    const place = TEXTS[table]
    if (place === undefined) return row
    const value = mapStrings(textIn(table, row), shown) as string | number | null
    return { ...row, [place.column]: place.isJson ? JSON.stringify(value) : value }
  }
}

function textIn(table: TableName, row: HistoryRow): unknown {
  const place = TEXTS[table]
  const value = place === undefined ? null : (row[place.column] ?? null)
  return place?.isJson && typeof value === 'string' ? JSON.parse(value) : value
}
