/** What undo does with documents that the calls added: moves them to the trash, or removes what was added to them. */
import { undoingCalls } from '../../../storage/audit-log.ts'
import { callsOnDocuments, rowsByNumbers } from '../../../storage/history.ts'
import { SYSTEM_DOCUMENTS } from '../../../storage/schema.ts'
import type { Space } from '../model/space.ts'
import type { Conflict, PlannedRow } from './planned-row.ts'
import { keyOfRow, type RowHistory } from './row-history.ts'
import type { UndoReach } from './undo-reach.ts'
import { undoneBy } from './undone-calls.ts'
import { documentsOf } from './visible-history.ts'

/** Documents that the calls added. */
export interface AddedDocuments {
  /** Documents that are moved to the trash with all their content. */
  trashed: ReadonlySet<number>
  /**
   * Documents that stay: others have written to them since, they are system documents, or the connection has no tool
   * that deletes documents.
   */
  kept: ReadonlySet<number>
  conflicts: Conflict[]
}

/** @param within  the number of the only document to undo in, if any */
export async function findAddedDocuments(
  space: Space,
  histories: ReadonlyMap<string, RowHistory>,
  {
    numbers,
    from,
    within,
    reach,
  }: { numbers: ReadonlySet<number>; from: number; within: number | undefined; reach: UndoReach },
): Promise<AddedDocuments> {
  const { tx } = space
  const roots = [...histories.values()].filter(
    ({ table, number, now, events }) =>
      table === 'block' &&
      now.isThere &&
      now.columns.document === number &&
      events.some(({ call, before }) => numbers.has(call) && !before.isThere) &&
      (within === undefined || number === within),
  )
  const found = roots.map(({ number }) => number)
  if (found.length === 0) return { trashed: new Set(), kept: new Set(), conflicts: [] }
  if (reach.isNarrow) return { trashed: new Set(), kept: new Set(found), conflicts: [] }
  const undone = await undoneBy(space, from)
  const undoing = await undoingCalls(tx, from)
  const taken = new Set([...undone.keys(), ...undoing.map(({ n }) => n)])
  const laterCalls = Map.groupBy(await callsOnDocuments(tx, found, from - 1), ({ document }) => document)
  const trashed = new Set<number>()
  const kept = new Set<number>()
  const conflicts: Conflict[] = []
  for (const { n, location } of (await space.documentRows(found)).values()) {
    const others = (laterCalls.get(n) ?? []).filter(({ call }) => !numbers.has(call) && !taken.has(call))
    if ((SYSTEM_DOCUMENTS as readonly string[]).includes(location)) kept.add(n)
    else if (others.length === 0) trashed.add(n)
    else {
      kept.add(n)
      conflicts.push({ table: 'document', number: n, calls: others.map(({ call }) => call), isHidden: false })
    }
  }
  return { trashed, kept, conflicts }
}

/** Blocks that are left unchanged with all that belongs to them, because their document is moved to the trash. */
export function blocksInTrashed(
  histories: ReadonlyMap<string, RowHistory>,
  { trashed }: AddedDocuments,
): ReadonlySet<number> {
  const parents = new Map<number, unknown>()
  for (const { table, number, now, events } of histories.values()) {
    if (table === 'block' && events.flatMap(documentsOf).every((document) => trashed.has(document)))
      parents.set(number, now.isThere ? now.columns.parent : null)
  }
  const left = new Set<number>()
  for (const number of parents.keys()) {
    // Blocks inside a block that moves back to where it was move with it.
    const path: number[] = []
    let above: unknown = number
    while (typeof above === 'number' && parents.has(above) && !left.has(above)) {
      path.push(above)
      above = parents.get(above)
    }
    if (above === null || left.has(above as number)) for (const one of path) left.add(one)
  }
  return left
}

/** The rows that move documents to the trash. */
export async function trashRows({ tx, now }: Space, documents: ReadonlySet<number>): Promise<PlannedRow[]> {
  const rows = await rowsByNumbers(tx, 'document', [...documents])
  return rows
    .filter(({ location }) => location !== 'trash')
    .map((columns) => {
      const history: RowHistory = {
        table: 'document',
        number: columns.n as number,
        now: { isThere: true, columns },
        events: [],
      }
      const target = { isThere: true, columns: { ...columns, location: 'trash', folder: null, trashed_at: now } }
      return { key: keyOfRow('document', columns), history, target, firstChange: 0 }
    })
}
