/** Runs the calls of proposals in a transaction that is rolled back, to find out what they would change. */
import { documentRecords } from '../../../storage/documents.ts'
import { changesOfCalls, documentsOfCalls } from '../../../storage/history.ts'
import { releasePromisedIds } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { Comparer } from '../../difference/comparer.ts'
import { type DescribedCall, describeCall, type RecordedCall, recordCall } from '../history/describe-call.ts'
import { endDeletedLeases, endExpiredLeases } from '../leases/ending/end-leases.ts'
import { addAuditEntry } from '../model/audit-log.ts'
import { generateSeededIds } from '../model/ids.ts'
import type { Chance } from '../model/new-ids.ts'
import type { AccessLink, Space } from '../model/space.ts'
import { type PreparedStep, runSteps, type StepResult } from '../model/steps.ts'
import { readReach } from './proposal.ts'

/** What calls would change. */
export interface Rehearsal extends DescribedCall, RehearsedChanges {}

/** The same before documents are compared, which must wait until the transaction has ended. */
export interface RecordedRehearsal extends RecordedCall, RehearsedChanges {}

interface RehearsedChanges {
  /** The IDs that the calls drew. */
  ids: readonly number[]
  /** The numbers of the existing documents that they would change, without those that they would create. */
  documents: readonly number[]
  /** True if the calls would create or delete documents, or change folders. */
  isSpaceWide: boolean
}

/**
 * Compares the documents of a rehearsal. Call it outside of transactions. Each has a limit of its own, whatever else is
 * compared for the request: the same change always reads the same, since a person agrees to how it reads.
 */
export async function describeRehearsal({ changed, ...rehearsal }: RecordedRehearsal): Promise<Rehearsal> {
  return { ...rehearsal, ...(await describeCall({ summary: rehearsal.summary, changed }, new Comparer())) }
}

/**
 * Runs work as a call, and records what it changed. Must be the last step of the transaction: it restores the documents
 * to their earlier state.
 *
 * @param tool  the name in the audit log until the transaction is rolled back
 */
export async function rehearse<T>(
  space: Space,
  tool: string,
  work: (space: Space) => Promise<T>,
): Promise<{ result: T; rehearsal: RecordedRehearsal }> {
  const { chance, ids } = recordIds(space.chance)
  // Addresses of files on this server belong to a link, so the same change would read differently over another one.
  const { files: _, ...link } = space.link
  const inner = space.withLink(link, chance)
  const result = await work(inner)
  const number = await addAuditEntry(inner, tool, [])
  const changed = (await documentsOfCalls(space.tx, [number])).map(({ document }) => document)
  const records = await documentRecords(space.tx, changed)
  const made = new Set(ids)
  const documents = records.filter(({ id }) => !made.has(id)).map(({ n }) => n)
  const changes = await changesOfCalls(space.tx, [number])
  const isSpaceWide = documents.length < changed.length || changes.some(({ table }) => table === 'folder')
  space.blocksCreated += inner.blocksCreated
  space.blocksRead += inner.blocksRead
  return { result, rehearsal: { ...(await recordCall(inner, number)), ids, documents, isSpaceWide } }
}

/** Draws random IDs as before, and records them. */
function recordIds(chance: Chance): { chance: Chance; ids: number[] } {
  const ids: number[] = []
  const generateIds = (count: number): number[] => {
    const drawn = chance.generateIds(count)
    ids.push(...drawn)
    return drawn
  }
  return { chance: { ...chance, generateIds }, ids }
}

/**
 * Returns the IDs that a proposal promised. Once these are used up, draws others that are the same each time: IDs are
 * part of a diff, and a person agrees to what the next run of the same calls will change.
 */
function replayIds(chance: Chance, { id, ids }: ProposalRow): Chance {
  const promised = JSON.parse(ids) as number[]
  let next = 0
  return {
    ...chance,
    generateIds(count) {
      const start = next
      next += count
      // IDs from several draws are not sorted.
      const drawn = promised.slice(start, next).sort((one, other) => one - other)
      return drawn.length === count ? drawn : generateSeededIds(count, `${id} ${start}`)
    },
  }
}

/** The space as the calls of a proposal see it: through the proposal's link, with the IDs that it promised. */
export async function asProposed(space: Space, row: ProposalRow, access: AccessLink['access']): Promise<Space> {
  await releasePromisedIds(space.tx, row.n)
  return space.withLink(readReach(row, access), replayIds(space.chance, row))
}

/** Runs the calls of a proposal in a transaction that is rolled back. */
export async function rehearseProposal(
  space: Space,
  row: ProposalRow,
  steps: readonly PreparedStep[],
  access: AccessLink['access'],
): Promise<RecordedRehearsal> {
  // As before the approval itself.
  await endExpiredLeases(space)
  await endDeletedLeases(
    space,
    steps.flatMap(({ deletes }) => deletes),
  )
  const proposed = await asProposed(space, row, access)
  return (await rehearse(proposed, row.tool, (inner) => runSteps(inner, steps))).rehearsal
}

/** Runs the calls of a waiting proposal, so that a later proposal finds what it would create. */
export async function runEarlierProposal(
  space: Space,
  row: ProposalRow,
  steps: readonly PreparedStep[],
): Promise<StepResult[]> {
  const proposed = await asProposed(space, row, 'propose')
  const results = await runSteps(proposed, steps)
  await addAuditEntry(proposed, row.tool, [])
  return results
}
