/**
 * Finds out which calls were undone.
 *
 * An undo takes back what its connection sees, in the documents that it was asked for. For connections that see no more
 * of a call, the call no longer stands then, and for all others it does. So whether a call did anything out of reach
 * makes no difference to its answers.
 */
import { auditRowsByNumbers, undoingCalls } from '../../../storage/audit-log.ts'
import { documentsOfCalls } from '../../../storage/history.ts'
import type { AuditRow } from '../../../storage/schema.ts'
import type { Space } from '../model/space.ts'
import type { UndoneCall } from '../model/undone-call.ts'
import { documentVisibility } from './visible-history.ts'

/** Maps undone calls after the number `from` to the calls that undid them. Leaves out undos that were undone. */
export async function undoneBy(space: Space, from: number): Promise<Map<number, number>> {
  const undoing = (await undoingCalls(space.tx, from)).map(({ n, undoes }) => ({ n, undone: parseUndone(undoes) }))
  const counts = await findStanding(space, undoing)
  const found = new Map<number, number>()
  // Last to first, because an undo that was undone itself does not count.
  for (const { n, undone } of undoing.toReversed()) {
    if (found.has(n)) continue
    for (const one of undone) if (counts(n, one) && !found.has(callOf(one))) found.set(callOf(one), n)
  }
  return found
}

/** The numbers of the calls that each of these calls undid, as far as the connection sees them. */
export async function callsUndoneBy(space: Space, rows: readonly AuditRow[]): Promise<Map<number, number[]>> {
  const undoing = rows.flatMap(({ n, undoes }) => (undoes === null ? [] : [{ n, undone: parseUndone(undoes) }]))
  const counts = await findStanding(space, undoing)
  return new Map(undoing.map(({ n, undone }) => [n, undone.filter((one) => counts(n, one)).map(callOf)]))
}

const parseUndone = (undoes: string): UndoneCall[] => JSON.parse(undoes) as UndoneCall[]
const callOf = (one: UndoneCall): number => (typeof one === 'number' ? one : one.call)

interface UndoingCall {
  n: number
  undone: readonly UndoneCall[]
}

/** Returns a function that is true if an undone call no longer stands for the connection. */
async function findStanding(
  space: Space,
  undoing: readonly UndoingCall[],
): Promise<(by: number, undone: UndoneCall) => boolean> {
  if (space.kind === 'full') return (_, undone) => typeof undone === 'number'
  const calls = undoing.flatMap(({ n, undone }) => [n, ...undone.map(callOf)])
  if (calls.length === 0) return () => false
  const places = await documentsOfCalls(space.tx, [...new Set(calls)])
  const isVisible = await documentVisibility(
    space,
    places.map(({ document }) => document),
  )
  const seen = Map.groupBy(
    places.filter(({ document, call }) => isVisible(document, call)),
    ({ call }) => call,
  )
  const own = await ownCalls(space, undoing)
  const participant = await space.findOwnParticipant()
  return (by, undone) => {
    if (!seen.has(by) && !own.has(by)) return false
    if (typeof undone === 'number') return true
    const { call, documents, participants = [] } = undone
    if (participant !== undefined && participants.includes(participant)) return false
    return (seen.get(call) ?? []).every(({ document }) => documents.includes(document))
  }
}

/** Those of these calls that the connection's own link made, even if it sees nothing that they changed. */
async function ownCalls({ tx, link }: Space, undoing: readonly UndoingCall[]): Promise<ReadonlySet<number>> {
  const rows = await auditRowsByNumbers(
    tx,
    undoing.map(({ n }) => n),
  )
  return new Set(rows.filter((row) => row.link === (link.id ?? null)).map(({ n }) => n))
}
