/**
 * Restores what a call deleted together with a block although the connection does not see it: reminders of other
 * participants, and values that lead out of the connection's reach, or from there to the block. None of this is
 * mentioned, and what cannot be restored any more is left out.
 */
import { existingNumbers, type HistoryRow, rowsByNumbers, rowsReferringTo } from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { PlannedRow } from './planned-row.ts'
import { keyOfRow, type RowEvent, type RowHistory } from './row-history.ts'

/**
 * @param changes  the changes that the connection does not see
 * @param rows  the rows that the undo changes
 * @returns further rows to restore. Their first change is that which deleted them.
 */
export async function planUnseen(
  tx: Transaction,
  changes: readonly { history: RowHistory; event: RowEvent }[],
  rows: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const restored = new Set(
    rows.flatMap(({ history: { table, number, now }, target }) =>
      table === 'block' && target.isThere && !now.isThere ? [number] : [],
    ),
  )
  if (restored.size === 0) return []
  const found: PlannedRow[] = []
  for await (const { history, event } of iterateCooperatively(changes)) {
    const { before, after, n } = event
    if (!WITH_BLOCKS.has(history.table) || !before.isThere || after.isThere) continue
    const { columns } = before
    if (!['block', 'item', 'target'].some((column) => restored.has(columns[column] as number))) continue
    const key = keyOfRow(history.table, columns)
    found.push({ key, history: { ...history, now: { isThere: false, columns } }, target: before, firstChange: n })
  }
  return placeBeside(tx, await withoutTaken(tx, await withReferences(tx, found, rows)))
}

const WITH_BLOCKS: ReadonlySet<TableName> = new Set(['reminder', 'value'])

/** Leaves out rows that would refer to a row that does not exist. */
async function withReferences(
  tx: Transaction,
  found: readonly PlannedRow[],
  rows: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const planned = new Map(
    rows.map(({ history: { table, number }, target }) => [`${table} ${number}`, target.isThere] as const),
  )
  const referred = new Map<TableName, Set<number>>()
  const references = new Map(found.map((row) => [row, referencesOf(row)]))
  for (const [table, number] of [...references.values()].flat())
    referred.set(table, (referred.get(table) ?? new Set<number>()).add(number))
  const existing = new Set<string>()
  for (const [table, numbers] of referred)
    for (const number of await existingNumbers(tx, table, [...numbers])) existing.add(`${table} ${number}`)
  const isThere = ([table, number]: Reference) =>
    planned.get(`${table} ${number}`) ?? existing.has(`${table} ${number}`)
  return found.filter((row) => references.get(row)?.every(isThere))
}

type Reference = readonly [table: TableName, number: number]

const referencesOf = ({ history: { table }, target }: PlannedRow): Reference[] =>
  Object.entries(historyTable(table).references).flatMap(([column, referred]) => {
    const number = target.columns[column]
    return typeof number === 'number' ? [[referred, number] as const] : []
  })

/** Leaves out reminders of blocks that have another one of the same participant, and references that are there. */
async function withoutTaken(tx: Transaction, found: readonly PlannedRow[]): Promise<PlannedRow[]> {
  const columnOf = (table: TableName) => (table === 'reminder' ? 'block' : 'item')
  const taken = new Set<string>()
  for (const [table, some] of Map.groupBy(found, ({ history }) => history.table)) {
    const owners = [...new Set(some.map(({ target }) => target.columns[columnOf(table)] as number))]
    for (const row of await rowsReferringTo(tx, table, columnOf(table), owners)) taken.add(meaningOf(table, row))
  }
  return found.filter(({ history: { table }, target }) => !taken.has(meaningOf(table, target.columns)))
}

const meaningOf = (table: TableName, row: HistoryRow): string =>
  table === 'reminder' ? `reminder ${row.block} ${row.participant}` : `value ${row.item} ${row.property} ${row.target}`

/**
 * Gives values that would have the same place in their item as others the next free one. This happens where a value that
 * the connection does not see took the place.
 */
export async function placeBeside(tx: Transaction, rows: readonly PlannedRow[]): Promise<PlannedRow[]> {
  const added = new Set(
    rows.filter(({ history: { table, now }, target }) => table === 'value' && target.isThere && !now.isThere),
  )
  if (added.size === 0) return [...rows]
  const items = [...new Set([...added].map(({ history }) => history.number))]
  const places = new Map<string, OrdinalsInUse>()
  const placesOf = ({ item, property }: HistoryRow): OrdinalsInUse => {
    const found = places.get(`${item} ${property}`) ?? { used: new Set<unknown>(), next: 0 }
    places.set(`${item} ${property}`, found)
    return found
  }
  const use = (row: HistoryRow): void => {
    const place = placesOf(row)
    place.used.add(row.ordinal)
    place.next = Math.max(place.next, (row.ordinal as number) + 1)
  }
  for (const row of await rowsByNumbers(tx, 'value', items)) use(row)
  return rows.map((row) => {
    const { columns } = row.target
    if (!added.has(row)) return row
    const { used, next } = placesOf(columns)
    const placed = used.has(columns.ordinal) ? { ...columns, ordinal: next } : columns
    use(placed)
    return { ...row, key: keyOfRow('value', placed), target: { isThere: true, columns: placed } }
  })
}

/** The places of the values of one property of an item. */
interface OrdinalsInUse {
  used: Set<unknown>
  /** A free one. */
  next: number
}
