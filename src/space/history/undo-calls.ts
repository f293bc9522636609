/** Undoes calls. The rules are in undo-plan.ts. */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import {
  type CallDocument,
  type Change,
  changesInDocuments,
  changesOfCalls,
  countChanges,
  documentsOfCalls,
  existingNumbers,
} from '../../../storage/history.ts'
import { callsInDocument, countDocumentsOfCalls } from '../../../storage/history-in-document.ts'
import { leasesOfCalls } from '../../../storage/leases.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { invalid } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { UNDO_CHANGES } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { CLAIM_ENDED, recordLeaseEnds, releaseLeases } from '../leases/ending/end-leases.ts'
import { assertUnlocked } from '../model/document-locks.ts'
import type { Space } from '../model/space.ts'
import { NOTHING_UNDONE, type UndoneCall } from '../model/undone-call.ts'
import { blocksInTrashed, findAddedDocuments, trashRows } from './added-documents.ts'
import { applyUndo } from './apply-undo.ts'
import { type CallSelection, selectCalls } from './call-selection.ts'
import { summarizeChanges } from './change-summary.ts'
import { readChangedRows, readRowsChangedIn } from './changed-rows.ts'
import type { CountedChange } from './counted-changes.ts'
import type { Conflict, PlannedRow, UndoPlan } from './planned-row.ts'
import { placeBeside, planUnseen } from './restore-unseen.ts'
import { type RowEvent, type RowHistory, rowKey } from './row-history.ts'
import { conflictError, describeConflicts } from './undo-conflicts.ts'
import { assertUndoDeletesNothing } from './undo-losses.ts'
import { planUndo } from './undo-plan.ts'
import { UndoReach } from './undo-reach.ts'
import { currentDocuments, documentsOf, documentVisibility, ownerBlocks } from './visible-history.ts'

export interface UndoInput extends CallSelection {
  dryRun?: boolean | undefined
  /** True to leave alone what others changed later, false to refuse the whole undo in that case. */
  skipConflicts?: boolean | undefined
}

export interface UndoAnswer {
  /** IDs of the calls that are undone. */
  calls: string[]
  /** A summary of what the undo changes. */
  summary: string
  /** What is left unchanged because it was changed later. */
  conflicts?: string[]
  /** The IDs of the later calls that the first lines of `conflicts` describe. */
  laterCalls?: string[]
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
  const { plan, unseen, undone } = await createPlan(space, calls, input, isOperator)
  const described = await describeConflicts(space, plan.conflicts)
  if (plan.conflicts.length > 0 && !skipConflicts) throw conflictError(described)
  const conflicts = [...described.later, ...described.other]
  const rows = [...plan.rows.values()]
  const documents = await currentDocuments(
    space.tx,
    rows.map(({ history }) => history),
  )
  const changes = rows.map((row) => countPlanned(row, documents.get(row.history)))
  await assertUndoDeletesNothing(space, rows)
  const { text } = await summarizeChanges(space, await visibleChanges(space, changes))
  if (!dryRun) {
    const written = [...rows, ...unseen]
    // Before documents may be gone, and with them what says that they are locked.
    await assertUnlocked(space, changedDocuments(written, documents))
    await applyUndo(space, space.kind === 'full' ? written : await placeBeside(space.tx, written))
    await space.markChanged(...changedDocuments(written, documents))
    space.undoneCalls = conflicts.length > 0 ? [] : undone
    await releaseClaims(space, calls)
    noteFreeRows(space, calls)
    space.blocksCreated += changes.filter(({ verb, table }) => verb === 'restored' && table === 'block').length
    space.forgetDocumentRows()
  }
  return {
    calls: calls.map(({ id }) => space.spellId(id ?? 0)),
    summary: text === '' ? NOTHING_UNDONE : text,
    ...(conflicts.length > 0 && { conflicts }),
    ...(described.laterCalls.length > 0 && { laterCalls: described.laterCalls }),
  }
}

/** A claim that is undone releases the rows that it still holds. */
async function releaseClaims(space: Space, calls: readonly AuditRow[]): Promise<void> {
  const found = await leasesOfCalls(
    space.tx,
    calls.map(({ n }) => n),
    space.leaseTime,
  )
  if (found.length === 0) return
  const rows = await blocksByNumbers(
    space.tx,
    found.map(({ block }) => block),
  )
  const reached = await space.reachableDocuments(rows.map(({ document }) => document))
  const blocks = new Set(rows.flatMap(({ n, document }) => (reached.has(document) ? n : [])))
  const leases = found.filter(({ block }) => blocks.has(block))
  await releaseLeases(space, leases)
  await recordLeaseEnds(space, leases, 'undone')
}

/** Says that no one holds the rows that have the values of a claim again. */
function noteFreeRows(space: Space, calls: readonly AuditRow[]): void {
  if (!calls.some(({ endpoint }) => endpoint === CLAIM_ENDED)) return
  space.notes.add(
    'Leases do not come back: no one holds the rows that have the values of their claims again. Write other values, or claim them.',
  )
}

interface PlannedUndo {
  plan: UndoPlan
  /** Rows that are restored without being mentioned. */
  unseen: PlannedRow[]
  /** The calls that no longer stand. */
  undone: UndoneCall[]
}

async function createPlan(
  space: Space,
  calls: readonly AuditRow[],
  input: UndoInput,
  isOperator: boolean,
): Promise<PlannedUndo> {
  const { tx } = space
  const numbers = new Set(calls.map(({ n }) => n))
  const from = Math.min(...numbers)
  const within = input.documentId === undefined ? undefined : (await space.getDocument(input.documentId)).n
  const ownCalls = new Set(calls.flatMap(({ n, link }) => (link === (space.link.id ?? null) ? n : [])))
  const reach = new UndoReach(space, isOperator, ownCalls)
  const places = await (within === undefined
    ? documentsOfCalls(tx, [...numbers])
    : callsInDocument(tx, [...numbers], within))
  const seenPlaces = isOperator ? places : await visiblePlaces(space, places)
  const part = reach.isNarrow ? { seenPlaces, ownCalls } : undefined
  const all =
    within === undefined
      ? await readChangedRows(tx, await readChanges(space, numbers, part), from)
      : await readChangesWithin(space, within, { numbers, from, own: part === undefined ? [] : [...ownCalls] })
  const seen = await reach.show(all)
  const added = await findAddedDocuments(space, seen, { numbers, from, within, reach })
  const inTrash = blocksInTrashed(seen, added)
  const owners = await ownerBlocks(tx, seen.values())
  const histories = new Map([...seen].filter(([, history]) => !inTrash.has(owners.get(history) ?? 0)))
  const isMeant = (event: RowEvent): boolean =>
    numbers.has(event.call) && (within === undefined || documentsOf(event).includes(within))
  const keepsDocument = ({ table, number }: RowHistory, { before }: RowEvent): boolean =>
    (table === 'block' || table === 'document') && added.kept.has(number) && !before.isThere
  const events = new Set<RowEvent>()
  const fixed: RowHistory[] = []
  for await (const history of iterateCooperatively(histories.values())) {
    // A call that changed a block and moved it into the document, or out of it, changed it once: all of that, or nothing.
    const ofCalls = new Set(history.events.filter(isMeant).map(({ call }) => call))
    const meant = history.events.filter((event) => ofCalls.has(event.call) && !keepsDocument(history, event))
    for (const event of meant) if (!reach.isFixed(history, event)) events.add(event)
    if (meant.some((event) => reach.isFixed(history, event))) fixed.push(history)
  }
  const skipsConflicts = input.skipConflicts ?? false
  const plan = await planUndo(tx, { histories, events, calls: numbers, from, skipsConflicts, reach })
  plan.conflicts.push(...added.conflicts, ...(await fixedConflicts(space, fixed, plan)))
  for (const row of await trashRows(space, added.trashed)) plan.rows.set(row.key, row)
  const unseenChanges = await findUnseen(all, seen, numbers)
  const restorable = unseenChanges.filter(({ history, event }) => history.table !== 'value' || ownCalls.has(event.call))
  const unseen = await planUnseen(tx, restorable, [...plan.rows.values()])
  const restored = new Set(unseen.map(({ firstChange }) => firstChange))
  const left = unseenChanges.filter(({ event }) => !restored.has(event.n))
  const counts = await countDocumentsOfCalls(tx, [...numbers])
  return { plan, unseen, undone: undoneCalls(numbers, { counts, seenPlaces, left }) }
}

async function visiblePlaces(space: Space, places: readonly CallDocument[]): Promise<CallDocument[]> {
  const isVisible = await documentVisibility(
    space,
    places.map(({ document }) => document),
  )
  return places.filter(({ document, call }) => isVisible(document, call))
}

/**
 * Reads what the calls changed. For a connection that reaches only a part of the space, changes in other documents are
 * neither read nor counted, except of values by its own calls.
 *
 * @throws VALIDATION_ERROR for too many changes
 */
async function readChanges(
  { tx }: Space,
  numbers: ReadonlySet<number>,
  part: { seenPlaces: readonly CallDocument[]; ownCalls: ReadonlySet<number> } | undefined,
): Promise<Change[]> {
  const calls = [...numbers]
  if (part === undefined) {
    await assertNotTooMany(tx, calls, undefined)
    return changesOfCalls(tx, calls)
  }
  const documents = [...new Set(part.seenPlaces.map(({ document }) => document))]
  await assertNotTooMany(tx, calls, documents)
  return changesInDocuments(tx, calls, documents, [...part.ownCalls])
}

/**
 * Reads what the calls changed in one document. What they changed in others is neither read nor counted.
 *
 * @param own  calls whose changes of values are included in all documents
 * @throws VALIDATION_ERROR for too many changes
 */
async function readChangesWithin(
  { tx }: Space,
  document: number,
  { numbers, from, own }: { numbers: ReadonlySet<number>; from: number; own: readonly number[] },
): Promise<Map<string, RowHistory>> {
  await assertNotTooMany(tx, [...numbers], [document])
  return readRowsChangedIn(tx, { documents: [document], calls: [...numbers], from, own })
}

async function assertNotTooMany(
  tx: Transaction,
  calls: readonly number[],
  documents: readonly number[] | undefined,
): Promise<void> {
  if ((await countChanges(tx, calls, documents)) <= UNDO_CHANGES) return
  throw invalid(
    `Expected calls that changed at most ${formatNumber(UNDO_CHANGES)} things together, found more; take back fewer of them at once.`,
  )
}

/** A change of one of the calls that the connection does not see. */
interface UnseenChange {
  history: RowHistory
  event: RowEvent
}

async function findUnseen(
  all: ReadonlyMap<string, RowHistory>,
  seen: ReadonlyMap<string, RowHistory>,
  numbers: ReadonlySet<number>,
): Promise<UnseenChange[]> {
  const found: UnseenChange[] = []
  for await (const [key, history] of iterateCooperatively(all)) {
    const shown = new Set(seen.get(key)?.events.map(({ n, call }) => `${n} ${call}`))
    for (const event of history.events)
      if (numbers.has(event.call) && !shown.has(`${event.n} ${event.call}`)) found.push({ history, event })
  }
  return found
}

/** Conflicts of rows with changes that the connection may not undo, unless they go with what they belong to. */
async function fixedConflicts({ tx }: Space, fixed: readonly RowHistory[], { rows }: UndoPlan): Promise<Conflict[]> {
  const owners = await ownerBlocks(tx, fixed)
  const existing = await existingNumbers(tx, 'block', [...owners.values()])
  const willExist = (block: number): boolean =>
    rows.get(rowKey('block', block, null))?.target.isThere ?? existing.has(block)
  return fixed.flatMap((history): Conflict[] => {
    const { table, number } = history
    if (table === 'block') return [{ table, number, calls: [], isHidden: true }]
    return willExist(owners.get(history) ?? 0) ? [{ table, number, calls: [], isHidden: false, leadsOut: true }] : []
  })
}

/** How the calls no longer stand: completely, or as far as the connection sees them and was asked to undo them. */
function undoneCalls(
  numbers: ReadonlySet<number>,
  {
    counts,
    seenPlaces,
    left,
  }: {
    /** How many documents each call changed. */
    counts: ReadonlyMap<number, number>
    /** The documents in which it is undone. */
    seenPlaces: readonly CallDocument[]
    left: readonly UnseenChange[]
  },
): UndoneCall[] {
  const seen = Map.groupBy(seenPlaces, ({ call }) => call)
  const leftOf = Map.groupBy(left, ({ event }) => event.call)
  return [...numbers].map((call): UndoneCall => {
    const [taken, unseen] = [seen.get(call) ?? [], leftOf.get(call) ?? []]
    if (unseen.length === 0 && taken.length === (counts.get(call) ?? 0)) return call
    const participants = unseen.flatMap(({ history: { table, now } }) =>
      table === 'reminder' ? [now.columns.participant as number] : [],
    )
    return {
      call,
      documents: taken.map(({ document }) => document),
      ...(participants.length > 0 && { participants: [...new Set(participants)] }),
    }
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

/** The numbers of the documents that rows are in before or after the undo. */
function changedDocuments(rows: readonly PlannedRow[], documents: ReadonlyMap<RowHistory, number>): number[] {
  const changed = new Set<number>()
  for (const { history, target } of rows) {
    const before = documents.get(history)
    if (before !== undefined) changed.add(before)
    const after = history.table === 'block' ? target.columns.document : undefined
    if (typeof after === 'number') changed.add(after)
  }
  return [...changed]
}
