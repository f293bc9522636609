/** Carries out an undo plan: restores, changes and deletes rows, and updates what depends on them. */
import { markListingChanged } from '../../../storage/changes.ts'
import { deleteRows, type HistoryRow, insertRows, putRows } from '../../../storage/history.ts'
import { TABLE_NAMES, type TableName } from '../../../storage/history-tables.ts'
import { chunks } from '../../base/scheduling.ts'
import type { Space } from '../model/space.ts'
import type { PlannedRow } from './planned-row.ts'
import { type ReturningBlock, restorePlaces } from './restore-places.ts'

/** Rows written in one step, which takes some milliseconds. */
const ROWS_PER_STEP = 200

export async function applyUndo(space: Space, rows: readonly PlannedRow[]): Promise<void> {
  const { tx } = space
  await tx.deferReferences()
  const blocks = rows.filter(({ history }) => history.table === 'block')
  const leaving = blocks.filter(({ history, target }) => leavesDocument(history.now, target))
  await tx.words.noteRemoved(leaving.map(({ history }) => history.number))
  for (const table of TABLE_NAMES) {
    const ofTable = rows.filter(({ history }) => history.table === table)
    const [removed, added, changed]: HistoryRow[][] = [[], [], []]
    for (const { history, target } of ofTable) {
      if (!target.isThere) removed?.push(history.now.columns)
      else if (history.now.isThere) changed?.push(target.columns)
      else added?.push(target.columns)
    }
    await write(removed, (part) => deleteRows(tx, table, part))
    await write(added, (part) => insertRows(tx, table, part))
    await write(changed, (part) => putRows(tx, table, part))
  }
  const moved = blocks.filter(isReturning)
  await restorePlaces(tx, moved.sort((one, other) => other.firstChange - one.firstChange).map(returningBlock))
  await noteIndexedText(space, rows)
  await markListingChanged(tx)
}

async function write(
  rows: readonly HistoryRow[] | undefined,
  run: (part: readonly HistoryRow[]) => Promise<void>,
): Promise<void> {
  for await (const part of chunks(rows ?? [], ROWS_PER_STEP)) await run(part)
}

/** True if a block is deleted or moved to another document, so that it must leave the word index where it was. */
const leavesDocument = (now: PlannedRow['target'], target: PlannedRow['target']): boolean =>
  now.isThere && (!target.isThere || target.columns.document !== now.columns.document)

/** True if a block needs its place among siblings restored. */
function isReturning({ history: { now }, target }: PlannedRow): boolean {
  if (!target.isThere || target.columns.parent === null) return false
  return !now.isThere || ['document', 'parent', 'position'].some((one) => now.columns[one] !== target.columns[one])
}

function returningBlock({ history, target: { columns } }: PlannedRow): ReturningBlock {
  const number = (column: string) => columns[column] as number
  return {
    n: history.number,
    document: number('document'),
    parent: number('parent'),
    position: number('position'),
    previous: (columns.previous ?? null) as number | null,
    previousPosition: (columns.previousPosition ?? null) as number | null,
  }
}

/** For each table, the column with the block whose indexed text includes the row. */
const BLOCK_OF_WORDS: Partial<Record<TableName, string>> = {
  block: 'n',
  value: 'item',
  comment: 'block',
  element: 'board',
  board_state: 'board',
}

async function noteIndexedText({ tx }: Space, rows: readonly PlannedRow[]): Promise<void> {
  const gone = new Set<unknown>()
  const changed = new Set<number>()
  const options: number[] = []
  for (const { history, target } of rows) {
    const { table, number } = history
    const column = BLOCK_OF_WORDS[table]
    if (table === 'block' && !target.isThere) gone.add(number)
    else if (column !== undefined) changed.add(target.columns[column] as number)
    if (table === 'option') options.push(number)
  }
  tx.words.noteChanged([...changed].filter((n) => !gone.has(n)))
  if (options.length > 0) await tx.words.noteItemsWithValues('option', options)
}
