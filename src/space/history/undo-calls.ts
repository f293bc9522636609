/** Undoes calls. The rules are in undo-plan.ts. */
import { auditRowsByNumbers, undoingCalls } from '../../../storage/audit-log.ts'
import {
  callsOnDocuments,
  changesOfCalls,
  countChanges,
  documentsOfCalls,
  rowsByNumbers,
} from '../../../storage/history.ts'
import { type AuditRow, SYSTEM_DOCUMENTS } from '../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { UNDO_CHANGES } from '../../base/limits.ts'
import type { Space } from '../model/space.ts'
import { undoneBy } from '../model/undone-calls.ts'
import { applyUndo } from './apply-undo.ts'
import { callLine } from './call-line.ts'
import { type CallSelection, selectCalls, visibleCalls } from './call-selection.ts'
import { summarizeCalls, summarizeChanges } from './change-summary.ts'
import { readChangedRows } from './changed-rows.ts'
import type { CountedChange } from './counted-changes.ts'
import type { PlannedRow } from './planned-row.ts'
import { keyOfRow, type RowEvent, type RowHistory } from './row-history.ts'
import { assertUndoDeletesNothing } from './undo-losses.ts'
import { type Conflict, planUndo, type UndoPlan } from './undo-plan.ts'
import { currentDocuments, documentsOf, documentVisibility, eventVisibility, ownerBlocks } from './visible-history.ts'

export interface UndoInput extends CallSelection {
  dryRun?: boolean | undefined
  /** True to leave alone what others changed later, false to refuse the whole undo in that case. */
  skipConflicts?: boolean | undefined
}

export interface UndoAnswer {
  /** IDs of the calls that are undone. */
  calls: string[]
  /** What the undo changes, in words. */
  summary: string
  /** What is left unchanged because it was changed later. */
  conflicts?: string[]
}

/** @throws CONFLICT that names the later calls; NOT_FOUND_ERROR; VALIDATION_ERROR; FORBIDDEN */
export async function undoCalls(space: Space, input: UndoInput, isOperator: boolean): Promise<UndoAnswer> {
  const { skipConflicts = false, dryRun = false } = input
  const calls = await selectCalls(space, input, isOperator)
  if (calls.length === 0) {
    throw invalid(
      'Expected calls to take back, found none that still stand; read them with history_list, and name their IDs, a connection, a link or a participant.',
    )
  }
  const { plan, partlyUndone } = await createPlan(space, calls, input, isOperator)
  const conflicts = await describeConflicts(space, plan.conflicts)
  if (conflicts.length > 0 && !skipConflicts) throw conflict(conflicts)
  const rows = [...plan.rows.values()]
  const documents = await currentDocuments(
    space.tx,
    rows.map(({ history }) => history),
  )
  const changes = rows.map((row) => countPlanned(row, documents.get(row.history)))
  await assertUndoDeletesNothing(space, rows)
  const { text } = await summarizeChanges(space, await visibleChanges(space, changes))
  if (!dryRun) {
    await applyUndo(space, rows)
    await markChanged(space, rows, documents)
    const undone = plan.conflicts.length > 0 ? [] : await wholeCalls(space, calls, input)
    space.undoneCalls = undone.filter((n) => !partlyUndone.has(n))
    space.blocksCreated += changes.filter(({ verb, table }) => verb === 'restored' && table === 'block').length
    space.forgetDocumentRows()
  }
  return {
    calls: calls.map(({ id }) => space.spellId(id ?? 0)),
    summary: text === '' ? 'Nothing: all is as it was before.' : text,
    ...(conflicts.length > 0 && { conflicts }),
  }
}

/** The numbers of the calls that are undone completely, so that they no longer stand. */
async function wholeCalls(space: Space, calls: readonly AuditRow[], { documentId }: UndoInput): Promise<number[]> {
  const numbers = calls.map(({ n }) => n)
  if (documentId === undefined) return numbers
  const { n: document } = await space.getDocument(documentId)
  const elsewhere = new Set<number>()
  for (const place of await documentsOfCalls(space.tx, numbers))
    if (place.document !== document) elsewhere.add(place.call)
  return numbers.filter((n) => !elsewhere.has(n))
}

const conflict = (lines: readonly string[]): ScriptoriumError =>
  new ScriptoriumError(
    'CONFLICT',
    `Expected what these calls changed to be as they left it, found it changed later: ${lines.join('; ')}. Nothing was written; name those calls as well, or pass skipConflicts to leave these places as they are.`,
  )

async function createPlan(
  space: Space,
  calls: readonly AuditRow[],
  input: UndoInput,
  isOperator: boolean,
): Promise<{ plan: UndoPlan; partlyUndone: ReadonlySet<number> }> {
  const { tx } = space
  const numbers = new Set(calls.map(({ n }) => n))
  if ((await countChanges(tx, [...numbers])) > UNDO_CHANGES) {
    throw invalid(
      `Expected calls that changed at most ${UNDO_CHANGES} things together, found more; take back fewer of them at once.`,
    )
  }
  const from = Math.min(...numbers)
  const histories = await readChangedRows(tx, await changesOfCalls(tx, [...numbers]), from)
  const ownCalls = new Set(calls.flatMap(({ n, link }) => (link === (space.link.id ?? null) ? n : [])))
  const isVisible = await eventVisibility(space, histories.values(), { ownCalls, isOperator })
  const within = input.documentId === undefined ? undefined : (await space.getDocument(input.documentId)).n
  const added = await addedDocuments(space, histories, { numbers, from, within })
  const skipsConflicts = input.skipConflicts ?? false
  // What the connection may not undo stays. The call then still stands, so that a connection that may undo the rest
  // can.
  const partlyUndone = new Set<number>()
  for (const { events } of histories.values())
    for (const event of events) if (numbers.has(event.call) && !isVisible(event)) partlyUndone.add(event.call)
  const isUndone = (event: RowEvent): boolean => {
    if (!numbers.has(event.call) || !isVisible(event)) return false
    return within === undefined || documentsOf(event).includes(within)
  }
  const left = leftBlocks(histories, added)
  const owners = await ownerBlocks(tx, histories.values())
  const isLeft = (history: RowHistory): boolean =>
    left.has(owners.get(history) ?? 0) || (history.table === 'block' && added.kept.has(history.number))
  const undone = new Map([...histories].filter(([, history]) => !isLeft(history)))
  const plan = await planUndo(tx, { histories: undone, isUndone, calls: numbers, from, skipsConflicts })
  plan.conflicts.push(...added.conflicts)
  for (const row of await trashRows(space, added.trashed)) plan.rows.set(row.key, row)
  return { plan, partlyUndone }
}

/** Blocks that are left unchanged with all that belongs to them, because their document is moved to the trash. */
function leftBlocks(histories: ReadonlyMap<string, RowHistory>, { trashed }: AddedDocuments): ReadonlySet<number> {
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

/** Documents that the calls added. */
interface AddedDocuments {
  /** Documents that are moved to the trash with all their content. */
  trashed: ReadonlySet<number>
  /** Documents that stay: others have written to them since, they are system documents, or they are out of reach. */
  kept: ReadonlySet<number>
  conflicts: Conflict[]
}

async function addedDocuments(
  space: Space,
  histories: ReadonlyMap<string, RowHistory>,
  { numbers, from, within }: { numbers: ReadonlySet<number>; from: number; within: number | undefined },
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
  const isVisible = await documentVisibility(space, found)
  const undone = await undoneBy(space, from)
  const undoing = await undoingCalls(tx, from)
  const taken = new Set([...undone.keys(), ...undoing.map(({ n }) => n)])
  const laterCalls = Map.groupBy(await callsOnDocuments(tx, found, from - 1), ({ document }) => document)
  const trashed = new Set<number>()
  const kept = new Set<number>()
  const conflicts: Conflict[] = []
  for (const { n, location } of (await space.documentRows(found)).values()) {
    const others = (laterCalls.get(n) ?? []).filter(({ call }) => !numbers.has(call) && !taken.has(call))
    if ((SYSTEM_DOCUMENTS as readonly string[]).includes(location) || !isVisible(n, Infinity)) kept.add(n)
    else if (others.length === 0) trashed.add(n)
    else {
      kept.add(n)
      conflicts.push({ table: 'document', number: n, calls: others.map(({ call }) => call) })
    }
  }
  return { trashed, kept, conflicts }
}

async function trashRows({ tx, now }: Space, documents: ReadonlySet<number>): Promise<PlannedRow[]> {
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

/** Describes a planned row as a change, to count it in the summary. */
function countPlanned({ history, target }: PlannedRow, document: number | undefined): CountedChange {
  const { table, number, now } = history
  const last = history.events.at(-1)?.document ?? (target.columns.document as number | undefined)
  const at = {
    ...{ table, row: number, document: document ?? last ?? null },
    ...(table === 'reminder' && { participant: target.columns.participant as number }),
  }
  if (!target.isThere) return { ...at, verb: 'deleted' }
  if (!now.isThere) return { ...at, verb: 'restored' }
  if (table === 'document' && target.columns.location !== now.columns.location) {
    if (target.columns.location === 'trash') return { ...at, verb: 'moved to the trash' }
    return { ...at, verb: now.columns.location === 'trash' ? 'restored from the trash' : 'moved' }
  }
  const isMoved = (table === 'block' || table === 'folder') && target.columns.parent !== now.columns.parent
  return { ...at, verb: isMoved ? 'moved' : 'changed' }
}

/** Returns the changes that are within the connection's reach. */
async function visibleChanges(space: Space, changes: readonly CountedChange[]): Promise<CountedChange[]> {
  const reached = await space.reachableDocuments(changes.flatMap(({ document }) => document ?? []))
  return changes.filter(({ document }) => (document === null ? space.kind === 'full' : reached.has(document)))
}

async function markChanged(
  space: Space,
  rows: readonly PlannedRow[],
  documents: ReadonlyMap<RowHistory, number>,
): Promise<void> {
  const changed = new Set<number>()
  for (const { history, target } of rows) {
    const before = documents.get(history)
    if (before !== undefined) changed.add(before)
    const after = history.table === 'block' ? target.columns.document : undefined
    if (typeof after === 'number') changed.add(after)
  }
  await space.markChanged(...changed)
}

/** One line for each later call that conflicts: its ID, author, time, tool and summary. */
async function describeConflicts(space: Space, conflicts: readonly Conflict[]): Promise<string[]> {
  if (conflicts.length === 0) return []
  const { tx } = space
  const rows = await auditRowsByNumbers(tx, [...new Set(conflicts.flatMap(({ calls }) => calls))])
  const visible = await visibleCalls(space, rows)
  const documents = await documentsOfCalls(
    tx,
    visible.map(({ n }) => n),
  )
  const isVisible = await documentVisibility(
    space,
    documents.map(({ document }) => document),
  )
  const summaries = await summarizeCalls(
    space,
    visible.map(({ n }) => n),
    isVisible,
  )
  const lines = visible.slice(0, CONFLICTS_SHOWN).map(({ n, id, at, author, client, approvedBy, endpoint }) =>
    callLine({
      callId: space.spellId(id ?? 0),
      at: new Date(at).toISOString(),
      author,
      client: client ?? undefined,
      approvedBy: approvedBy ?? undefined,
      tool: endpoint,
      summary: summaries.get(n)?.text ?? '',
    }),
  )
  if (visible.length > lines.length) lines.push(`and ${visible.length - lines.length} more calls`)
  const isHidden = visible.length < rows.length || conflicts.some(({ calls }) => calls.length === 0)
  if (isHidden)
    lines.push(space.kind === 'full' ? CHANGED_LATER : `${CHANGED_LATER}, outside of this connection's reach`)
  return lines
}

const CHANGED_LATER = 'changed later'
/** The maximum number of later calls that a message lists. */
const CONFLICTS_SHOWN = 20
