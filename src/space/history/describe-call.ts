/** Describes what a call changed. Runs in the call's own transaction. */
import { documentsOfCalls } from '../../../storage/history.ts'
import type { Space } from '../model/space.ts'
import { summarizeCalls } from './change-summary.ts'
import { diffDocuments } from './document-diff.ts'
import { documentVisibility } from './visible-history.ts'

export interface DescribedCall {
  /** In words: `"Plan": 3 blocks deleted, 1 changed`. */
  summary: string
  /** A unified diff of the Markdown of the documents. */
  diff: string
}

/**
 * Describes the last call that was logged, within the connection's reach. Must run last, in a transaction that is
 * rolled back: to compare, it restores the documents to their earlier state.
 *
 * @param call  its number
 */
export async function describeCall(space: Space, call: number): Promise<DescribedCall> {
  const summary = await summarizeCall(space, call)
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  return { summary, diff: await diffDocuments(space, documents, call - 1, call) }
}

/** Summarizes in words what a call changed, within the connection's reach. */
export async function summarizeCall(space: Space, call: number): Promise<string> {
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const isVisible = await documentVisibility(space, documents)
  const summaries = await summarizeCalls(space, [call], isVisible)
  return summaries.get(call)?.text || 'Nothing: all is as before.'
}
