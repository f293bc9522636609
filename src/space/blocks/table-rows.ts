/** Keeps tables from losing rows where a link may not delete. */
import type { BlockRow } from '../../../storage/schema.ts'
import { type RowChange, tableSize } from '../../markdown/cells.ts'
import { mayDelete, refuseDeletion } from '../access.ts'
import type { Space } from '../space.ts'

/**
 * Rows have no IDs: a table that was written anew has lost some where it has fewer rows or columns than before. Which
 * words stand in them is no matter, since words may be changed.
 *
 * @throws FORBIDDEN
 */
export function refuseFewerRows({ link }: Space, { id, type, text: before }: BlockRow, after: string): void {
  if (type !== 'table' || before === after || mayDelete(link)) return
  const [had, has] = [tableSize(before), tableSize(after)]
  const rows = Math.max(0, had.rows - has.rows)
  const columns = Math.max(0, had.columns - has.columns)
  const fewer = [counted(rows, 'row'), counted(columns, 'column')].filter((words) => words !== '')
  refuse(link, rows + columns, `${fewer.join(' and ')} fewer in ${id}`)
}

/** @throws FORBIDDEN for changes that remove rows, whatever others add */
export function refuseRemovedRows({ link }: Space, id: string, changes: readonly RowChange[] = []): void {
  const removed = changes.filter(({ remove }) => remove === true).length
  refuse(link, removed, `${counted(removed, 'row')} to remove from ${id}`)
}

const refuse = (link: Space['link'], gone: number, found: string): void =>
  refuseDeletion(link, gone, {
    expected: 'a table that keeps its rows and columns',
    found,
    instead: 'keep them and change what their cells say',
  })

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? noun : `${noun}s`}`
