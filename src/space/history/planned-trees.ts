/**
 * Checks that blocks, folders and documents would be in valid places: in the document of their parent, not below
 * themselves, tasks alone in the inbox and the logbook, and one daily note for each day.
 */
import { documentsByNumbers, latestDailyNote } from '../../../storage/documents.ts'
import { type HistoryRow, rowsByNumbers, rowsReferringTo } from '../../../storage/history.ts'
import { SYSTEM_DOCUMENTS } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import type { PlannedRow } from './planned-row.ts'

/** A planned row whose place would be invalid, and the row that it conflicts with. */
export interface Misplaced {
  key: string
  table: 'block' | 'folder'
  /** The number of the other row. */
  number: number
}

export async function misplacedRows(tx: Transaction, rows: Iterable<PlannedRow>): Promise<Misplaced[]> {
  const planned = [...rows]
  return [
    ...(await misplacedIn(tx, planned, 'block')),
    ...(await misplacedIn(tx, planned, 'folder')),
    ...(await misplacedInSystemDocuments(tx, planned)),
    ...(await takenDays(tx, planned)),
  ]
}

/** Finds blocks directly in the inbox or the logbook that would not be tasks, so that nothing would show them. */
async function misplacedInSystemDocuments(tx: Transaction, rows: readonly PlannedRow[]): Promise<Misplaced[]> {
  const found = rows.filter(({ history: { table, now }, target: { isThere, columns } }) => {
    const isUnchanged = now.isThere && now.columns.list_style === columns.list_style && !isMoved(now.columns, columns)
    return (
      table === 'block' &&
      isThere &&
      !isUnchanged &&
      columns.parent === columns.document &&
      columns.list_style !== 'task'
    )
  })
  const documents = await documentsByNumbers(tx, [
    ...new Set(found.map(({ target }) => target.columns.document as number)),
  ])
  const system = new Set<unknown>(
    documents.flatMap(({ n, location }) => ((SYSTEM_DOCUMENTS as readonly string[]).includes(location) ? n : [])),
  )
  return found
    .filter(({ target }) => system.has(target.columns.document))
    .map(({ key, history }) => ({ key, table: 'block', number: history.number }))
}

/** Finds daily notes that would be restored for days that have another one. */
async function takenDays(tx: Transaction, rows: readonly PlannedRow[]): Promise<Misplaced[]> {
  const found: Misplaced[] = []
  const locations = new Map(
    rows.flatMap(({ history: { table, number }, target }) =>
      table === 'document' ? [[number, target.columns.location] as const] : [],
    ),
  )
  for (const { key, history, target } of rows) {
    const { location, daily_note_date: day } = target.columns
    if (history.table !== 'document' || location !== 'daily_notes' || history.now.columns.location === location)
      continue
    const other = await latestDailyNote(tx, String(day))
    if (other === undefined || (locations.get(other.n) ?? location) !== location) continue
    found.push({ key, table: 'block', number: other.n })
  }
  return found
}

async function misplacedIn(
  tx: Transaction,
  rows: readonly PlannedRow[],
  table: 'block' | 'folder',
): Promise<Misplaced[]> {
  const targets = new Map<number, PlannedRow>()
  for (const row of rows) if (row.history.table === table) targets.set(row.history.number, row)
  const placed = [...targets.values()].filter((row) => row.target.isThere && isPlaced(row))
  if (placed.length === 0) return []
  const found: Misplaced[] = []
  const current = await readAncestors(tx, table, placed, targets)
  const rowOf = (number: number): HistoryRow | undefined => targets.get(number)?.target.columns ?? current.get(number)
  for (const { key, history, target } of placed) {
    const parent = target.columns.parent
    if (typeof parent !== 'number') continue
    const isElsewhere = rowOf(parent)?.document !== target.columns.document
    if (isElsewhere || isBelowItself(history.number, rowOf)) found.push({ key, table, number: parent })
  }
  if (table === 'folder') return found
  const numbers = placed.map(({ history }) => history.number)
  for (const child of await rowsReferringTo(tx, 'block', 'parent', numbers)) {
    const number = child.n as number
    const parent = targets.get(child.parent as number)
    if (targets.has(number) || parent === undefined || parent.target.columns.document === child.document) continue
    found.push({ key: parent.key, table, number })
  }
  return found
}

/** True if the plan restores a row or changes its parent or document. */
const isPlaced = ({ history: { now }, target }: PlannedRow): boolean =>
  !now.isThere || isMoved(now.columns, target.columns)

const isMoved = (before: HistoryRow, after: HistoryRow): boolean =>
  after.parent !== before.parent || after.document !== before.document

/** Reads the ancestors of the planned rows that are not planned themselves, by number. */
async function readAncestors(
  tx: Transaction,
  table: 'block' | 'folder',
  placed: readonly PlannedRow[],
  targets: ReadonlyMap<number, PlannedRow>,
): Promise<ReadonlyMap<number, HistoryRow>> {
  const found = new Map<number, HistoryRow>()
  let next = placed.map(({ target }) => target.columns.parent)
  while (next.length > 0) {
    const numbers = new Set<number>()
    const above: typeof next = []
    const seen = new Set<number>()
    for (const number of next) {
      if (typeof number !== 'number' || found.has(number) || seen.has(number)) continue
      seen.add(number)
      // A planned row is not read. If it keeps its place, its planned parent was not queued yet.
      if (targets.has(number)) above.push(...parentOfUnplaced(targets.get(number)))
      else numbers.add(number)
    }
    for (const row of await rowsByNumbers(tx, table, [...numbers])) {
      found.set(row.n as number, row)
      above.push(row.parent ?? null)
    }
    next = above
  }
  return found
}

/** Rows that change their place are in the initial list already, so their parents are looked up anyway. */
const parentOfUnplaced = (row: PlannedRow | undefined): HistoryRow[string][] =>
  row === undefined || isPlaced(row) ? [] : [row.target.columns.parent ?? null]

function isBelowItself(number: number, rowOf: (number: number) => HistoryRow | undefined): boolean {
  const seen = new Set<number>()
  for (let above = rowOf(number)?.parent; typeof above === 'number'; above = rowOf(above)?.parent) {
    if (above === number) return true
    if (seen.has(above)) return false
    seen.add(above)
  }
  return false
}
