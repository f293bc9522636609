/** Runs the calls of proposals in a transaction that is rolled back, to find out what they would change. */
import { documentRecords } from '../../../storage/documents.ts'
import { changesOfCalls, documentsOfCalls } from '../../../storage/history.ts'
import { releasePromisedIds } from '../../../storage/proposals.ts'
import type { ProposalRow } from '../../../storage/schema.ts'
import { Comparer } from '../../difference/comparer.ts'
import { findAnsweredComment, resolveThread } from '../comments/answered-comment.ts'
import { type DescribedCall, describeCall, type RecordedCall, recordCall } from '../history/describe-call.ts'
import { endDeletedLeases, endExpiredLeases } from '../leases/ending/end-leases.ts'
import { addAuditEntry, logCall } from '../model/audit-log.ts'
import { shortIds } from '../model/ids.ts'
import type { Chance } from '../model/new-ids.ts'
import type { AccessLink, Space } from '../model/space.ts'
import { EDITED, readParts } from './parts/part.ts'
import { type Chosen, type PreparedPart, PromisedIds, runParts, stepsIn } from './parts/run-parts.ts'
import { readReach } from './proposal.ts'

/** What calls would change. */
export interface Rehearsal extends DescribedCall, RehearsedChanges {}

/** The same before documents are compared, which must wait until the transaction has ended. */
export interface RecordedRehearsal extends RecordedCall, RehearsedChanges {}

interface RehearsedChanges {
  /** The IDs that the calls drew. */
  ids: readonly number[]
  /** Those of documents that they made to put something there. */
  places: readonly number[]
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
  const { chance, ids, places } = recordIds(space.chance)
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
  return { result, rehearsal: { ...(await recordCall(inner, number)), ids, places, documents, isSpaceWide } }
}

/** Draws random IDs as before, and records them. */
function recordIds(chance: Chance): { chance: Chance; ids: number[]; places: number[] } {
  const [ids, places]: [number[], number[]] = [[], []]
  const generateIds = (count: number): number[] => {
    const drawn = chance.generateIds(count)
    ids.push(...drawn)
    return drawn
  }
  const generatePlaceIds = (count: number): number[] => {
    const drawn = chance.generatePlaceIds?.(count) ?? chance.generateIds(count)
    ids.push(...drawn)
    places.push(...drawn)
    return drawn
  }
  return { chance: { ...chance, generateIds, generatePlaceIds }, ids, places }
}

/**
 * The space as parts of a proposal see it: through the link of the proposal, with the IDs that they promised.
 *
 * @param access  of the link that approves
 */
async function asProposed(
  space: Space,
  row: ProposalRow,
  parts: readonly PreparedPart[],
  access: AccessLink['access'],
): Promise<{ proposed: Space; ids: PromisedIds }> {
  await releasePromisedIds(
    space.tx,
    row.n,
    parts.flatMap(({ part }) => part.ids),
  )
  const ids = new PromisedIds(space.chance)
  return { proposed: space.withLink(readReach(row, access), ids.chance), ids }
}

/** Runs parts of a proposal as one call, and logs it. */
export async function runProposal(
  space: Space,
  row: ProposalRow,
  parts: readonly PreparedPart[],
  access: AccessLink['access'],
  approvedBy: string | null = null,
): Promise<{ proposed: Space; call: number; chosen: Chosen }> {
  const { proposed, ids } = await asProposed(space, row, parts, access)
  const { results, chosen } = await runAnswering(proposed, row, parts, ids)
  const written = shortIds(results.flatMap((result) => result.ids))
  const { n: call } = await logCall(proposed, row.tool, written, {
    approvedBy,
    ...(approvedBy !== null && { approves: row }),
  })
  return { proposed, call, chosen }
}

/** True if the connection reaches all that a call has changed. The link that proposed may have reached more. */
export async function reachesChanges(space: Space, call: number): Promise<boolean> {
  const documents = (await documentsOfCalls(space.tx, [call])).map(({ document }) => document)
  const reached = await space.reachableDocuments(documents)
  return documents.every((document) => reached.has(document))
}

/** Runs parts of a proposal in a transaction that is rolled back. */
export async function rehearseProposal(
  space: Space,
  row: ProposalRow,
  parts: readonly PreparedPart[],
  access: AccessLink['access'],
): Promise<{ recorded: RecordedRehearsal; chosen: Chosen }> {
  await endLeasesBefore(space, parts)
  const { proposed, ids } = await asProposed(space, row, parts, access)
  const { result, rehearsal } = await rehearse(proposed, row.tool, (inner) => runAnswering(inner, row, parts, ids))
  return { recorded: rehearsal, chosen: result.chosen }
}

/** Runs parts. The first ones that are accepted resolve the thread that the proposal answers. */
async function runAnswering(space: Space, row: ProposalRow, parts: readonly PreparedPart[], ids: PromisedIds) {
  const { answers } = readParts(row)
  const isOpen = answers !== undefined && row.acceptedCount === 0 && parts.every(({ part }) => part.key !== EDITED)
  return isOpen
    ? resolvingThread(space, answers, () => runParts(space, row.id, parts, ids))
    : runParts(space, row.id, parts, ids)
}

/** Runs work that answers a comment, and resolves its thread. */
export async function resolvingThread<T>(
  space: Space,
  answers: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (answers === undefined) return work()
  const answered = await findAnsweredComment(space, await space.readId(answers))
  const result = await work()
  await resolveThread(space, answered)
  return result
}

/** As before an approval itself. */
export async function endLeasesBefore(space: Space, parts: readonly PreparedPart[]): Promise<void> {
  await endExpiredLeases(space)
  await endDeletedLeases(
    space,
    stepsIn(parts).flatMap(({ deletes }) => deletes),
  )
}
