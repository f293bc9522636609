/** Checks what tasks wait for in an undo plan: no task may wait for itself. */
import { blocksByIds } from '../../../storage/blocks.ts'
import type { HistoryRow } from '../../../storage/history.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { blockedByOf } from '../blocks/task-blockers.ts'
import { itemsInCycles } from '../model/dependencies.ts'
import { readLater, type TieConflict } from './later-events.ts'
import { conflictOf, type PlannedRow, type UndoneEvents, type UndoPlan } from './planned-row.ts'

const idsOf = ({ attributes }: HistoryRow): readonly number[] =>
  blockedByOf({ attributes: typeof attributes === 'string' ? attributes : null })

/** Finds tasks that would wait for themselves. */
export async function closingBlockers(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const planned = new Map<number, PlannedRow>()
  for (const row of plan.rows.values()) {
    if (row.history.table === 'block') planned.set(Number(row.target.columns.id ?? row.history.now.columns.id), row)
  }
  const adding = [...planned.values()].filter(
    ({ target, history }) =>
      target.isThere &&
      idsOf(target.columns).some((id) => !history.now.isThere || !idsOf(history.now.columns).includes(id)),
  )
  if (adding.length === 0) return []
  const graph = new Map<number, readonly number[]>()
  for (let level = adding.map(({ target }) => Number(target.columns.id)); level.length > 0; ) {
    const stored = new Map((await blocksByIds(tx, level)).map((row) => [row.id, row]))
    for (const id of level) {
      const { target } = planned.get(id) ?? {}
      const row = stored.get(id)
      if (target !== undefined) graph.set(id, target.isThere ? idsOf(target.columns) : [])
      else graph.set(id, row === undefined ? [] : blockedByOf(row))
    }
    level = [...new Set(level.flatMap((id) => graph.get(id) ?? []))].filter((id) => !graph.has(id))
  }
  const cycles = itemsInCycles(graph)
  const closing = adding.filter(({ target }) => cycles.has(Number(target.columns.id)))
  if (closing.length === 0) return []
  const rows = await blocksByIds(tx, [...cycles.keys()].slice(0, TASKS_READ))
  const numbers = rows.map(({ n }) => n)
  const later = await readLater(tx, 'block', numbers, options)
  const events = numbers
    .flatMap((n) => later.ofNumber(n))
    .filter(({ before, after }) => String(idsOf(before.columns)) !== String(idsOf(after.columns)))
  return closing.map(({ key, history }) => ({
    key,
    conflict: conflictOf({ table: 'block', number: history.number }, events, options.calls),
  }))
}

/** How many tasks of cycles are read to name the calls that changed what they wait for. */
const TASKS_READ = 100
