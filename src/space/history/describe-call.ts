/** Describes what a call changed. Runs in the call's own transaction. */
import { documentsOfCalls } from '../../../storage/history.ts'
import type { Comparer } from '../../difference/comparer.ts'
import type { Space } from '../model/space.ts'
import { summarizeCalls } from './change-summary.ts'
import { readChangedStates } from './changed-states.ts'
import { describeRows } from './described-rows.ts'
import { type ChangedDocuments, compareDocuments, readChangedDocuments } from './document-diff.ts'
import { documentVisibility } from './visible-history.ts'

export interface DescribedCall {
  /** A summary: `"Plan": 3 blocks deleted, 1 changed`. */
  summary: string
  /** All of it: see unified-diff.ts. */
  diff: string
  /** A hash of every changed column. */
  changes: string
}

/** The same before its documents are compared, which must wait until the transaction has ended. */
export interface RecordedCall {
  summary: string
  changed: ChangedDocuments
}

/**
 * Records what the last call that was logged changed, within the connection's reach. Must run last, in a transaction
 * that is rolled back: it restores the documents to their earlier state.
 *
 * @param call  its number
 */
export async function recordCall(space: Space, call: number): Promise<RecordedCall> {
  const summary = await summarizeCall(space, call)
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const range = { documents, from: call - 1, to: call, isCall: true, now: space.now }
  return { summary, changed: await readChangedDocuments(space, range) }
}

/** Compares the documents of a call. Call it outside of transactions. */
export async function describeCall({ summary, changed }: RecordedCall, comparer: Comparer): Promise<DescribedCall> {
  return { summary, diff: await compareDocuments(changed, comparer), changes: changed.digest }
}

/** A hash of every column that the last call that was logged changed, within the connection's reach. */
export async function hashChanges(space: Space, call: number): Promise<string> {
  const states = await readChangedStates(space, { from: call - 1, to: call })
  return (await describeRows(space, states, space.now)).digest
}

/** Summarizes what a call changed, within the connection's reach. */
export async function summarizeCall(space: Space, call: number): Promise<string> {
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const isVisible = await documentVisibility(space, documents)
  const summaries = await summarizeCalls(space, [call], isVisible)
  return summaries.get(call)?.text || 'Nothing: all is as before.'
}
