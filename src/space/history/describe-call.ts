/** Describes what a call changed. Runs in the call's own transaction. */
import { documentsOfCalls } from '../../../storage/history.ts'
import type { Comparer } from '../../difference/comparer.ts'
import type { Space } from '../model/space.ts'
import { summarizeCalls } from './change-summary.ts'
import { type ChangedDocuments, compareDocuments, type Difference, readChangedDocuments } from './document-diff.ts'
import { documentVisibility } from './visible-history.ts'

export interface DescribedCall extends Difference {
  /** In words: `"Plan": 3 blocks deleted, 1 changed`. */
  summary: string
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
  return { summary, changed: await readChangedDocuments(space, documents, call - 1, call) }
}

/** Compares the documents of a call. Call it outside of transactions. */
export async function describeCall({ summary, changed }: RecordedCall, comparer: Comparer): Promise<DescribedCall> {
  return { summary, ...(await compareDocuments(changed, comparer)) }
}

/** Summarizes in words what a call changed, within the connection's reach. */
export async function summarizeCall(space: Space, call: number): Promise<string> {
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const isVisible = await documentVisibility(space, documents)
  const summaries = await summarizeCalls(space, [call], isVisible)
  return summaries.get(call)?.text || 'Nothing: all is as before.'
}
