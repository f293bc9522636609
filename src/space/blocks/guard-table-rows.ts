/** Protects the rows of tables from access links that may not delete. */
import type { BlockRow } from '../../../storage/schema.ts'
import { type TableRowChange, tableSize } from '../../markdown/table-cells.ts'
import { assertDeletionAllowed, canDelete } from '../model/access.ts'
import type { AnyId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

/**
 * Rows have no IDs, so a rewritten table has lost rows if it has fewer rows or columns than before. The text of the
 * cells is ignored, since changing it is allowed.
 *
 * @throws FORBIDDEN
 */
export function assertNoRowsLost({ link }: Space, { id, type, text: before }: BlockRow, after: string): void {
  if (type !== 'table' || before === after || canDelete(link)) return
  const { rows, columns } = countLostRows(before, after)
  const fewer = [countPhrase(rows, 'row'), countPhrase(columns, 'column')].filter((phrase) => phrase !== '')
  assertTableKept(link, rows + columns, `${fewer.join(' and ')} fewer in ${id}`)
}

/** How many rows and columns fewer a table has after a change. Negative numbers, for more of them, count as 0. */
export function countLostRows(before: string, after: string): { rows: number; columns: number } {
  const [sizeBefore, sizeAfter] = [tableSize(before), tableSize(after)]
  return {
    rows: Math.max(0, sizeBefore.rows - sizeAfter.rows),
    columns: Math.max(0, sizeBefore.columns - sizeAfter.columns),
  }
}

/** @throws FORBIDDEN if the changes remove rows, even if they add as many */
export function assertNoRowsRemoved({ link }: Space, id: AnyId, changes: readonly TableRowChange[] = []): void {
  const removed = changes.filter(({ remove }) => remove === true).length
  assertTableKept(link, removed, `${countPhrase(removed, 'row')} to remove from ${id}`)
}

const assertTableKept = (link: Space['link'], deletedCount: number, found: string): void =>
  assertDeletionAllowed(link, deletedCount, {
    expected: 'a table that keeps its rows and columns',
    found,
    instead: 'keep them and change what their cells say',
  })

const countPhrase = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? noun : `${noun}s`}`
